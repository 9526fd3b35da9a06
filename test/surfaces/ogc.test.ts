import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeBuildings, retireBuilding } from '../../src/pipeline/identity-commands.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { startSearchThreads } from '../../src/registry/search/read/search-threads.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { SCALAR_FIELDS } from '../../src/vocabulary/fields.ts';
import { onBothEngines } from '../support/engines.ts';
import { expectPageConventions } from '../support/page-answers.ts';
import { AREA, AREAS, building, id, MARUNOUCHI, record, square } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { expectProblem, expectRefusal, faultyRegistry, serverOn } from '../support/serving.ts';

const ROOT = '/japan/ogc';
const ITEMS = `${ROOT}/collections/buildings/items`;
const [lon, lat] = MARUNOUCHI;

interface Feature {
  id: string;
  geometry: object | null;
  properties: Record<string, unknown>;
}
interface Features {
  features: Feature[];
  links: { rel: string; href: string }[];
  numberMatched: number;
}

onBothEngines('OGC API Features', (fresh, engine) => {
  let served: ServedRegistry;
  let url: string;
  beforeAll(async () => {
    const database = await fresh();
    url = database.url;
    served = await openServedRegistry(database);
    await served.ingest([
      ...AREAS,
      building(1, { heightM: 48, nameEn: 'One', aliases: ['甲'], assetTypes: ['office', 'retail'] }),
      record(...(['plateau', 'b1', { heightM: 50, floorsAbove: 9 }] as const), {
        building: id(1),
        geometry: square(MARUNOUCHI),
      }),
      ...Array.from({ length: 70 }, (_, i) => building(i + 2)),
      building(80, {}, { geometry: { type: 'Point', coordinates: [lon + 0.05, lat] } }),
      record('osm', 'node/90', { nameJa: '位置なし' }, { building: id(90), area: AREA }),
    ]);
    await mergeBuildings(served.context, id(70), id(71), null);
    await mergeBuildings(served.context, id(71), id(3), null);
    await retireBuilding(served.context, id(69), undefined, 'demolished');
  });
  afterAll(() => served.close());

  const read = async <T = Features>(path: string) => {
    const { status, body } = await served.get(path);
    expect([path, status]).toEqual([path, 200]);
    return JSON.parse(body) as T;
  };
  const idsOf = ({ features }: Features) => features.map((feature) => feature.id);

  it('OGC-09 a feature has the footprint or the point, and every value with its evidence as the API has it', async () => {
    const { features } = await read(`${ITEMS}?limit=1000`);
    const columns = Object.keys(features[0]?.properties as object);
    expect(columns.slice(-2)).toEqual(['attribution', 'sources']);
    for (const { id: own, geometry, properties } of features) {
      const page = await read<BuildingPage>(`/japan/api/v1/assets/${own}`);
      const { lat: y, lon: x } = page.location;
      expect(geometry).toEqual(page.geometry ?? (x === null ? null : { type: 'Point', coordinates: [x, y] }));
      expect(Object.keys(properties)).toEqual(columns);
      for (const field of SCALAR_FIELDS) {
        const value = page.fields[field];
        expect([
          properties[field],
          ...['source', 'confidence', 'retrieved_at', 'conflict_value', 'conflict_source'].map(
            (suffix) => properties[`${field}_${suffix}`],
          ),
        ]).toEqual(
          [
            ...[value?.value, value?.provenance.source, value?.provenance.confidence, value?.provenance.retrievedAt],
            ...[value?.conflict?.value, value?.conflict?.source],
          ].map((each) => each ?? null),
        );
      }
      expect(properties).toMatchObject({
        ...{ path: page.path, recordedAt: page.history[0]?.recordedAt },
        sources: page.sources.map(({ source, sourceRecordId }) => `${source}:${sourceRecordId}`),
      });
    }
    const one = features.find((feature) => feature.id === id(1)) as Feature;
    expect(one.properties).toMatchObject({ heightM: 50, heightM_conflict_value: 48, heightM_conflict_source: 'osm' });
  });

  it('OGC-09 the schema has the type of every property', async () => {
    interface Schema {
      properties: { properties: { properties: Record<string, { type: string; nullable?: boolean }> } };
    }
    const { status, headers, body } = await served.get(`${ROOT}/collections/buildings/schema`);
    expect([status, headers['content-type']]).toEqual([200, 'application/schema+json']);
    const { properties } = (JSON.parse(body) as Schema).properties.properties;
    const { features } = await read(`${ITEMS}?limit=1000`);
    expect(Object.keys(properties)).toEqual(Object.keys(features[0]?.properties as object));
    for (const feature of features) {
      for (const [name, value] of Object.entries(feature.properties)) {
        const { type, nullable = false } = properties[name] as { type: string; nullable?: boolean };
        const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
        const allowed = [type === 'integer' ? 'number' : type, ...(nullable ? ['null'] : [])];
        expect([name, allowed.includes(found)]).toEqual([name, true]);
        if (type === 'integer' && value !== null) expect(Number.isInteger(value)).toBe(true);
      }
    }
    expect([properties.acquisitionPriceJpy?.type, properties.floorsAbove?.type]).toEqual(['number', 'integer']);
  });

  it('OGC-10 a merged ID is redirected to its survivor, a retired or unknown one is 404', async () => {
    for (const merged of [70, 71]) {
      const { status, headers } = await served.get(`${ITEMS}/${id(merged)}`);
      expect([status, headers.location]).toEqual([301, `${ITEMS}/${id(3)}`]);
    }
    for (const gone of [id(69), id(99), 'zzINPUTzz', '0', `${id(1)}x`]) {
      expectProblem(await served.get(`${ITEMS}/${gone}`), 404);
    }
    expect(idsOf(await read(`${ITEMS}?limit=1000`)).filter((each) => [id(69), id(70), id(71)].includes(each))).toEqual(
      [],
    );
  });

  it('OGC-06 a box has four or six numbers, in any notation of JSON, and may cross the antimeridian', async () => {
    const east = idsOf(await read(`${ITEMS}?bbox=${lon + 0.04},35,140,36`));
    expect(east).toEqual([id(80), id(90)]);
    for (const box of [
      `${lon + 0.04},35,-5,140,36,9000`,
      `${(lon + 0.04) / 100}e2,3.5E1,140,36`,
      `${lon + 0.04},35,-170,36`,
      `${lon + 0.04},35,${lon - 0.04},36`,
    ]) {
      expect([box, idsOf(await read(`${ITEMS}?bbox=${box}`))]).toEqual([box, east]);
    }
    // Across the antimeridian the two halves are one box: nothing is counted twice.
    const both = await read(`${ITEMS}?limit=1000&bbox=${lon},35,${lon - 0.00001},36`);
    expect(both.numberMatched).toBe(both.features.length);
    expect(both.numberMatched).toBe((await read(`${ITEMS}?limit=1000`)).numberMatched);
  });

  it('OGC-08 pages follow each other by ID, without a start that moves', async () => {
    const seen: string[] = [];
    for (let path: string | undefined = `${ITEMS}?limit=9`; path !== undefined; ) {
      const page: Features = await read(path);
      seen.push(...idsOf(page));
      path = page.links.find(({ rel }) => rel === 'next')?.href.replace(/^http:\/\/[^/]+/, '');
    }
    expect(seen).toEqual(idsOf(await read(`${ITEMS}?limit=1000`)));
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(idsOf(await read(`${ITEMS}?after=${id(99)}`))).toEqual([]);
  });

  it('OGC-02 OGC-05 documents and pages are cached like lists; the ETag of a page is weak, because its time differs', async () => {
    for (const path of [ROOT, `${ROOT}/api`, `${ROOT}/conformance`, `${ROOT}/collections`, `${ITEMS}/${id(1)}`]) {
      const first = await served.get(path);
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^"[^"]+"$/);
      expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      expect((await served.get(path, { 'if-none-match': etag })).status).toBe(304);
    }
    await expectPageConventions(served, `${ROOT}/api.html`, {}, ['OPTIONS']);
    for (const query of ['', '?limit=60']) {
      const page = await served.get(`${ITEMS}${query}`);
      const etag = String(page.headers.etag);
      expect(etag).toMatch(/^W\/"[^"]+"$/);
      for (const known of [etag, etag.slice(2), '*', `"other", ${etag}`]) {
        const again = await served.get(`${ITEMS}${query}`, { 'if-none-match': known });
        expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag]);
      }
      const zstd = await served.get(`${ITEMS}${query}`, { 'accept-encoding': 'zstd', 'if-none-match': etag });
      expect(zstd.status).toBe(304);
      expect((await served.get(`${ITEMS}${query}`, { 'if-none-match': 'W/"other"' })).status).toBe(200);
    }
    const before = (await served.get(ITEMS)).headers.etag;
    await served.ingest([building(2, { heightM: 7 }, { retrievedAt: '2026-01-09T00:00:00Z' })]);
    expect((await served.get(ITEMS)).headers.etag).not.toBe(before);
  });

  it('OGC-04 every resource may be asked for as f=json, and in no other form', async () => {
    const schema = `${ROOT}/collections/buildings/schema`;
    for (const path of [
      ROOT,
      `${ROOT}/api`,
      `${ROOT}/conformance`,
      `${ROOT}/collections`,
      schema,
      `${ITEMS}/${id(1)}`,
    ]) {
      expect((await served.get(`${path}?f=json`)).body).toBe((await served.get(path)).body);
      expectProblem(await served.get(`${path}?f=html`), 400);
    }
    expect(idsOf(await read(`${ITEMS}?f=json&limit=2`))).toEqual(idsOf(await read(`${ITEMS}?limit=2`)));
    expectProblem(await served.get(`${ITEMS}?f=zzINPUTzz`), 400);
  });

  it('OGC-02 pages of any origin may read every answer, preflights and refusals included', async () => {
    for (const path of [ROOT, ITEMS, `${ITEMS}?limit=0`, `${ITEMS}/${id(99)}`, `${ROOT}/nothing/here`]) {
      const { headers } = await served.get(path, { origin: 'https://example.org' });
      expect([path, headers['access-control-allow-origin']]).toEqual([path, '*']);
    }
    for (const path of [ROOT, ITEMS, `${ITEMS}/${id(1)}`]) {
      const preflight = await served.app.inject({ method: 'OPTIONS', url: path });
      expect([preflight.statusCode, preflight.headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD']);
    }
  });

  it('OGC-02 documents are readable text in the language of the client; refusals are JSON, and a page for a browser', async () => {
    const ja = await served.get(ROOT, { 'accept-language': 'ja' });
    expect(ja.body).toContain('日本の建物');
    expect(ja.body.split('\n').length).toBeGreaterThan(10);
    expect((await served.get(`${ROOT}/api.html`, { 'accept-language': 'ja' })).body).toContain('パラメーター');
    expectProblem(await served.get(`${ITEMS}?limit=0`, { accept: 'application/geo+json' }), 400);
    expectRefusal(await served.get(`${ITEMS}?limit=0`, { accept: 'text/html' }), 400);
    expectProblem(await served.get(`${ROOT}/nothing`), 404);
  });

  it('OGC-05 the search threads find the same', async () => {
    const searchers = startSearchThreads(url);
    const app = serverOn(openRegistry(served.context.storage, searchers));
    try {
      for (const query of [
        '',
        '?limit=60',
        `?bbox=${lon},${lat},${lon + 0.001},${lat}`,
        '?datetime=2026-02-01T00:00:05Z/..',
      ]) {
        const [here, there] = [await read(`${ITEMS}${query}`), await app.inject({ url: `${ITEMS}${query}` })];
        const { features, numberMatched } = JSON.parse(there.body) as Features;
        expect({ features, numberMatched }).toEqual({ features: here.features, numberMatched: here.numberMatched });
      }
      const extent = async (body: string) => (JSON.parse(body) as { extent: object }).extent;
      const there = await app.inject({ url: `${ROOT}/collections/buildings` });
      expect(await extent(there.body)).toEqual(await extent((await served.get(`${ROOT}/collections/buildings`)).body));
    } finally {
      await app.close();
      await searchers.close();
    }
  });

  it.runIf(engine === 'sqlite')('OGC-05 a fault is a bare 500', async () => {
    const app = serverOn(faultyRegistry(new Error('SECRET')));
    for (const path of [ITEMS, `${ITEMS}/${id(1)}`, `${ROOT}/collections`]) {
      const { statusCode: status, headers, body } = await app.inject({ url: path });
      expectProblem({ status, headers, body }, 500);
    }
    await app.close();
  });
});
