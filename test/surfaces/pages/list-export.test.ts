import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import type { Feature, FeatureCollection, Polygon, Position } from 'geojson';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Registry } from '../../../src/registry/registry.ts';
import { EXPORT_LIMIT } from '../../../src/surfaces/pages/list/export-list.ts';
import type { BuildingPage } from '../../../src/vocabulary/building-page.ts';
import { FIELDS, type FieldDefinition, SCALAR_FIELDS } from '../../../src/vocabulary/fields.ts';
import { ok } from '../../../src/vocabulary/result.ts';
import { onBothEngines } from '../../support/engines.ts';
import { expectPageConventions } from '../../support/page-answers.ts';
import { AREA, AREAS, building, id, type Json, OTHER_AREA, record } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';
import { emptyRegistry, serverOn } from '../../support/serving.ts';
import { listening } from '../../support/wire.ts';

const HOSTILE = [
  '=HYPERLINK("https://evil.example","x")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '＝1+1',
  'quote " comma , semicolon ;',
  'two\r\nlines',
  '<script>alert(1)</script>',
  ' edges ',
  '["json"]',
  'x'.repeat(5_000),
];

/** More than one batch, and enough for several pages. */
const COUNT = 70;
const LINES: Json[] = [
  ...AREAS,
  ...Array.from({ length: COUNT }, (_, i) => [
    building(
      i + 1,
      {
        nameJa: HOSTILE[i] ?? `第${i}ビル`,
        ...(i % 3 === 0 && { nameEn: `Tower ${i}` }),
        ...(i % 2 === 0 && { heightM: 10 + i / 10, floorsAbove: i % 7 }),
        footprintM2: 100 + (i % 5),
        aliases: [`別名${i}`, HOSTILE[i] ?? 'alias'],
        assetTypes: i % 4 === 0 ? ['office', 'retail'] : 'apartments',
      },
      { area: i % 5 === 0 ? OTHER_AREA : AREA },
    ),
    record('wikidata', `Q${i}`, { heightM: 12, yearBuilt: 1950 + i }, { building: id(i + 1) }),
  ]).flat(),
  record('osm', 'node/90', { nameJa: '位置なし' }, { building: id(90), area: AREA }),
];

const QUERIES = [
  '',
  '?sort=name',
  '?sort=height',
  '?sort=built&has=yearBuilt',
  '?sort=floors&floorsMin=2&type=office',
  '?q=ビル&sort=footprint',
  '?prefecture=tokyo&ward=chiyoda-ku&machiAza=marunouchi-2-chome',
  '?has=noConflict&builtMin=1980&builtMax=1999',
  '?q=nothing-has-this',
  '?prefecture=nowhere&page=3',
];

type Row = Record<string, string>;

const readCsv = (body: string) => parse(body, { bom: true, columns: true }) as Row[];
/** CSV-04: a cell that a spreadsheet might take for a formula begins with an apostrophe. */
const inert = (text: string) =>
  /^(?:[\t\r\n]|[\s"]*[=+\-@＝])/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;

onBothEngines('files of lists', (fresh) => {
  let served: ServedRegistry;
  let records: Map<string, BuildingPage>;

  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    await served.ingest(LINES);
    const ids = [...Array.from({ length: COUNT }, (_, i) => id(i + 1)), id(90)];
    records = new Map((await served.readAll(ids)).map(({ page }) => [page.id, page]));
  });
  afterAll(() => served.close());

  /** The buildings of all pages of a list, in order. */
  async function pagedIds(query: string): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; page <= 10; page++) {
      const url = `/japan/areas?${query.slice(1)}${query === '' ? '' : '&'}page=${page}`;
      const found = [...(await served.get(url)).body.matchAll(/<h3><a href="[^"]*\/(ASSET-JP-[\d-]+)"/g)];
      const some = found.map(([, id]) => id as string);
      if (some.length === 0 || ids.includes(some[0] as string)) break;
      ids.push(...some);
    }
    return ids;
  }

  it.each(QUERIES)('UI-61 have the buildings of the list in its order: %s', async (query) => {
    const expected = await pagedIds(query.replace('&page=3', ''));
    const csv = await served.get(`/japan/areas.csv${query}`);
    const geojson = await served.get(`/japan/areas.geojson${query}`);
    expect([csv.status, geojson.status]).toEqual([200, 200]);
    expect(readCsv(csv.body).map((row) => row.id)).toEqual(expected);
    const { features, ...head } = JSON.parse(geojson.body) as FeatureCollection & Json;
    expect(features.map((feature) => feature.id)).toEqual(expected);
    expect(head).toMatchObject({ numberMatched: expected.length, numberReturned: expected.length });
    for (const { headers } of [csv, geojson]) {
      expect([headers['x-total-count'], headers['x-returned-count']].map(Number)).toEqual([
        expected.length,
        expected.length,
      ]);
    }
  });

  it('UI-61 as CSV, have the values of the API with their evidence, units in the header', async () => {
    const { body, headers } = await served.get('/japan/areas.csv');
    expect(body.startsWith('\ufeffid,nameJa,nameEn,addressJa,')).toBe(true);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toBe(
      `attachment; filename="tatemono-japan.csv"; filename*=UTF-8''tatemono-japan.csv`,
    );
    const rows = readCsv(body);
    expect(rows).toHaveLength(records.size);
    for (const row of rows) {
      const { fields, location, assetTypes, aliases, counters, path } = records.get(row.id as string) as BuildingPage;
      expect(row).toMatchObject({
        prefecture: location.prefecture.nameJa,
        areaCode: location.machiAza.code,
        categories: assetTypes.map(({ category }) => category).join(';'),
        lat: String(location.lat ?? ''),
        lon: String(location.lon ?? ''),
        aliases: aliases.length === 0 ? '' : JSON.stringify(aliases.map(({ value }) => value)),
        conflictsFlagged: String(counters.conflictsFlagged),
        path,
      });
      for (const name of SCALAR_FIELDS) {
        const field = fields[name];
        const { unit } = FIELDS[name] as FieldDefinition;
        const inUnit = (column: string) => (unit === null ? column : `${column} (${unit})`);
        expect([name, row[inUnit(name)]]).toEqual([name, inert(String(field?.value ?? ''))]);
        expect(row).toMatchObject({
          [`${name}_source`]: field?.provenance.source ?? '',
          [`${name}_confidence`]: String(field?.provenance.confidence ?? ''),
          [`${name}_retrieved_at`]: field?.provenance.retrievedAt ?? '',
          [inUnit(`${name}_conflict_value`)]: inert(String(field?.conflict?.value ?? '')),
          [`${name}_conflict_source`]: field?.conflict?.source ?? '',
        });
      }
    }
  });

  it('UI-61 as GeoJSON, have the same values, and valid geometries', async () => {
    const { body, headers } = await served.get('/japan/areas.geojson');
    expect(headers['content-type']).toBe('application/geo+json');
    const { features, ...head } = JSON.parse(body) as FeatureCollection & Json;
    expect(head).not.toHaveProperty('crs');
    const csv = new Map(readCsv((await served.get('/japan/areas.csv')).body).map((row) => [row.id, row]));
    for (const { id, properties, geometry } of features as Feature[]) {
      const record = records.get(String(id)) as BuildingPage;
      expect(geometry).toEqual(record.geometry);
      for (const [column, cell] of Object.entries(csv.get(String(id)) as Row)) {
        const value = properties?.[column.replace(/ \(.*\)$/, '')];
        const text = Array.isArray(value) ? JSON.stringify(value) : String(value ?? '');
        expect([column, cell]).toEqual([column, inert(text)]);
      }
    }
    const rings = features.flatMap(({ geometry }) => (geometry as Polygon | null)?.coordinates ?? []);
    expect(rings.length).toBe(COUNT);
    // RFC 7946: exterior rings are closed and counterclockwise.
    for (const ring of rings) {
      expect(ring.at(-1)).toEqual(ring[0]);
      expect(signedArea(ring)).toBeGreaterThan(0);
    }
  });

  it('ATT-05 have the credits of each building in the last column, and those of all buildings with the collection', async () => {
    const { body } = await served.get('/japan/areas.csv');
    expect(body.slice(0, body.indexOf('\r\n')).split(',').at(-1)).toBe('attribution');
    const rows = readCsv(body);
    for (const row of rows) {
      const { attribution } = records.get(row.id as string) as BuildingPage;
      const lines = JSON.parse(row.attribution as string) as string[];
      expect(lines.map((line) => line.split(':')[0])).toEqual(attribution.map(({ source }) => source));
      for (const [i, { credit, licence }] of attribution.entries()) {
        expect(lines[i]).toContain(credit);
        expect(lines[i]).toContain(licence);
      }
    }
    expect(rows[0]?.attribution).toContain(
      '"osm: © OpenStreetMap contributors (ODbL 1.0, https://opendatacommons.org/licenses/odbl/1-0/)"',
    );
    const all = JSON.parse((await served.get('/japan/areas.geojson')).body) as FeatureCollection & Json;
    const expected = [...records.values()].flatMap(({ attribution }) => attribution);
    const once = [...new Map(expected.map((each) => [each.source, each])).values()];
    expect(all.attribution).toHaveLength(once.length);
    expect(all.attribution).toEqual(expect.arrayContaining(once));
    const none = JSON.parse((await served.get('/japan/areas.geojson?q=nothing-has-this')).body) as FeatureCollection &
      Json;
    expect(none).toMatchObject({ features: [], attribution: [] });
  });

  it('UI-61 a building without an outline or coordinates has no geometry', async () => {
    const { features } = JSON.parse((await served.get('/japan/areas.geojson?q=位置なし')).body) as FeatureCollection;
    expect(features).toMatchObject([{ id: id(90), geometry: null }]);
  });

  it.each(['csv', 'geojson'])('UI-61 are answered like pages: HEAD, ETag, 405 (%s)', async (form) => {
    const answer = await expectPageConventions(served, `/japan/areas.${form}`);
    expect(answer.headers.vary).toBe('Accept-Encoding');
  });

  it('UI-61 change their ETag with a record', async () => {
    const before = await served.get('/japan/areas.csv?q=第30ビル');
    await served.ingest([record('mankan', 'm31', { unitCount: 3 }, { building: id(31) })]);
    const after = await served.get('/japan/areas.csv?q=第30ビル');
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(readCsv(after.body)).toMatchObject([{ unitCount: '3' }]);
  });
});

const RECORD = Buffer.from(
  JSON.stringify({
    ...{ id: id(1), path: '/japan/tokyo', assetTypes: [], fields: {}, aliases: [], geometry: null, history: [] },
    location: { lat: null, lon: null, prefecture: {}, ward: {}, machiAza: {} },
    ...{ counters: { conflictsFlagged: 0 }, attribution: [] },
  }),
);

it('UI-61 have at most 10,000 buildings, and say how many there are', async () => {
  const asked: [number, number][] = [];
  const listRecords: Registry['listRecords'] = async ({ page }, most) => {
    asked.push([page, most]);
    const records = Readable.from([Array.from({ length: most }, () => RECORD)], { objectMode: true });
    return ok({ tag: 'a', total: 25_000, count: most, records, release() {} });
  };
  const app = serverOn({ ...emptyRegistry, listRecords });
  const csv = await app.inject({ url: '/japan/areas.csv?page=7' });
  expect(readCsv(csv.body)).toHaveLength(10_000);
  expect([csv.headers['x-total-count'], csv.headers['x-returned-count']]).toEqual(['25000', '10000']);
  const geojson = JSON.parse((await app.inject({ url: '/japan/areas.geojson' })).body) as FeatureCollection & Json;
  expect(geojson).toMatchObject({ numberMatched: 25_000, numberReturned: 10_000 });
  expect(geojson.features).toHaveLength(10_000);
  expect(asked).toEqual([
    [1, EXPORT_LIMIT],
    [1, EXPORT_LIMIT],
  ]);
  await app.close();
});

it.each(['csv', 'geojson'])('UI-61 are sent while they are read (%s)', async (form) => {
  const { promise: isReceived, resolve: received } = Promise.withResolvers<void>();
  async function* records() {
    yield [RECORD];
    // The rest is read when the client has the first building.
    await isReceived;
    yield [RECORD];
  }
  const listRecords: Registry['listRecords'] = async () =>
    ok({ tag: 'a', total: 2, count: 2, records: records(), release() {} });
  await listening(serverOn({ ...emptyRegistry, listRecords }), async (port) => {
    // Compression would hold back so few bytes.
    const headers = { 'accept-encoding': 'identity' };
    const { body } = await fetch(`http://127.0.0.1:${port}/japan/areas.${form}`, { headers });
    let text = '';
    for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes(id(1))) received();
    }
    expect(text.split(id(1)).length - 1).toBeGreaterThanOrEqual(2);
  });
});

function signedArea(ring: readonly Position[]): number {
  return ring.slice(1).reduce((sum, [x = 0, y = 0], i) => {
    const [px = 0, py = 0] = ring[i] as Position;
    return sum + px * y - x * py;
  }, 0);
}
