import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import type { SearchEnvelope } from '../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREA, AREAS, id, type Json, OTHER_AREA, record } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { expectProblem, lastingHeaders, MARK, serverOn, uncheckedServerOn } from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const LIST = '/japan/api/v1/assets';

/** Every building has the word キャップ, all but one are in one area, and every tenth is an office. */
function capped(number: number): Json {
  const area = number === 5 ? OTHER_AREA : AREA;
  const fields = { nameJa: `キャップ${number}館`, ...(number % 10 === 0 && { assetTypes: 'office' }) };
  return record('osm', `way/${number}`, fields, { building: id(number), area });
}

const MAX = Number.MAX_SAFE_INTEGER;

const NO_PAGES = [
  ...['0', '-1', 'abc', '1.5', '', '1e3', '+1', '%2B1', '00', '000', '-0', '1.0', '0x1', '1_000', '1,2', '1n'],
  ...['%201', '1%20', '1%00', '1%0A', 'NaN', 'Infinity', 'null', 'true', '%EF%BC%91', '%D9%A1', '①', `${MARK}`],
  ...['1e999', `1;${MARK}`, `-${'9'.repeat(20)}`, `${'9'.repeat(20)}.0`],
];
const PARAMETERS = ['q', 'prefecture', 'ward', 'machiAza', 'type', 'page'];
const UNDECODABLE = ['%zz', '%', '%E0%A4%A', '%FF', '%C0%80', '%ED%A0%80', '%F4%90%80%80', `${MARK}%`];

onBothEngines('search pages', (fresh) => {
  let served: ServedRegistry;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    const numbers = Array.from({ length: 1_000 }, (_, i) => i + 1);
    const plain = record('osm', 'way/0', { nameJa: '別館' }, { building: id(0), area: AREA });
    await served.ingest([...AREAS, plain, ...numbers.map(capped)]);
  });
  afterAll(() => served.close());
  const search = async (query: string) => {
    const { status, body } = await served.get(`${LIST}${query}`);
    expect(status, query).toBe(200);
    const { items, ...rest } = JSON.parse(body) as SearchEnvelope;
    return { ids: items.map((item) => item.id), ...rest };
  };
  const word = `?q=${encodeURIComponent('キャップ')}`;

  it('SEA-05 exactly 1,000 matches are counted', async () => {
    expect(await search(word)).toMatchObject({ page: 1, total: 1_000, totalCapped: false });
    expect(await search('')).toMatchObject({ page: 1, total: 1_001, totalCapped: false });
    expect(await search('?q=asset-jp-13')).toMatchObject({ total: 1_000, totalCapped: true });
  });

  it('SEA-06 the last page has the remaining buildings', async () => {
    expect((await search(`${word}&page=50`)).ids).toHaveLength(20);
    expect(await search(`${word}&page=51`)).toEqual({ ids: [], page: 51, total: 1_000, totalCapped: false });
    expect(await search('?type=office&page=5')).toMatchObject({ page: 5, total: 100 });
    expect(await search('?type=office&page=6')).toEqual({ ids: [], page: 6, total: 100, totalCapped: false });
    expect((await search('?machiAza=marunouchi-2-chome')).ids).toEqual([id(5)]);
    expect(await search(`${word}no`)).toEqual({ ids: [], page: 1, total: 0, totalCapped: false });
    expect(await search(`${word}no&page=2`)).toEqual({ ids: [], page: 2, total: 0, totalCapped: false });
  });

  it('SEA-05 SEA-04 a word with an invalid character matches nothing', async () => {
    for (const q of ['キ\0', 'キャ\0', '\0', '\0キ', '館\0', 'キャップ\0', 'キャップ1\0館']) {
      expect(await search(`?q=${encodeURIComponent(q)}`)).toMatchObject({ ids: [], total: 0 });
    }
  });

  it('SEA-05 with one more match the total is capped, and the match is not shown', async () => {
    await served.ingest([capped(1_001)]);
    expect(await search(word)).toMatchObject({ page: 1, total: 1_000, totalCapped: true });
    expect((await search(word)).ids[0]).toBe(id(1_001));
    expect((await search(`${word}&page=50`)).ids).toHaveLength(20);
    expect(await search(`${word}&page=51`)).toEqual({ ids: [], page: 51, total: 1_000, totalCapped: true });
    expect(await search(`${word}&prefecture=tokyo`)).toMatchObject({ total: 1_000, totalCapped: true });
    expect(await search(`${word}&type=office`)).toMatchObject({ total: 100, totalCapped: false });
    expect(await search(`${word}&prefecture=nowhere`)).toMatchObject({ total: 0, totalCapped: false });
  });

  it('SEA-05 SEA-06 without q the total is always exact, and 50 pages show the first 1,000', async () => {
    for (const query of ['?page=51', '?q=%20&page=51', `?page=${MAX}`, '?prefecture=tokyo&page=52']) {
      expect(await search(query)).toMatchObject({ ids: [], total: 1_002, totalCapped: false });
    }
    expect((await search('?page=50')).ids).toHaveLength(20);
    expect(await search(`?page=${MAX}`)).toMatchObject({ page: MAX });
  });

  it('SEA-06 a page number of any size gives an empty page and is returned as an integer', async () => {
    const app = uncheckedServerOn(openRegistry(served.context.storage));
    const pages = ['9007199254740992', '9007199254740993', '9'.repeat(20), `1${'0'.repeat(400)}`, '7'.repeat(5_000)];
    for (const page of pages) {
      const { statusCode, body } = await app.inject({ url: `${LIST}?page=${page}` });
      expect([statusCode, body]).toEqual([200, `{"items":[],"page":${page},"total":1002,"totalCapped":false}`]);
    }
    for (const [written, page] of [
      ['007', 7],
      ['01', 1],
      ['00000000000000000000002', 2],
    ]) {
      expect(await search(`?page=${written}`)).toEqual(await search(`?page=${page}`));
    }
    await app.close();
  });

  it('SEA-11 fifty pages show each of a thousand buildings once', async () => {
    for (const query of ['', word]) {
      const seen = new Set<string>();
      for (let page = 1; page <= 50; page++) {
        for (const found of (await search(`${query === '' ? '?' : `${query}&`}page=${page}`)).ids) seen.add(found);
      }
      expect(seen.size).toBe(1_000);
    }
  });

  it('SEA-07 API-05 a page that is not a positive integer is a bad request', async () => {
    for (const page of NO_PAGES) {
      const url = `${LIST}?page=${page.startsWith('①') ? encodeURIComponent(page) : page}`;
      const answer = await served.get(url);
      expect(answer.status, url).toBe(400);
      expectProblem(answer, 400);
      expect(JSON.parse(answer.body).detail).toMatch(/query parameters.*page/);
    }
    expectProblem(await served.get(`${LIST}?page`), 400);
    expectProblem(await served.get(`${LIST}?q=x&prefecture=nowhere&page=0`), 400);
  });

  it('API-04 API-05 a repeated parameter is a bad request; the error names it without its value', async () => {
    for (const name of PARAMETERS) {
      const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
      for (const query of [`${name}=1&${name}=1`, `${name}=${MARK}&a=b&${name}`, `${escaped}=1&${name}=${MARK}`]) {
        const answer = await served.get(`${LIST}?${query}`);
        expect(answer.status, query).toBe(400);
        expectProblem(answer, 400);
        expect(JSON.parse(answer.body).detail).toMatch(new RegExp(`query parameters.*${name}`));
      }
    }
    expect(await search(`?${MARK}=1&${MARK}=2`)).toMatchObject({ total: 1_002 });
  });

  it('API-04 API-05 a parameter that cannot be decoded is a bad request', async () => {
    for (const name of PARAMETERS) {
      for (const value of UNDECODABLE) {
        const answer = await served.get(`${LIST}?${name}=${value}`);
        expectProblem(answer, 400);
        expect(JSON.parse(answer.body).detail).toMatch(/query parameters/);
      }
    }
  });

  it('API-01 a search has an ETag for conditional requests', async () => {
    const { headers } = await served.get(`${LIST}${word}`);
    const etag = String(headers.etag);
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await served.get(`${LIST}${word}`, { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, body: '', headers: { etag } });
    expect((await served.get(`${LIST}${word}&page=2`, { 'if-none-match': etag })).status).toBe(200);
    await served.ingest([capped(1_002)]);
    expect((await served.get(`${LIST}${word}`, { 'if-none-match': etag })).status).toBe(200);
  });

  it('API-01 HEAD has the headers of GET and no body', async () => {
    await listening(serverOn(openRegistry(served.context.storage)), async (port) => {
      for (const query of [word, '', '?q=none', '?page=0']) {
        const got = await ask(port, { path: `${LIST}${query}` });
        const head = await ask(port, { path: `${LIST}${query}`, method: 'HEAD' });
        expect({ ...head, headers: lastingHeaders(head.headers) }).toEqual({
          status: got.status,
          headers: lastingHeaders(got.headers),
          body: '',
        });
        expect(got.headers['content-length']).toBe(String(Buffer.byteLength(got.body)));
      }
    });
  });
});
