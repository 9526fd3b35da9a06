import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mergeBuildings } from '../../src/pipeline/identity-commands.ts';
import { ingest as ingestFiles, republish } from '../../src/pipeline/run.ts';
import { at, box, polygon } from '../matching/grid.ts';
import { point as coordinates, entity, OFFICE, ref, text, time } from '../sources/wikidata/entities.ts';
import { onBothEngines } from '../support/engines.ts';
import {
  address,
  HERE,
  inTown,
  item,
  later,
  osm,
  plateau,
  point,
  shape,
  type Town,
} from '../support/matching-registry.ts';
import { AREA, AREAS, id, type Json, OTHER_AREA, record } from '../support/records.ts';
import { pageOf, registryState } from '../support/registry-state.ts';

const TOWER = shape([10, 10, 30, 30]);
const BESIDE = shape([40, 10, 60, 30]);

onBothEngines('matching of places and items', (fresh, engine) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);

  const always = async (lines: Json[], buildings: string[][], leftOut: string[]) => {
    const oneByOne = lines.map((line) => [line]);
    const orders = engine === 'sqlite' ? [[lines], oneByOne, [...oneByOne].reverse()] : [oneByOne];
    for (const commands of orders) {
      await inRegistry(async (town) => {
        await town.ingest(...HERE);
        for (const some of commands) await town.ingest(...some);
        expect(await town.buildings()).toEqual(buildings);
        expect(await town.leftOut()).toEqual(leftOut);
      });
    }
  };

  it('records of abr, estat and nominatim are assigned to the building that contains them, and create none', () =>
    always(
      [
        osm('a', TOWER),
        plateau('b', shape([50, 10, 70, 30])),
        osm('c', shape([61, 10, 90, 30])),
        ...['abr', 'estat', 'nominatim'].flatMap((source) => [
          record(source, 'in', { postcode: '100-0005' }, { geometry: point(20, 20) }),
          record(source, 'two', { postcode: '100-0005' }, { geometry: point(65, 20) }),
          record(source, 'out', { postcode: '100-0005' }, { geometry: point(200, 20) }),
        ]),
      ],
      [['abr:in', 'estat:in', 'nominatim:in', 'osm:a'], ['osm:c'], ['plateau:b']],
      ['abr', 'estat', 'nominatim'].flatMap((source) => [`${source}:out unmatched`, `${source}:two ambiguous`]).sort(),
    ));

  it('an item is assigned to the building that contains it and has its name', () =>
    always(
      [
        osm('a', TOWER, { nameJa: '丸の内 タワー' }),
        osm('b', BESIDE, { nameJa: '別館', aliases: ['新館'] }),
        item('Q1', point(20, 20), { nameJa: '丸の内タワー' }),
        item('Q2', point(50, 20), { nameJa: '丸の内タワー' }),
        item('Q3', point(50, 21), { nameJa: '何か', aliases: ['新館'] }),
        item('Q4', point(200, 20), { nameJa: '丸の内タワー' }),
        item('Q5', point(21, 20), { nameEn: 'Marunouchi Tower' }),
      ],
      [
        ['osm:a', 'wikidata:Q1'],
        ['osm:b', 'wikidata:Q3'],
      ],
      ['wikidata:Q2 unmatched', 'wikidata:Q4 unmatched', 'wikidata:Q5 unmatched'],
    ));

  it('a point of OSM leaves a building when the building turns out to be two that contain it', () =>
    always(
      [
        osm('a', shape([3, 9, 12, 13])),
        osm('place', point(9.5, 11.5)),
        plateau('b', shape([1, 11, 13, 16])),
        plateau('c', shape([6, 9, 11, 16])),
      ],
      [['osm:a', 'plateau:c'], ['osm:place'], ['plateau:b']],
      [],
    ));

  it('an item in two buildings is ambiguous, but not in two footprints of one building', () =>
    always(
      [
        osm('a', TOWER, { nameJa: '本館' }),
        plateau('a', shape([11, 10, 31, 30])),
        osm('b', BESIDE, { nameJa: '本館' }),
        plateau('c', shape([55, 10, 90, 30])),
        item('Q1', point(20, 20), { nameJa: '本館' }),
        item('Q2', point(57, 20), { nameJa: '本館' }),
      ],
      [['osm:a', 'plateau:a', 'wikidata:Q1'], ['osm:b'], ['plateau:c']],
      ['wikidata:Q2 ambiguous'],
    ));

  it('an item follows the name and the footprint of its building', () =>
    inRegistry(async ({ ingest, idOf, leftOut }) => {
      await ingest(...HERE, osm('a', TOWER, { nameJa: '本館' }), item('Q1', point(20, 20), { nameJa: '新館' }));
      expect(await leftOut()).toEqual(['wikidata:Q1 unmatched']);
      await ingest(osm('a', TOWER, { nameJa: '新館' }, later(2)));
      expect(await idOf('wikidata:Q1')).toBe(id(1));
      await ingest(osm('a', BESIDE, { nameJa: '新館' }, later(3)));
      expect(await leftOut()).toEqual(['wikidata:Q1 unmatched']);
      await ingest(item('Q1', point(50, 20), { nameJa: '新館' }, later(2)));
      expect(await idOf('wikidata:Q1')).toBe(id(1));
    }));

  it('a point in two buildings is assigned once they are merged', () =>
    inRegistry(async ({ ingest, idOf, leftOut, context }) => {
      const overlapping = plateau('b', shape([25, 10, 60, 30]), {}, { building: id(81) });
      await ingest(
        ...HERE,
        osm('a', TOWER, { nameJa: '本館' }, { building: id(80) }),
        overlapping,
        item('Q1', point(27, 20), { nameJa: '本館' }),
        record('nominatim', 'n', { postcode: '100-0005' }, { geometry: point(27, 20) }),
      );
      expect(await leftOut()).toEqual(['nominatim:n ambiguous', 'wikidata:Q1 ambiguous']);
      await mergeBuildings(context, id(81), id(80), null);
      expect([await idOf('wikidata:Q1'), await idOf('nominatim:n')]).toEqual([id(80), id(80)]);
    }));

  it('a point in two buildings is assigned once a line of a file merges them', () =>
    inRegistry(async ({ ingest, idOf }) => {
      const overlapping = plateau('b', shape([25, 10, 60, 30]), {}, { building: id(81) });
      const place = record('nominatim', 'n', { postcode: '100-0005' }, { geometry: point(27, 20) });
      await ingest(...HERE, osm('a', TOWER, {}, { building: id(80) }), overlapping, place);
      await ingest({ kind: 'merge', from: id(81), into: id(80), reason: null });
      expect(await idOf('nominatim:n')).toBe(id(80));
    }));

  const [LON, LAT] = at(500, 500);
  const FAR = { ...OFFICE, P625: [coordinates(LAT, LON)] };
  const DISTRICT = entity(
    'Q300',
    { ja: '丸の内地区', en: 'Marunouchi complex' },
    { P31: [ref('Q1497364')], P17: [ref('Q17')], P571: [time('+1999-00-00', 9)], P527: [ref('Q2')] },
  );
  const ingestItems = async ({ context, dir }: Town, retrievedAt: string, ...entities: ReturnType<typeof entity>[]) => {
    const file = join(dir, `items-${retrievedAt.slice(0, 7)}.json`);
    writeFileSync(file, JSON.stringify({ entities: Object.fromEntries(entities.map((e) => [e.id, e])) }));
    await ingestFiles(context, 'wikidata', [file], { retrievedAt });
  };
  const yearOf = async ({ storage, idOf }: Town, key: string) =>
    (await pageOf(storage, (await idOf(key)) as string))?.fields.yearBuilt;

  it('a Wikidata item is assigned by its OSM ID, and the building inherits missing values from its complex', () =>
    inRegistry(async (town) => {
      const { ingest, idOf, leftOut, storage } = town;
      const entities = [
        entity('Q1', { ja: '塔' }, { ...FAR, P402: [text('11')], P361: [ref('Q300')] }),
        entity('Q2', { ja: '館' }, { ...FAR, P10689: [text('12')] }),
        entity('Q3', { ja: '無' }, { ...FAR, P10689: [text('99')] }),
        DISTRICT,
      ];
      await ingestItems(town, '2026-01-01T00:00:00Z', ...entities);
      expect(await leftOut()).toEqual(['Q1', 'Q2', 'Q3', 'Q300'].map((name) => `wikidata:${name} unmatched`));
      await ingest(...HERE, osm('relation/11', TOWER), osm('way/12', BESIDE));
      expect(await idOf('wikidata:Q1')).toBe(await idOf('osm:relation/11'));
      expect(await idOf('wikidata:Q2')).toBe(await idOf('osm:way/12'));
      expect(await leftOut()).toContain('wikidata:Q3 unmatched');
      for (const building of ['osm:relation/11', 'osm:way/12']) {
        expect(await yearOf(town, building)).toMatchObject({
          value: 1999,
          estimated: true,
          provenance: { extractionMethod: 'inherited-complex' },
          inheritedFrom: { nameJa: '丸の内地区' },
        });
      }
      const before = await registryState(storage);
      await ingestItems(town, '2026-01-01T00:00:00Z', ...entities);
      expect(await registryState(storage)).toBe(before);
    }));

  it('an item without its former OSM ID is unassigned, and the building no longer inherits from its complex', () =>
    inRegistry(async (town) => {
      const { ingest, idOf } = town;
      const named = { ...FAR, P402: [text('11')] };
      await ingest(...HERE, osm('relation/11', TOWER), osm('way/12', BESIDE));
      const part = entity('Q1', { ja: '塔' }, { ...named, P361: [ref('Q300')] });
      await ingestItems(town, '2026-01-01T00:00:00Z', part, DISTRICT);
      expect(await yearOf(town, 'osm:relation/11')).toMatchObject({ value: 1999 });

      await ingestItems(town, '2026-02-01T00:00:00Z', entity('Q1', { ja: '塔' }, named));
      expect(await idOf('wikidata:Q1')).toBe(await idOf('osm:relation/11'));
      expect(await yearOf(town, 'osm:relation/11')).toBeUndefined();

      await ingestItems(town, '2026-03-01T00:00:00Z', entity('Q1', { ja: '塔' }, { ...FAR, P10689: [text('12')] }));
      expect(await idOf('wikidata:Q1')).toBe(await idOf('osm:way/12'));
      await ingestItems(town, '2026-04-01T00:00:00Z', entity('Q1', { ja: '塔' }, FAR));
      expect(await idOf('wikidata:Q1')).toBeUndefined();
    }));

  it('a building inherits from a complex once an item of it is assigned', () =>
    inRegistry(async (town) => {
      const { ingest } = town;
      await ingestItems(town, '2026-01-01T00:00:00Z', DISTRICT);
      await ingestItems(town, '2026-02-01T00:00:00Z', entity('Q2', { ja: '館' }, { ...FAR, P10689: [text('12')] }));
      await ingest(...HERE, osm('way/12', BESIDE));
      expect(await yearOf(town, 'osm:way/12')).toMatchObject({ value: 1999 });
      await ingest(osm('way/12', BESIDE, { yearBuilt: 1990 }, later(2)), item('Q7', point(50, 20), { nameJa: 'x' }));
      expect(await yearOf(town, 'osm:way/12')).toMatchObject({ value: 1999 });
    }));
});

onBothEngines('the area of a building', (fresh) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);
  const areaOf = async ({ storage, idOf }: Town, key: string) => {
    const building = await idOf(key);
    return building === undefined ? undefined : (await pageOf(storage, building))?.location.machiAza.code;
  };
  const halves = [
    { ...AREAS[2], boundary: polygon(box(-1000, -1000, 0, 1000)) },
    { ...AREAS[3], boundary: polygon(box(0, -1000, 1000, 1000)) },
  ];

  it('is the one whose boundary contains the centre of its footprint, whatever its address', () =>
    inRegistry(async (town) => {
      await town.ingest(
        ...AREAS.slice(0, 2),
        ...halves,
        osm('a', shape([-30, 10, 20, 30]), { addressJa: address('2-1-1') }),
      );
      expect(await areaOf(town, 'osm:a')).toBe(AREA);
      await town.ingest(plateau('b', shape([-10, 10, 20, 30])));
      expect(await areaOf(town, 'osm:a')).toBe(OTHER_AREA);
    }));

  it('without boundaries is the one that its address names', () =>
    inRegistry(async (town) => {
      await town.ingest(...AREAS, osm('a', shape([10, 10, 30, 30]), { addressJa: address('二丁目1番1号') }));
      expect(await areaOf(town, 'osm:a')).toBe(OTHER_AREA);
      await town.ingest(
        ...halves.map((area) => ({ ...area, boundary: polygon(box(-1000, -1000, 1000, 1000)) })).slice(0, 1),
      );
      expect(await areaOf(town, 'osm:a')).toBe(AREA);
    }));

  it('otherwise is that of the nearest point within 2 km, in the municipality that its address names', () =>
    inRegistry(async (town) => {
      const { ingest, putPoint, leftOut } = town;
      const elsewhere = [
        { ...AREAS[1], code: '13102', slug: 'chuo-ku', nameJa: '中央区', nameEn: 'Chuo-ku' },
        { ...AREAS[2], code: '131020001001', parent: '13102', slug: 'yaesu-1-chome', nameJa: '八重洲1丁目' },
      ];
      await ingest(...AREAS, ...elsewhere);
      await putPoint(AREA, 500, 20);
      await putPoint(OTHER_AREA, 600, 20);
      await putPoint('131020001001', 100, 20);
      await ingest(
        osm('a', shape([10, 10, 30, 30])),
        osm('b', shape([40, 10, 60, 30]), { addressJa: '東京都千代田区某所1' }),
        osm('c', shape([-3000, 10, -2980, 30])),
      );
      expect(await areaOf(town, 'osm:a')).toBe('131020001001');
      expect(await areaOf(town, 'osm:b')).toBe(AREA);
      expect(await leftOut()).toEqual(['osm:c unplaced']);
    }));

  it('is determined again when areas are added, so their order does not matter', () =>
    inRegistry(async (town) => {
      const { ingest, putPoint, context, storage } = town;
      await ingest(...AREAS.slice(0, 3));
      await putPoint(AREA, 500, 20);
      await ingest(
        osm('a', shape([10, 10, 30, 30])),
        osm('b', shape([40, 10, 60, 30]), { addressJa: address('2-1-1') }),
      );
      expect([await areaOf(town, 'osm:a'), await areaOf(town, 'osm:b')]).toEqual([AREA, AREA]);
      await ingest(...AREAS.slice(3));
      expect(await areaOf(town, 'osm:b')).toBe(OTHER_AREA);
      const before = await registryState(storage);
      await republish(context, true);
      expect(await registryState(storage)).toBe(before);
    }));
});
