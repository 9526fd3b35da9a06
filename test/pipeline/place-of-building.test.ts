import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printStatus } from '../../src/cli/status.ts';
import { ingest } from '../../src/pipeline/run.ts';
import type { Geometry } from '../../src/vocabulary/geometry.ts';
import { at, polygon, box as ring } from '../matching/grid.ts';
import { onBothEngines } from '../support/engines.ts';
import { inTown, later, osm, plateau, type Rect, shape, type Town } from '../support/matching-registry.ts';
import { AREA, AREAS, type Json, OTHER_AREA } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';
import { cityGml, squareRing } from '../support/write-citygml.ts';

const ward = (code: string, nameJa: string): Json => ({
  ...AREAS[1],
  ...{ code, parent: code.slice(0, 2), slug: `ward-${code}`, nameJa, nameEn: null },
});
const machiAza = (code: string, nameJa: string): Json => ({
  ...AREAS[2],
  ...{ code, parent: code.slice(0, 5), slug: `area-${code}`, nameJa, nameEn: null },
});
const KANAGAWA: Json[] = [
  { ...AREAS[0], code: '14', slug: 'kanagawa', nameJa: '神奈川県', nameEn: 'Kanagawa' },
  ward('14130', '川崎市'),
  ward('14131', '川崎市川崎区'),
  machiAza('141310001001', '本町1丁目'),
  machiAza('141310001002', '本町2丁目'),
  ward('14132', '川崎市幸区'),
  machiAza('141320001000', '大宮町'),
];
const KAWASAKI = '141310001001';
const SAIWAI = '141320001000';
/** Steps of the grid to Rokugo, where the Tama separates Tokyo and Kanagawa (139.70, 35.54). */
const [DX, DY] = [-6_250, -13_500];
const drawn = ([west, south, east, north]: Rect): Geometry => shape([west + DX, south + DY, east + DX, north + DY]);
const around = (west: number, south: number, east: number, north: number) =>
  polygon(ring(west + DX, south + DY, east + DX, north + DY));
/** A hundred metres from a point of Tokyo. */
const HOUSE = drawn([10, 10, 30, 30]);

onBothEngines('the place of a building', (fresh) => {
  const inRegistry = async (work: (town: Town) => Promise<void>) => inTown(await fresh(), work);
  /** Tokyo's point is near, those of Kanagawa are farther away. */
  const atBorder = (work: (town: Town) => Promise<void>) =>
    inRegistry(async (town) => {
      await town.ingest(...AREAS, ...KANAGAWA);
      await town.putPoint(AREA, 100 + DX, 20 + DY);
      await town.putPoint(KAWASAKI, 900 + DX, 20 + DY);
      await town.putPoint('141310001002', 5_000 + DX, 20 + DY);
      await town.putPoint(SAIWAI, -8_000 + DX, 20 + DY);
      await work(town);
    });
  const placeOf = async ({ storage, idOf }: Town, key: string) => {
    const id = await idOf(key);
    if (id === undefined) return undefined;
    return `${id.slice(9, 11)} ${(await pageOf(storage, id))?.location.machiAza.code}`;
  };
  const statusOf = async ({ storage, dir }: Town) => {
    const lines: string[] = [];
    await printStatus(storage, dir, (line) => lines.push(line));
    return lines.find((line) => line.startsWith('placed by'));
  };

  it('PLC-01 is in the municipality that its ID names, at the nearest of its points', () =>
    atBorder(async (town) => {
      await town.ingest(
        plateau('14131-bldg-1', HOUSE),
        plateau('14131-bldg-2', drawn([6_000, 10, 6_020, 30])),
        plateau('14132-bldg-3', drawn([60, 10, 80, 30])),
      );
      expect(await placeOf(town, 'plateau:14131-bldg-1')).toBe(`14 ${KAWASAKI}`);
      expect(await placeOf(town, 'plateau:14131-bldg-2')).toBe('14 141310001002');
      expect(await placeOf(town, 'plateau:14132-bldg-3')).toBe(`14 ${SAIWAI}`);
    }));

  it('PLC-01 is in the nearest ward of the city that its ID names, even if its own ward no longer exists', () =>
    atBorder(async (town) => {
      await town.ingest(plateau('14130-bldg-1', HOUSE), plateau('14139-bldg-2', drawn([-7_000, 10, -6_980, 30])));
      expect(await placeOf(town, 'plateau:14130-bldg-1')).toBe(`14 ${KAWASAKI}`);
      expect(await placeOf(town, 'plateau:14139-bldg-2')).toBe(`14 ${SAIWAI}`);
    }));

  it('PLC-01 its address decides the machi-aza inside the municipality only', () =>
    atBorder(async (town) => {
      await town.ingest(
        plateau('14131-bldg-1', HOUSE, { addressJa: '神奈川県川崎市川崎区本町2丁目3番' }),
        plateau('14131-bldg-2', drawn([60, 10, 80, 30]), { addressJa: '東京都千代田区丸の内1丁目3番' }),
      );
      expect(await placeOf(town, 'plateau:14131-bldg-1')).toBe('14 141310001002');
      expect(await placeOf(town, 'plateau:14131-bldg-2')).toBe(`14 ${KAWASAKI}`);
    }));

  it('PLC-01 a boundary that contains it outranks what a record states', () =>
    atBorder(async (town) => {
      await town.ingest(plateau('14131-bldg-1', HOUSE));
      await town.ingest({ ...AREAS[2], boundary: around(-50, -50, 50, 50) });
      // The ID stays that of the prefecture it was minted for (ID-05).
      expect(await placeOf(town, 'plateau:14131-bldg-1')).toBe(`14 ${AREA}`);
    }));

  it('PLC-01 the boundary of a municipality applies if no other is stated, and decides the ward of a stated city', () =>
    atBorder(async (town) => {
      await town.ingest(
        osm('way/1', HOUSE),
        plateau('13101-bldg-1', drawn([40, 10, 45, 30])),
        plateau('14130-bldg-1', drawn([-45, 10, -40, 30])),
        plateau('14999-bldg-1', drawn([-30, 10, -20, 30])),
      );
      expect(await town.leftOut()).toEqual(['osm:way/1 unplaced', 'plateau:14999-bldg-1 unplaced']);
      await town.ingest({ ...ward('14132', '川崎市幸区'), boundary: around(-50, -50, 50, 50) });
      for (const key of ['osm:way/1', 'plateau:14130-bldg-1', 'plateau:14999-bldg-1']) {
        expect(await placeOf(town, key)).toBe(`14 ${SAIWAI}`);
      }
      expect(await placeOf(town, 'plateau:13101-bldg-1')).toBe(`13 ${AREA}`);
      await town.ingest(machiAza('141320002000', '堀川町'));
      await town.ingest(osm('way/1', HOUSE, { addressJa: '川崎市幸区堀川町1' }, later(2)));
      expect(await placeOf(town, 'osm:way/1')).toBe('14 141320002000');
      expect(await statusOf(town)).toMatch(/3 municipality boundary, 1 municipality in a record$/);
    }));

  it('PLC-01 the city that a tile states outranks the code in the ID', () =>
    atBorder(async (town) => {
      const file = join(town.dir, '13101_chiyoda_bldg.gml');
      const outline = (x: number) => [squareRing(...(at(x + DX, 20 + DY) as [number, number]), 10)];
      writeFileSync(
        file,
        cityGml([
          { id: '13101-bldg-1', outline: outline(10), city: '14132' },
          { id: '13101-bldg-2', outline: outline(40) },
          { id: 'no-code', outline: outline(70) },
        ]),
      );
      await ingest(town.context, 'plateau', [file]);
      expect(await placeOf(town, 'plateau:13101-bldg-1')).toBe(`14 ${SAIWAI}`);
      expect(await placeOf(town, 'plateau:13101-bldg-2')).toBe(`13 ${AREA}`);
      expect(await placeOf(town, 'plateau:no-code')).toBe(`13 ${AREA}`);
    }));

  it('PLC-02 a building between two prefectures waits, and gets its ID with better evidence', () =>
    atBorder(async (town) => {
      await town.ingest(osm('way/1', HOUSE), osm('way/2', drawn([6_000, 10, 6_020, 30])));
      expect(await town.leftOut()).toEqual(['osm:way/1 unplaced']);
      await town.ingest(plateau('14131-bldg-1', HOUSE));
      expect(await placeOf(town, 'osm:way/1')).toBe(`14 ${KAWASAKI}`);
      expect(await town.idOf('plateau:14131-bldg-1')).toBe(await town.idOf('osm:way/1'));
      expect(await placeOf(town, 'osm:way/2')).toBe('14 141310001002');
    }));

  it('PLC-02 near a border a building waits while the machi-aza of one side are not known', () =>
    inRegistry(async (town) => {
      await town.ingest(...AREAS);
      await town.putPoint(AREA, 100 + DX, 20 + DY);
      await town.putPoint(OTHER_AREA, 100, 20);
      // The second is in the middle of Tokyo.
      await town.ingest(osm('way/1', HOUSE), osm('way/2', shape([10, 10, 30, 30])));
      expect(await town.leftOut()).toEqual(['osm:way/1 unplaced']);
      expect(await placeOf(town, 'osm:way/2')).toBe(`13 ${OTHER_AREA}`);
      await town.ingest(...KANAGAWA);
      await town.putPoint(KAWASAKI, 9_000 + DX, 20 + DY);
      await town.ingest(machiAza('141310001003', '本町3丁目'));
      expect(await placeOf(town, 'osm:way/1')).toBe(`13 ${AREA}`);
    }));

  it('PLC-02 an address that names another municipality or prefecture prevents placing by the nearest point', () =>
    atBorder(async (town) => {
      await town.ingest(ward('14133', '川崎市中原区'));
      await town.ingest(
        osm('way/1', shape([10, 10, 30, 30]), { addressJa: '神奈川県川崎市中原区小杉町1' }),
        osm('way/2', HOUSE, { addressJa: '東京都某所1' }),
        osm('way/3', drawn([60, 10, 80, 30]), { addressJa: '神奈川県某所1' }),
      );
      expect(await town.leftOut()).toEqual(['osm:way/1 unplaced']);
      expect(await placeOf(town, 'osm:way/2')).toBe(`13 ${AREA}`);
      expect(await placeOf(town, 'osm:way/3')).toBe(`14 ${KAWASAKI}`);
    }));

  it('PLC-01 a machi-aza whose boundary does not contain a building is not its nearest', () =>
    inRegistry(async (town) => {
      await town.ingest(...AREAS);
      await town.putPoint(AREA, 100, 20);
      await town.putPoint(OTHER_AREA, 900, 20);
      await town.ingest(osm('way/1', shape([10, 10, 30, 30])));
      expect(await placeOf(town, 'osm:way/1')).toBe(`13 ${AREA}`);
      await town.ingest({ ...AREAS[2], boundary: polygon(ring(80, 0, 200, 100)) });
      expect(await placeOf(town, 'osm:way/1')).toBe(`13 ${OTHER_AREA}`);
    }));

  it('PLC-02 an address decides the prefecture, but not from far away', () =>
    atBorder(async (town) => {
      await town.ingest(
        osm('way/1', HOUSE, { addressJa: '神奈川県川崎市川崎区本町1丁目3番' }),
        osm('way/2', drawn([40_000, 10, 40_020, 30]), { addressJa: '川崎市川崎区本町1丁目3番' }),
      );
      expect(await placeOf(town, 'osm:way/1')).toBe(`14 ${KAWASAKI}`);
      expect(await town.leftOut()).toEqual(['osm:way/2 unplaced']);
    }));

  it('PLC-02 a building whose municipality is not known yet waits for it', () =>
    inRegistry(async (town) => {
      await town.ingest(...AREAS);
      await town.putPoint(AREA, 100 + DX, 20 + DY);
      await town.ingest(plateau('14131-bldg-1', HOUSE));
      expect(await town.leftOut()).toEqual(['plateau:14131-bldg-1 unplaced']);
      await town.ingest(...KANAGAWA);
      expect(await town.leftOut()).toEqual(['plateau:14131-bldg-1 unplaced']);
      await town.putPoint(KAWASAKI, 90_000 + DX, 20 + DY);
      await town.ingest(machiAza('141310001003', '本町3丁目'));
      expect(await placeOf(town, 'plateau:14131-bldg-1')).toBe(`14 ${KAWASAKI}`);
    }));

  it('PLC-03 status counts what placed the buildings', () =>
    atBorder(async (town) => {
      expect(await statusOf(town)).toBe('placed by        none');
      await town.ingest(
        plateau('14131-bldg-1', HOUSE),
        osm('way/1', drawn([60, 10, 80, 30]), { addressJa: '東京都千代田区丸の内1丁目3番' }),
        osm('way/2', drawn([90, 10, 99, 30]), {}, { area: AREA }),
        plateau('x', drawn([-60, 10, -40, 30]), {}, { building: 'ASSET-JP-14-00000077' }),
      );
      expect(await statusOf(town)).toBe(
        'placed by        1 area code in a record, 1 municipality in a record, 1 address, 1 nearest point',
      );
      await town.ingest({ ...AREAS[2], boundary: around(5, 5, 35, 35) });
      expect(await statusOf(town)).toMatch(/1 area code in a record, 1 boundary, 1 address, 1 nearest point$/);
    }));
});
