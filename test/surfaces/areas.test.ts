import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { republish } from '../../src/pipeline/run.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { type AreaSummary, AreaSummarySchema } from '../../src/vocabulary/api-shapes.ts';
import { onBothEngines } from '../support/engines.ts';
import { areasOf, naiveSummary } from '../support/naive-areas.ts';
import { AREA, AREAS, building, id, type Json, OTHER_AREA, record, square } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { expectProblem, lastingHeaders, MARK, serverOn } from '../support/serving.ts';
import { VARIED_AREAS, variedRegistry } from '../support/varied-registry.ts';
import { ask, listening } from '../support/wire.ts';

const ROOT = '/japan/api/v1/areas';
const schema = Compile(AreaSummarySchema);

const OTHER_WARD: Json[] = [
  { kind: 'area', level: 'ward', code: '13102', parent: '13', slug: 'chuo-ku', nameJa: '中央区', nameEn: null },
  { kind: 'area', level: 'machiAza', code: '131020001', parent: '13102', slug: 'ginza', nameJa: '銀座', nameEn: null },
];

async function readArea(served: ServedRegistry, path: string): Promise<AreaSummary | undefined> {
  const answer = await served.get(`${ROOT}${path}`);
  if (answer.status === 404) {
    expectProblem(answer, 404);
    return undefined;
  }
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
  const summary = JSON.parse(answer.body) as AreaSummary;
  expect([...schema.Errors(summary)]).toEqual([]);
  return summary;
}

/** Compares every area with the records, read one by one. */
async function compareAll(served: ServedRegistry, ids: readonly string[]): Promise<void> {
  const records = (await served.readAll(ids)).map(({ page }) => page);
  for (const { level, code } of areasOf(records)) {
    const expected = naiveSummary(records, level, code) as AreaSummary;
    expect(await readArea(served, expected.area.path.slice('/japan'.length)), code).toEqual(expected);
  }
}

onBothEngines('areas', (fresh) => {
  describe('in a small registry', () => {
    let served: ServedRegistry;
    const ids = Array.from({ length: 12 }, (_, i) => id(i));
    const { area: _, ...unplaced } = building(9, {}, { geometry: square([139.5, 35.5]) });
    beforeAll(async () => {
      served = await openServedRegistry(await fresh());
      await served.ingest([
        ...AREAS,
        ...OTHER_WARD,
        building(1, { aliases: ['a', 'b'], assetTypes: ['office', 'retail'], heightM: 0, floorsAbove: 3 }),
        record('plateau', 'p1', { footprintM2: 100, heightM: 12 }, { building: id(1) }),
        record('jreit', 'j1', { ownerPublic: '持主', occupancyRate: 0 }, { building: id(1) }),
        building(2, { aliases: ['a'] }),
        building(3, {}, { area: OTHER_AREA }),
        unplaced,
      ]);
    });
    afterAll(() => served.close());
    const read = (path: string) => readArea(served, path);
    const later = (number: number, more: Json = {}, fields: Json = {}) =>
      building(number, fields, { retrievedAt: '2026-01-05T00:00:00Z', rawPayloadRef: 'sha256:bb', ...more });

    it('ARE-01 each level has its count, its children and its coverage', async () => {
      const tokyo = (await read('/tokyo')) as AreaSummary;
      expect(tokyo).toMatchObject({
        area: {
          level: 'prefecture',
          code: '13',
          slug: 'tokyo',
          nameJa: '東京都',
          nameEn: 'Tokyo',
          path: '/japan/tokyo',
        },
        buildingCount: 3,
        children: [{ slug: 'chiyoda-ku', nameJa: '千代田区', path: '/japan/tokyo/chiyoda-ku', buildingCount: 3 }],
      });
      expect(tokyo.coverage).toMatchObject({
        nameJa: 3,
        aliases: 2,
        assetTypes: 1,
        heightM: 1,
        gfaM2: 1,
        architect: 0,
      });
      expect(tokyo.coverage).toMatchObject({ occupancyRate: 1, ownerPublic: 1, footprintM2: 1 });
      expect(
        (await read('/tokyo/chiyoda-ku'))?.children.map(({ slug, buildingCount }) => [slug, buildingCount]),
      ).toEqual([
        ['marunouchi-1-chome', 2],
        ['marunouchi-2-chome', 1],
      ]);
      expect(await read('/tokyo/chiyoda-ku/marunouchi-1-chome')).toMatchObject({ buildingCount: 2, children: [] });
      await compareAll(served, ids);
    });

    it('ARE-02 an area without published buildings is not found', async () => {
      const paths = ['/tokyo/chuo-ku', '/tokyo/chuo-ku/ginza', '/osaka', '/chiyoda-ku', '/tokyo/tokyo'];
      const other = ['/tokyo/marunouchi-1-chome', '/osaka/chiyoda-ku', '/tokyo/chuo-ku/marunouchi-1-chome', '/13'];
      const odd = ['/Tokyo', '/TOKYO', '/%EF%BD%94okyo', '/tokyo%20', '/%20tokyo', '/tokyo.json', '/_', '/-'];
      for (const path of [...paths, ...other, ...odd, `/${MARK}/${MARK}/${MARK}`]) {
        expect(await read(path), path).toBeUndefined();
      }
    });

    it('ARE-02 a slug of any length that decodes is not found', async () => {
      for (const length of [200, 2_000, 2_001, 9_000]) {
        for (const before of ['', 'tokyo/', 'tokyo/chiyoda-ku/']) {
          expectProblem(await served.get(`${ROOT}/${before}${'a'.repeat(length)}`), 404);
        }
      }
    });

    it('ARE-02 a slug with an invalid character is not found', async () => {
      for (const slug of ['%00', 'tokyo%00', '%0A', '%F0%9F%8F%A2', '%EF%BF%BF', '%27%20or%201=1', '%25', '..%2F']) {
        for (const before of ['', 'tokyo/', 'tokyo/chiyoda-ku/']) {
          const answer = await served.get(`${ROOT}/${before}${slug}`);
          expect(answer.status, `${before}${slug}`).toBe(404);
          expectProblem(answer, 404);
        }
      }
    });

    it('ARE-02 API-05 a slug that cannot be decoded is a bad request', async () => {
      for (const slug of ['%zz', '%', '%E0%A4%A', '%FF', '%C0%80', '%ED%A0%80', `${MARK}%`]) {
        for (const before of ['', 'tokyo/', 'tokyo/chiyoda-ku/', `%zz/`]) {
          expectProblem(await served.get(`${ROOT}/${before}${slug}`), 400);
        }
        expectProblem(await served.get(`${ROOT}/${slug}/chiyoda-ku`), 400);
      }
    });

    it('ARE-03 slugs are decoded segment by segment', async () => {
      expect(await read('/%74okyo')).toEqual(await read('/tokyo'));
      expect(await read('/%74%6f%6B%79o/chiyoda%2Dku')).toEqual(await read('/tokyo/chiyoda-ku'));
      for (const path of ['/tokyo%2Fchiyoda-ku', '/tokyo%2fchiyoda-ku/marunouchi-1-chome', '/%2574okyo', '/tokyo%2F']) {
        expect(await read(path), path).toBeUndefined();
      }
      expect(await read(`/tokyo?${MARK}=%zz`)).toEqual(await read('/tokyo'));
    });

    it('API-03 paths with more or fewer segments are not found', async () => {
      const more = '/tokyo/chiyoda-ku/marunouchi-1-chome';
      for (const path of [
        '',
        '/',
        '/tokyo/',
        '//',
        '//chiyoda-ku',
        '/tokyo//marunouchi-1-chome',
        `${more}/x`,
        `${more}/`,
      ]) {
        expectProblem(await served.get(`${ROOT}${path}`), 404);
      }
    });

    it('API-01 an area has an ETag, and HEAD has the headers of GET', async () => {
      const { headers } = await served.get(`${ROOT}/tokyo`);
      const again = await served.get(`${ROOT}/tokyo`, { 'if-none-match': String(headers.etag) });
      expect(again).toMatchObject({ status: 304, body: '' });
      await listening(serverOn(openRegistry(served.context.storage)), async (port) => {
        for (const path of ['/tokyo', '/tokyo/chiyoda-ku', '/nowhere', '/%zz']) {
          const got = await ask(port, { path: `${ROOT}${path}` });
          const head = await ask(port, { path: `${ROOT}${path}`, method: 'HEAD' });
          expect([head.status, head.body]).toEqual([got.status, '']);
          expect(lastingHeaders(head.headers)).toEqual(lastingHeaders(got.headers));
        }
      });
    });

    it('ARE-01 counts follow changes, merges, undone merges and retirements', async () => {
      const before = (await read('/tokyo'))?.latestRecordedAt as string;
      await served.ingest([later(2, {}, { nameEn: 'Two' }), building(4, {}, { area: OTHER_AREA })]);
      expect((await read('/tokyo'))?.latestRecordedAt.localeCompare(before)).toBe(1);
      await compareAll(served, ids);
      await mergeBuildings(served.context, id(3), id(1), null);
      await compareAll(served, ids);
      await mergeBuildings(served.context, id(4), id(1), null);
      expect(await read('/tokyo/chiyoda-ku/marunouchi-2-chome')).toBeUndefined();
      expect((await read('/tokyo/chiyoda-ku'))?.children).toHaveLength(1);
      await compareAll(served, ids);
      await unmergeBuilding(served.context, id(4), null);
      await unmergeBuilding(served.context, id(3), null);
      expect((await read('/tokyo/chiyoda-ku/marunouchi-2-chome'))?.buildingCount).toBe(2);
      await compareAll(served, ids);
      await retireBuilding(served.context, id(4), undefined, null);
      await compareAll(served, ids);
      expect((await read('/tokyo'))?.buildingCount).toBe(3);
    });

    it('ARE-01 a building that moves is counted in its new area', async () => {
      await served.ingest([later(3, { area: '131020001' })]);
      expect(await read('/tokyo/chiyoda-ku/marunouchi-2-chome')).toBeUndefined();
      expect((await read('/tokyo'))?.children.map(({ slug }) => slug)).toEqual(['chiyoda-ku', 'chuo-ku']);
      expect((await read('/tokyo/chuo-ku/ginza'))?.buildingCount).toBe(1);
      await compareAll(served, ids);
    });

    it('ARE-01 a building that gets a location is counted', async () => {
      const ginza = { ...OTHER_WARD[1], boundary: square([139.5, 35.5], 0.01) };
      await served.ingest([ginza]);
      expect((await read('/tokyo/chuo-ku/ginza'))?.buildingCount).toBe(2);
      await compareAll(served, ids);
    });

    it('ARE-01 ARE-03 a renamed area has its new names and is still found under its old slug', async () => {
      await served.ingest([
        { ...AREAS[1], slug: 'new-ku', nameJa: '新区', nameEn: null },
        { ...AREAS[2], slug: 'new-cho', nameJa: '新町', nameEn: 'New Town' },
      ]);
      const renamed = await read('/tokyo/new-ku/new-cho');
      expect(renamed?.area).toMatchObject({
        code: AREA,
        slug: 'new-cho',
        nameJa: '新町',
        path: '/japan/tokyo/new-ku/new-cho',
      });
      for (const old of ['/chiyoda-ku/marunouchi-1-chome', '/new-ku/marunouchi-1-chome', '/chiyoda-ku/new-cho']) {
        expect(await read(`/tokyo${old}`)).toEqual(renamed);
      }
      expect(await read('/tokyo/chiyoda-ku')).toEqual(await read('/tokyo/new-ku'));
      expect((await read('/tokyo'))?.children[0]).toMatchObject({ slug: 'new-ku', nameJa: '新区', nameEn: null });
      await compareAll(served, ids);
    });

    it('ARE-01 publishing everything again changes nothing', async () => {
      const paths = ['/tokyo', '/tokyo/new-ku', '/tokyo/new-ku/new-cho', '/tokyo/chuo-ku'];
      const before = await Promise.all(paths.map((path) => served.get(`${ROOT}${path}`)));
      await republish(served.context, true);
      for (const [i, path] of paths.entries()) expect((await served.get(`${ROOT}${path}`)).body).toBe(before[i]?.body);
    });
  });

  it('ARE-01 ARE-02 every area of a large registry agrees with its records after every run', async () => {
    const served = await openServedRegistry(await fresh());
    const { ids, stages } = variedRegistry(7);
    for (const { run } of stages) {
      await run(served);
      await compareAll(served, ids);
    }
    const slugs = new Map(VARIED_AREAS.map((area) => [area.code, area.slug as string]));
    for (const { level, code, parent, slug } of VARIED_AREAS.filter((area) => String(area.slug).startsWith('empty'))) {
      const above = level === 'ward' ? [parent] : [String(parent).slice(0, 2), parent];
      expect(
        await readArea(served, `/${[...above.map((area) => slugs.get(area)), slug].join('/')}`),
        String(code),
      ).toBe(undefined);
    }
    await served.close();
  });
});
