import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry } from '../../../../src/registry/registry.ts';
import { startSearchThreads } from '../../../../src/registry/search/read/search-threads.ts';
import type { SearchEnvelope } from '../../../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { building } from '../../../support/records.ts';
import { serverOn } from '../../../support/serving.ts';
import { openSmallRegistry, type SmallRegistry } from '../../../support/small-registry.ts';
import { listening } from '../../../support/wire.ts';

const PATH = '/japan/api/v1/assets';

onBothEngines('searches in threads', (fresh) => {
  let small: SmallRegistry;
  let searchers: ReturnType<typeof startSearchThreads>;
  beforeAll(async () => {
    const database = await fresh();
    small = await openSmallRegistry(database);
    // A long alias makes a page of results larger than the shared memory for results.
    await small.ingest(
      Array.from({ length: 20 }, (_, i) => building(300 + i, { aliases: [`長い名${'あ'.repeat(6_000)}`] })),
    );
    searchers = startSearchThreads(database.url);
  });
  afterAll(async () => {
    await searchers.close();
    await small.close();
  });

  const queries = ['', '?q=%E3%83%93%E3%83%AB', '?q=asset-jp-13', '?q=nothing', '?page=2', '?q=%E9%95%B7%E3%81%84'];

  it('responses equal those of a search in the serving thread, in every encoding', async () => {
    const app = serverOn(openRegistry(small.context.storage, searchers));
    await listening(app, async (port) => {
      for (const query of queries) {
        const here = await small.app.inject({ url: `${PATH}${query}` });
        for (const encoding of ['identity', 'br', 'gzip', 'zstd']) {
          const headers = { 'accept-encoding': encoding };
          const answer = await fetch(`http://127.0.0.1:${port}${PATH}${query}`, { headers });
          expect(answer.status).toBe(200);
          expect(await answer.text()).toBe(here.body);
          const known = { ...headers, 'if-none-match': answer.headers.get('etag') as string };
          const again = await fetch(`http://127.0.0.1:${port}${PATH}${query}`, { headers: known });
          expect(again.status).toBe(304);
        }
        const head = await fetch(`http://127.0.0.1:${port}${PATH}${query}`, { method: 'HEAD' });
        expect(head.headers.get('etag')).toContain(String(here.headers.etag).slice(1, 20));
      }
    });
  });

  it('hundreds at once, more than fit into shared memory, each get their own response', async () => {
    const app = serverOn(openRegistry(small.context.storage, searchers));
    await listening(app, async (port) => {
      const ask = async (i: number) => {
        const response = await fetch(`http://127.0.0.1:${port}${PATH}?q=way&page=${i + 1}`);
        return ((await response.json()) as SearchEnvelope).page;
      };
      for (let round = 0; round < 3; round++) {
        const pages = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(i)));
        expect(pages).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
      }
    });
  });

  it('find what was published after the threads started', async () => {
    await small.ingest([building(700, { nameJa: '後から建った館' })]);
    const { body, release } = await searchers.search({ q: '後から建った' });
    const { items } = JSON.parse(Buffer.from(body).toString()) as SearchEnvelope;
    release?.();
    expect(items.map(({ id }) => id)).toEqual(['ASSET-JP-13-00000700']);
  });
});
