import { expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { onSqlite } from '../support/engines.ts';
import { openPageTown, TOWN, townPath } from '../support/page-town.ts';
import { serverOn } from '../support/serving.ts';

const HOST = 'elsewhere.example';
const CARD = 'application/mcp-server-card+json';

/** Everything that names the origin, in every form. */
const NAMING: [path: string, headers?: Record<string, string>][] = [
  ['/japan'],
  ['/japan/areas'],
  ['/japan/about'],
  ['/japan/tokyo'],
  ['/japan/tokyo', { accept: 'text/markdown' }],
  [townPath(TOWN.everything)],
  [`${townPath(TOWN.everything)}.md`],
  ['/japan/api'],
  ['/japan/sitemap.xml'],
  ['/japan/sitemap-pages.xml'],
  ['/japan/reconcile'],
  ['/robots.txt'],
  ['/llms.txt'],
  ['/.well-known/ai-catalog.json'],
  ['/japan/mcp/server-card'],
  ['/japan/mcp/server-card', { accept: CARD }],
];
const NOT_NAMING = [
  `/japan/api/v1/assets/${TOWN.everything}`,
  '/japan/api/v1/assets',
  '/japan/api/v1/openapi.json',
  '/japan/suggest?q=a',
  '/japan/reconcile/suggest/type?prefix=o',
  '/favicon.svg',
];

onSqlite('without BASE_URL', (fresh) => {
  it('HST-01 what names the Host varies by it, and shared caches keep nothing without asking', async () => {
    const town = await openPageTown(await fresh());
    try {
      for (const [path, headers] of NAMING) {
        const { status, headers: got, body } = await town.get(path, { ...headers, host: HOST });
        expect([path, status, body.includes(HOST)]).toEqual([path, 200, true]);
        expect([path, String(got.vary).split(', ')]).toEqual([path, expect.arrayContaining(['Host'])]);
        expect([path, got['cache-control']]).toEqual([path, expect.not.stringMatching(/public, max-age=[1-9]/)]);
        const known = await town.get(path, { ...headers, host: HOST, 'if-none-match': String(got.etag) });
        expect([path, known.status, known.headers.vary]).toEqual([path, 304, got.vary]);
        // The same address under another Host is another page.
        const other = await town.get(path, { ...headers, 'if-none-match': String(got.etag) });
        expect([path, other.status, other.body.includes(HOST)]).toEqual([path, 200, false]);
      }
      for (const path of NOT_NAMING) {
        const { status, headers, body } = await town.get(path, { host: HOST });
        expect([path, status, body.includes(HOST), /\bHost\b/.test(String(headers.vary))]).toEqual([
          path,
          200,
          false,
          false,
        ]);
      }
      const registry = openRegistry(town.context.storage);
      const baseUrl = 'https://registry.example';
      const named = serverOn(registry, undefined, { baseUrl, reit: openReit(town.context.storage) });
      for (const [path, headers] of NAMING) {
        const { headers: got, body } = await named.inject({
          url: path,
          headers: { ...headers, host: 'registry.example' },
        });
        expect([path, body.includes(baseUrl), /\bHost\b/.test(String(got.vary))]).toEqual([path, true, false]);
      }
      await named.close();
    } finally {
      await town.close();
    }
  });
});
