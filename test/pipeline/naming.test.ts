import { expect, it } from 'vitest';
import { silent } from '../../src/pipeline/context.ts';
import { mergeBuildings, unmergeBuilding } from '../../src/pipeline/identity-commands.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { onBothEngines } from '../support/engines.ts';
import { contentOf, eventsIn } from '../support/matched.ts';
import { address, HERE, inTown, later, osm, plateau, point, shape, type Town } from '../support/matching-registry.ts';
import { id, type Json, record, writeRecords } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';

const SEVEN = shape([10, 10, 30, 30]);
const EIGHT = shape([40, 10, 60, 30]);
const AT_SEVEN = point(20, 20);

onBothEngines('naming a building', (fresh, engine) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);

  const recordIdsOf = async ({ storage }: Town, number: number) =>
    (await pageOf(storage, id(number)))?.sources
      .map(({ source, sourceRecordId }) => `${source}:${sourceRecordId}`)
      .sort();

  /** Buildings 7 and 8 as a file names them, or 2 and 1 as matching found them. */
  const NAMED = [
    osm('seven', SEVEN, { addressJa: address('1丁目9番1号') }, { building: id(7) }),
    osm('eight', EIGHT, { addressJa: address('1丁目9番2号') }, { building: id(8) }),
  ];
  const FOUND = NAMED.map(({ building: _, ...line }) => line as Json);
  const DRAWN: Json[] = NAMED.map((line) => ({ ...line, source: 'plateau', extractionMethod: 'citygml' }));

  /** A record of each source that matching assigns to the first building. */
  const matched: [string, Json][] = [
    ...['jreit', 'edinet', 'greenbuilding', 'greenarchive', 'mankan'].map((source): [string, Json] => [
      source,
      record(source, 'x', { addressJa: address('1-9-1'), completionMonth: '2020-03' }),
    ]),
    ['abr', record('abr', 'x', { postcode: '100-0005' }, { geometry: AT_SEVEN })],
    ['nominatim', record('nominatim', 'x', { postcode: '100-0005' }, { geometry: AT_SEVEN })],
    ['wikidata', record('wikidata', 'Q1', { nameEn: 'Seven' }, { geometry: AT_SEVEN })],
    ['plateau', plateau('x', SEVEN)],
    ['osm', osm('x', SEVEN)],
  ];

  // PostgreSQL runs one source of each kind; the database makes no difference to the others.
  const kinds =
    engine === 'sqlite' ? matched : matched.filter(([source]) => ['jreit', 'abr', 'plateau'].includes(source));
  for (const [source, line] of kinds) {
    it(`ID-05 CON-09 moves a ${source} record to the building it is named for, and merges nothing`, () =>
      inRegistry(async (town) => {
        const buildings = (source === 'osm' ? DRAWN : engine === 'sqlite' ? FOUND : NAMED).map((one, i) =>
          source === 'wikidata' && i === 0
            ? { ...one, observations: [...(one.observations as Json[]), { field: 'nameEn', value: 'Seven' }] }
            : one,
        );
        const isNamed = buildings.every((one) => 'building' in one);
        const [seven, eight] = isNamed ? [7, 8] : [2, 1];
        await town.ingest(...HERE, ...buildings);
        await town.ingest(line);
        const key = `${source}:${line.sourceRecordId}`;
        expect(await recordIdsOf(town, seven)).toContain(key);

        const moved: string[][] = [];
        const file = writeRecords(town.dir, [{ ...line, ...later(2), building: id(eight) }]);
        const context = { ...town.context, report: { ...silent, moved: (...of: string[]) => moved.push(of) } };
        const counts = (await ingest(context, 'records', [file])).get(file);
        expect(counts).toMatchObject({ rejected: 0, moved: 1 });
        expect(moved).toEqual([[key, id(seven), id(eight)]]);
        expect(await recordIdsOf(town, seven)).toHaveLength(1);
        expect(await recordIdsOf(town, eight)).toContain(key);
        expect(await eventsIn(town.storage)).toEqual([]);
      }));
  }

  it('ID-05 gives the same registry whether naming or matching comes first', async () => {
    const contents: string[][] = [];
    const [, plain] = matched[0] as [string, Json];
    const named = { ...plain, ...later(2), building: id(8) };
    for (const lines of [[plain, named], [named, plain], [[plain, named]].flat().reverse()]) {
      await inRegistry(async (town) => {
        await town.ingest(...HERE, ...NAMED);
        for (const line of lines) await town.ingest(line);
        contents.push(await contentOf(town.storage));
      });
    }
    expect(contents[1]).toEqual(contents[0]);
    expect(contents[2]).toEqual(contents[0]);
  });

  it('ID-05 a building whose only record names another has no record left, and is not merged', () =>
    inRegistry(async (town) => {
      await town.ingest(...HERE, osm('a', SEVEN));
      await town.ingest(osm('a', SEVEN, {}, { ...later(2), building: id(80) }));
      expect(await recordIdsOf(town, 80)).toEqual(['osm:a']);
      expect(await recordIdsOf(town, 1)).toBeUndefined();
      expect(await eventsIn(town.storage)).toEqual([]);
    }));

  it('overlapping footprints still make one building, whichever of them names it', async () => {
    const lines = [osm('a', SEVEN), plateau('b', SEVEN, {}, { building: id(80) })];
    for (const order of [lines, [...lines].reverse()]) {
      await inRegistry(async (town) => {
        await town.ingest(...HERE);
        for (const line of order) await town.ingest(line);
        expect(await recordIdsOf(town, 80)).toEqual(['osm:a', 'plateau:b']);
      });
    }
  });

  const entry = (building: number | null, month: number, more: Json = {}) => ({
    ...record('jreit', 'x', { unitCount: month }, later(month)),
    ...(building === null ? {} : { building: id(building) }),
    ...more,
  });
  const inAnyOrder = async (lines: Json[], check: (town: Town) => Promise<void>) => {
    for (const order of [lines.map((line) => [line]), [[...lines].reverse()]]) {
      await inRegistry(async (town) => {
        await town.ingest(...HERE, ...NAMED);
        for (const some of order) await town.ingest(...some);
        await check(town);
      });
    }
  };

  it('CON-09 a register record describes only the building that its latest fetch names', () =>
    inAnyOrder([entry(7, 2), entry(8, 3), entry(null, 4)], async (town) => {
      expect(await recordIdsOf(town, 7)).toEqual(['osm:seven']);
      expect(await recordIdsOf(town, 8)).toEqual(['jreit:x', 'osm:eight']);
      expect((await pageOf(town.storage, id(8)))?.fields.unitCount).toMatchObject({ value: 4, conflict: null });
    }));

  it('CON-09 one that names two buildings in a single fetch contributes to neither', () =>
    inAnyOrder([entry(7, 2), entry(7, 3), entry(8, 3), entry(null, 4)], async (town) => {
      expect(await recordIdsOf(town, 7)).toEqual(['osm:seven']);
      expect(await recordIdsOf(town, 8)).toEqual(['osm:eight']);
      expect(await town.leftOut()).toEqual(['jreit:x ambiguous']);
    }));

  it('CON-09 ID-04 one that names two buildings describes them once they are merged', () =>
    inRegistry(async (town) => {
      await town.ingest(...HERE, ...NAMED, entry(7, 2), entry(8, 2));
      expect(await town.leftOut()).toEqual(['jreit:x ambiguous']);
      await mergeBuildings(town.context, id(8), id(7), null);
      expect(await recordIdsOf(town, 7)).toEqual(['jreit:x', 'osm:eight', 'osm:seven']);
      await unmergeBuilding(town.context, id(8), null);
      expect(await recordIdsOf(town, 7)).toEqual(['osm:seven']);
      expect(await town.leftOut()).toEqual(['jreit:x ambiguous']);
    }));

  it('other sources may describe several buildings', () =>
    inRegistry(async (town) => {
      const item = (building: number, month: number) =>
        record('wikidata', 'Q1', { nameEn: `Name ${month}` }, { ...later(month), building: id(building) });
      await town.ingest(...HERE, ...NAMED, item(7, 2), item(8, 3));
      expect(await recordIdsOf(town, 7)).toEqual(['osm:seven', 'wikidata:Q1']);
      expect(await recordIdsOf(town, 8)).toEqual(['osm:eight', 'wikidata:Q1']);
    }));

  it('accepts a record that first named no building, then two, and once more none', () =>
    inRegistry(async (town) => {
      const item = (month: number, more: Json = {}) =>
        record('wikidata', 'Q1', { nameEn: `Name ${month}` }, { ...later(month), ...more });
      await town.ingest(...HERE, ...NAMED, item(1));
      await town.ingest(item(2, { building: id(7) }), item(3, { building: id(8) }), item(4));
      expect(await recordIdsOf(town, 7)).toEqual(['osm:seven', 'wikidata:Q1']);
      expect(await recordIdsOf(town, 8)).toEqual(['osm:eight', 'wikidata:Q1']);
      expect(await town.leftOut()).toEqual(['wikidata:Q1 ambiguous']);
    }));
});
