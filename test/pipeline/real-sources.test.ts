import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IngestSource } from '../../src/pipeline/adapters.ts';
import { expandText } from '../../src/storage/compact/compact.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { tableOf } from '../sources/abr/tables.ts';
import type { Finished } from '../support/command.ts';
import { countsIn, IngestPlace } from '../support/ingest-place.ts';
import { osmXml, squareXml } from '../support/osm-xml.ts';
import { pageOf } from '../support/registry-state.ts';
import { hasRealData, REAL_DATA } from '../support/source-files.ts';
import { cityGml, squareRing } from '../support/write-citygml.ts';

/** Machi-aza that the real tables lack. */
const TOWNS = [
  ['131032', '港区', 'Minato-ku', '0901004', '芝公園', 'Shibakoen', '4', 139.7454, 35.6586],
  ['131032', '港区', 'Minato-ku', '0902001', '台場', 'Daiba', '1', 139.7757, 35.6298],
  ['131032', '港区', 'Minato-ku', '0902002', '台場', 'Daiba', '2', 139.7745, 35.6268],
  ['131113', '大田区', 'Ota-ku', '0903003', '南六郷', 'Minamirokugo', '3', 139.714, 35.5415],
  ['131016', '千代田区', 'Chiyoda-ku', '0904001', '有楽町', 'Yurakucho', '1', 139.7606, 35.6753],
] as const;
const townRows = TOWNS.map(([lg_code, city, city_roma, machiaza_id, oaza_cho, oaza_cho_roma, chome_number]) => ({
  ...{ lg_code, pref: '東京都', pref_roma: 'Tokyo', city, city_roma, machiaza_id, oaza_cho, oaza_cho_roma },
  ...{ chome: `${chome_number}丁目`, chome_number, rsdt_addr_flg: '1' },
}));
const townPoints = TOWNS.map(([lg_code, , , machiaza_id, , , , rep_lon, rep_lat]) => ({
  ...{ lg_code, machiaza_id, rsdt_addr_flg: '1', rep_srid: 'EPSG:6668' },
  ...{ rep_lon: String(rep_lon), rep_lat: String(rep_lat) },
}));

/** The real response has only the centre of the tower; the footprint is made up. */
const TOWER = squareRing(139.7449, 35.6582, 90);
const BUNKYO = [
  '本郷四丁目14番10号',
  '千石四丁目6番17号',
  '小石川一丁目12番16号',
  '湯島三丁目20番12号',
  '千駄木三丁目49番1号',
];

describe.skipIf(!hasRealData)('the real files of all sources in one registry', () => {
  let place: IngestPlace;
  beforeAll(() => {
    place = new IngestPlace();
  });
  afterAll(() => place.remove());
  const ended = new Map<string, Finished>();
  const real = (source: IngestSource) => join(REAL_DATA, source);
  const ingest = async (source: IngestSource, ...paths: string[]) => {
    const finished = await place.ingest(source, ...paths, '--retrieved-at', '2026-09-01T00:00:00Z');
    ended.set(source, finished);
    return finished;
  };
  const residences = async (): Promise<{ lat: number; lon: number }[]> =>
    place.read(async ({ db }) => {
      const found: { lat: number; lon: number }[] = [];
      for (const address of BUNKYO) {
        const rows = await db
          .selectFrom('source_record as r')
          .innerJoin('statement as s', 's.record', 'r.id')
          .select(['r.lat', 'r.lon', 's.body'])
          .where('r.source', '=', 'abr')
          .execute();
        const named = rows.filter(({ body }) => expandText(body).includes(`東京都文京区${address}`));
        expect([address, named.length]).toEqual([address, 1]);
        found.push(named[0] as { lat: number; lon: number });
      }
      return found;
    });
  const pageOfRecord = async (key: string): Promise<BuildingPage | undefined> =>
    place.read(async (storage) => {
      const row = await storage.db
        .selectFrom('source_record')
        .select('building')
        .where('key', '=', key)
        .executeTakeFirst();
      if (row?.building == null) return undefined;
      const text = String(row.building).padStart(10, '0');
      return pageOf(storage, `ASSET-JP-${text.slice(0, 2)}-${text.slice(2)}`);
    });

  beforeAll(async () => {
    const towns = place.write('towns', {
      'towns.csv': tableOf('town', townRows),
      'points.csv': tableOf('townPos', townPoints),
    });
    await ingest('abr', real('abr'), towns);
    await ingest('estat', real('estat'));
    const squares = (await residences()).map(({ lon, lat }, i) => {
      const half = 0.00002;
      const tags = { building: 'apartments' };
      return squareXml({ way: 9_000_001 + i, west: lon - half, south: lat - half, size: half * 2, tags });
    });
    await ingest('plateau', real('plateau'), place.file('tower.gml', cityGml([{ id: 'tower', outline: [TOWER] }])));
    await ingest('osm', real('osm'), place.file('bunkyo.osm', osmXml(...squares)));
    for (const source of ['wikidata', 'nominatim', 'edinet', 'jreit', 'greenbuilding'] as const) {
      await ingest(source, real(source));
    }
  });

  it.each<[IngestSource, number, object]>([
    ['abr', 0, { read: 37_060, rejected: 0 }],
    ['estat', 0, { read: 300, new: 300, matched: 72, unmatched: 228, rejected: 0 }],
    ['plateau', 0, { read: 181, new: 181, matched: 26, unmatched: 155, rejected: 0 }],
    ['osm', 0, { read: 90, rejected: 0 }],
    ['wikidata', 1, { read: 2, new: 1, matched: 1, rejected: 1 }],
    ['nominatim', 1, { read: 4, new: 3, rejected: 1 }],
    ['edinet', 0, { read: 0, rejected: 0 }],
    ['jreit', 1, { read: 159, new: 77, matched: 5, unmatched: 72, rejected: 82 }],
    ['greenbuilding', 0, { read: 20, new: 20, rejected: 0 }],
  ])('%s ends with %i, and is counted', (source, code, counts) => {
    const { stdout, stderr, code: exit } = ended.get(source) as Finished;
    expect(stderr).not.toMatch(/^\s+at /m);
    expect([exit, countsIn(stdout, real(source))]).toMatchObject([code, counts]);
  });

  it('Tokyo Tower is one building of OSM and Wikidata in 芝公園四丁目', async () => {
    const page = await pageOfRecord('wikidata:Q183536');
    expect(page?.sources.map(({ source, sourceRecordId }) => `${source}:${sourceRecordId}`)).toEqual(
      expect.arrayContaining(['osm:relation/4247312', 'wikidata:Q183536']),
    );
    expect(page?.fields.heightM).toMatchObject({
      ...{ value: 332.6, provenance: { source: 'wikidata' }, conflict: { value: 333, source: 'osm' } },
    });
    expect(page?.fields.yearBuilt?.value).toBe(1958);
    expect(page?.aliases.map(({ value }) => value)).toContain('日本電波塔');
    expect(page?.location.machiAza.nameJa).toBe('芝公園四丁目');
  });

  it('Ota: footprints of PLATEAU and OSM are one building where they overlap', async () => {
    const joined = await place.read(async ({ db }) => {
      const rows = await db
        .selectFrom('source_record')
        .select(['building', 'source'])
        .where('source', 'in', ['osm', 'plateau'])
        .where('lat', '<', 35.5423)
        .where('lat', '>', 35.5407)
        .where('building', 'is not', null)
        .execute();
      const of = (source: string) => new Set(rows.filter((row) => row.source === source).map((row) => row.building));
      return [...of('plateau')].filter((building) => of('osm').has(building)).length;
    });
    expect(joined).toBe(10);
  });

  it('Bunkyo: each of five addresses of REITs finds its residence and its building', async () => {
    const names = [
      'プライムメゾン本郷',
      'エスティメゾン千石',
      'KDX文京小石川ビル',
      'プライムメゾン湯島',
      'エスティメゾン千駄木',
    ];
    for (const [i, name] of names.entries()) {
      const page = await pageOfRecord(`osm:way/${9_000_001 + i}`);
      expect([name, page?.fields.nameJa?.value, page?.fields.nameJa?.provenance.source]).toEqual([name, name, 'jreit']);
    }
  });
});
