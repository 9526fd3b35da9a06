import { afterAll, expect, it } from 'vitest';
import { Areas } from '../../src/registry/areas.ts';
import type { Position } from '../../src/vocabulary/geometry.ts';
import { tableOf } from '../sources/abr/tables.ts';
import { squareAt } from '../sources/estat/shapefiles.ts';
import { onBothEngines } from '../support/engines.ts';
import { countsIn, IngestPlace } from '../support/ingest-place.ts';

const places: IngestPlace[] = [];
afterAll(() => {
  for (const place of places) place.remove();
});

const OSAKA = { pref: '大阪府', pref_roma: 'Osaka', city: '大阪市', city_roma: 'Osaka-shi' };
const WARDS = [
  { ...OSAKA, lg_code: '271276', ward: '北区', ward_roma: 'Kita-ku' },
  { ...OSAKA, lg_code: '271063', ward: '西区', ward_roma: 'Nishi-ku' },
];
const feature = (code: string, ring: Position[]) => ({
  ...{ type: 'Feature', properties: { N03_003: '大阪市', N03_004: '区', N03_007: code } },
  geometry: { type: 'Polygon', coordinates: [ring] },
});
const n03 = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });
/** Two wards that overlap in a strip, an island of one, and a ward that no table has. */
const FILE = n03(
  feature('27127', squareAt(135.49, 34.7)),
  feature('27106', squareAt(135.499, 34.7)),
  feature('27127', squareAt(135.7, 34.2)),
  feature('27999', squareAt(135.6, 34.9)),
);
const ASKED: Position[] = [
  [135.492, 34.705],
  [135.505, 34.705],
  [135.4995, 34.705],
  [135.705, 34.205],
  [135.605, 34.905],
  [135.8, 34.8],
];

onBothEngines('the municipality of a location', (freshDatabase, engine) => {
  it('is decided by the boundaries of N03, in any order of tables, if exactly one contains it', async () => {
    const place = new IngestPlace(engine === 'postgres' ? (await freshDatabase()).url : undefined);
    places.push(place);
    const file = place.write('n03', { 'N03-27.geojson': FILE });
    const found = () =>
      place.read(async ({ db }) => {
        const areas = await Areas.load(db);
        return Promise.all(ASKED.map((position) => areas.locateMunicipality(db, position)));
      });
    const first = await place.ingest('estat', file, '--retrieved-at', '2026-01-01T00:00:00Z');
    expect(countsIn(first.stdout, file)).toMatchObject({ read: 3, new: 3, matched: 0, unmatched: 3 });
    const tables = {
      'mt_pref.csv': tableOf('pref', [{ lg_code: '270008', pref: '大阪府', pref_roma: 'Osaka' }]),
      'mt_city.csv': tableOf('city', WARDS),
    };
    await place.ingest('abr', place.write('abr', tables));
    expect(await found()).toEqual(['27127', '27106', undefined, '27127', undefined, undefined]);
    expect((await place.run('unmatched', '--source', 'estat')).stdout).toContain('27999/N03');

    const later = place.write('later', { 'N03-27.geojson': n03(feature('27127', squareAt(135.8, 34.795))) });
    await place.ingest('estat', later, '--retrieved-at', '2026-02-01T00:00:00Z');
    expect(await found()).toEqual([undefined, '27106', '27106', undefined, undefined, '27127']);
    const again = await place.ingest('estat', file);
    expect(countsIn(again.stdout, file)).toMatchObject({ read: 3, changed: 0, unchanged: 3 });
    expect((await found())[5]).toBe('27127');
  });
});
