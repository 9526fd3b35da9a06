import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { type OwnerPortfolio, OwnerPortfolioSchema } from '../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../support/engines.ts';
import { Random } from '../support/random.ts';
import { AREA, AREAS, building, id, type Json, record } from '../support/records.ts';
import { byRecency, openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { expectProblem, lastingHeaders, MARK, serverOn } from '../support/serving.ts';
import { ask, listening } from '../support/wire.ts';

const ROOT = '/japan/api/v1/owners';
const schema = Compile(OwnerPortfolioSchema);
const urlOf = (name: string) => `${ROOT}/${encodeURIComponent(name)}/assets`;

/** A building and a disclosure of its owner. */
function owned(number: number, ownerPublic: string, more: Json = {}): Json[] {
  const of = { building: id(number) };
  return [
    record('osm', `way/${number}`, { nameJa: `第${number}ビル` }, { ...of, area: AREA }),
    record('jreit', `j${number}`, { ownerPublic }, { ...of, ...more }),
  ];
}

/** Spellings of one owner. */
const SPELLINGS = ['ＡＢＣ　投資法人', 'ABC 投資法人', 'abc\t投資法人', ' Abc \n 投資法人 '];
const MANY = 'Hundreds K.K.';
const ODD_NAMES = [
  ...[
    'A/B Holdings',
    '/',
    'a%2Fb',
    'O\'Brien "& Sons"',
    '🏢基金',
    '𠮷田興業',
    'no-break\u00a0space',
    '〓',
    'a+b',
    '50%',
    '%',
    '_',
  ],
  ...['\\', '..a', '?q=1', '#', ';v=1', '{"a":1}', '<script>', 'İ', 'ΟΔΟΣ', 'ß', '①', 'x'.repeat(1_000), '※', 'null'],
];
const LONG = `long ${'name '.repeat(600)}end`;

onBothEngines('owners', (fresh) => {
  let served: ServedRegistry;
  const ids = Array.from({ length: 400 }, (_, i) => id(i));
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    const { area: _, ...unplaced } = building(60);
    await served.ingest([
      ...AREAS,
      ...SPELLINGS.flatMap((name, i) => owned(i + 1, name)),
      ...owned(10, '勝った持主'),
      record('wikidata', 'Q10', { ownerPublic: '負けた持主' }, { building: id(10) }),
      ...owned(11, '負けた持主'),
      building(12),
      ...ODD_NAMES.flatMap((name, i) => owned(20 + i, name)),
      ...owned(61, LONG),
      unplaced,
      record('jreit', 'j60', { ownerPublic: '場所のない持主' }, { building: id(60) }),
    ]);
    await served.ingest(Array.from({ length: 130 }, (_, i) => owned(100 + i, MANY)).flat());
    await served.ingest(
      [117, 103, 229].map((number) => record('osm', `n/${number}`, { nameEn: 'x' }, { building: id(number) })),
    );
  });
  afterAll(() => served.close());
  const read = async (name: string) => {
    const answer = await served.get(urlOf(name));
    expect(answer, name).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    const portfolio = JSON.parse(answer.body) as OwnerPortfolio;
    expect([...schema.Errors(portfolio)]).toEqual([]);
    return { owner: portfolio.owner, ids: portfolio.items.map((item) => item.id), items: portfolio.items };
  };

  it('OWN-01 names match whatever their width, case and whitespace', async () => {
    const spellings = [...SPELLINGS, 'abc 投資法人', '  ＡＢＣ 投資法人', 'ABC\u00a0\u3000投資法人', 'abc\r\n投資法人'];
    for (const name of spellings) {
      const portfolio = await read(name);
      expect(portfolio.ids).toEqual([1, 2, 3, 4].map((number) => id(number)));
      expect(SPELLINGS).toContain(portfolio.owner);
    }
    for (const name of ['abc', '投資法人', 'abc投資法人', 'abc 投資', 'abc-投資法人', 'ｱbc 投資法人']) {
      expect(await read(name)).toEqual({ owner: name, ids: [], items: [] });
    }
  });

  it('OWN-01 the response has the recorded name of the owner', async () => {
    expect((await read('hundreds k.k.')).owner).toBe(MANY);
    expect((await read('勝った持主')).owner).toBe('勝った持主');
  });

  it('OWN-01 only published buildings count', async () => {
    expect((await read('勝った持主')).ids).toEqual([id(10)]);
    expect((await read('負けた持主')).ids).toEqual([id(11)]);
    expect((await read('場所のない持主')).ids).toEqual([]);
    for (const name of [' ', '\u3000', 'undefined', '第12ビル', id(1)]) {
      expect(await read(name)).toEqual({ owner: name, ids: [], items: [] });
    }
  });

  it('OWN-01 SEA-08 every building of an owner is a full record, most recently recorded first', async () => {
    const records = (await served.readAll(ids)).filter(({ page }) => page.fields.ownerPublic?.value === MANY);
    expect(records).toHaveLength(130);
    const { items } = await read(MANY);
    const expected = records.sort((a, b) => byRecency(a.page, b.page));
    expect(items.map((item) => item.id)).toEqual(expected.map(({ page }) => page.id));
    expect(items.slice(0, 4).map((item) => item.id)).toEqual([id(103), id(117), id(229), id(100)]);
    expect(items.map((item) => JSON.stringify(item))).toEqual(expected.map(({ text }) => text));
    expect((await served.get(`${urlOf(MANY)}?page=2&limit=1&q=none`)).body).toBe((await served.get(urlOf(MANY))).body);
  });

  it('OWN-01 a name may contain any valid character', async () => {
    for (const [i, name] of ODD_NAMES.entries())
      expect(await read(name)).toMatchObject({ owner: name, ids: [id(20 + i)] });
    for (const name of ['\0', 'null\0', 'a/b', '\ud7ff', '\uffff', 'ok\u202e']) {
      expect(await read(name)).toEqual({ owner: name, ids: [], items: [] });
    }
    expect((await served.get(`${ROOT}/A%2fB%20Holdings/assets`)).body).toBe(
      (await served.get(urlOf('A/B Holdings'))).body,
    );
    expect((await served.get(`${ROOT}/a+b/assets`)).body).toBe((await served.get(urlOf('a+b'))).body);
  });

  it('OWN-01 long names work', async () => {
    expect(LONG.length).toBeGreaterThan(2_000);
    expect(await read(LONG)).toMatchObject({ owner: LONG, ids: [id(61)] });
    const unknown = 'y'.repeat(5_000);
    expect(await read(unknown)).toEqual({ owner: unknown, ids: [], items: [] });
  });

  it('OWN-01 a name too long to request does no harm', async () => {
    const other = await openServedRegistry(await fresh());
    const random = new Random(1);
    const name = Array.from({ length: 20_000 }, () => String.fromCharCode(0x4e00 + random.below(20_000))).join('');
    await other.ingest([...AREAS, ...owned(70, name)]);
    const [published] = await other.readAll([id(70)]);
    expect(published?.page.fields.ownerPublic?.value).toBe(name);
    await other.close();
  });

  it('API-03 API-05 a name that cannot be decoded is a bad request; a path without a name is not found', async () => {
    for (const name of ['%zz', '%', '%E0%A4%A', '%FF', '%C0%80', '%ED%A0%80', `${MARK}%`]) {
      expectProblem(await served.get(`${ROOT}/${name}/assets`), 400);
    }
    const one = encodeURIComponent(MANY);
    for (const path of [
      '',
      '/',
      '//assets',
      `/${one}`,
      `/${one}/`,
      `/${one}/assets/`,
      `/${one}/Assets`,
      '/A/B/assets',
    ]) {
      expectProblem(await served.get(`${ROOT}${path}`), 404);
    }
  });

  it('API-01 a portfolio has an ETag, and HEAD has the headers of GET', async () => {
    const tags = new Set<string>();
    await listening(serverOn(openRegistry(served.context.storage)), async (port) => {
      for (const name of [MANY, SPELLINGS[0] as string, 'nobody', 'no one']) {
        const path = urlOf(name);
        const got = await ask(port, { path });
        const head = await ask(port, { path, method: 'HEAD' });
        expect([head.status, head.body]).toEqual([200, '']);
        const { 'content-length': _, ...lasting } = lastingHeaders(got.headers);
        expect(lastingHeaders(head.headers)).toMatchObject(lasting);
        const etag = String(got.headers.etag);
        expect(etag).toMatch(/^"[^"]+"$/);
        tags.add(etag);
        const again = await ask(port, { path, headers: { 'if-none-match': etag } });
        expect([again.status, again.headers.etag, again.body]).toEqual([304, etag, '']);
        expect((await ask(port, { path, headers: { 'if-none-match': '"other"' } })).body).toBe(got.body);
      }
    });
    expect(tags.size).toBe(4);
  });

  it('OWN-01 a portfolio follows changes of its buildings', async () => {
    const tag = async () => String((await served.get(urlOf('abc 投資法人'))).headers.etag);
    const before = await tag();
    const later = { retrievedAt: '2026-02-01T00:00:00Z', rawPayloadRef: 'sha256:bb' };
    await served.ingest([record('jreit', 'j1', { ownerPublic: '新しい持主' }, { building: id(1), ...later })]);
    expect((await read('abc 投資法人')).ids).toEqual([2, 3, 4].map((number) => id(number)));
    expect((await read('新しい持主')).ids).toEqual([id(1)]);
    expect(await tag()).not.toBe(before);
    await mergeBuildings(served.context, id(2), id(12), null);
    expect((await read('abc 投資法人')).ids).toEqual([12, 3, 4].map((number) => id(number)));
    await unmergeBuilding(served.context, id(2), null);
    expect((await read('abc 投資法人')).ids.sort()).toEqual([2, 3, 4].map((number) => id(number)));
    await retireBuilding(served.context, id(3), undefined, null);
    expect((await read('abc 投資法人')).ids.sort()).toEqual([2, 4].map((number) => id(number)));
  });
});
