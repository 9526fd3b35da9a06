import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeBuildings } from '../../src/pipeline/identity-commands.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREA, AREAS, building, id, MARUNOUCHI, record } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { answerOf, expectProblem } from '../support/serving.ts';

/** The abstract tests of the classes core, GeoJSON and OpenAPI 3.0 of OGC 17-069r4 (version 1.0.1), Annex A. */
const ROOT = '/japan/ogc';
const ITEMS = `${ROOT}/collections/buildings/items`;
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

const LinkShape = Type.Object({
  ...{ href: Type.String({ pattern: '^http://[^ ]+$' }), rel: Type.String({ minLength: 1 }) },
  ...{ type: Type.String({ minLength: 1 }), title: Type.Optional(Type.String()) },
});
const Links = Type.Array(LinkShape);
const BoxShape = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 });
const Interval = Type.Array(Type.Union([Type.String({ pattern: 'Z$' }), Type.Null()]), { minItems: 2, maxItems: 2 });
const CollectionShape = Type.Object({
  ...{ id: Type.String(), title: Type.String(), description: Type.String(), links: Links },
  extent: Type.Object({
    spatial: Type.Object({ bbox: Type.Array(BoxShape, { minItems: 1 }), crs: Type.Literal(CRS84) }),
    temporal: Type.Object({ interval: Type.Array(Interval, { minItems: 1 }) }),
  }),
  itemType: Type.Literal('feature'),
  crs: Type.Array(Type.String()),
});
const PositionShape = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });
const RingShape = Type.Array(PositionShape, { minItems: 4 });
const FeatureShape = Type.Object({
  type: Type.Literal('Feature'),
  id: Type.String(),
  geometry: Type.Union([
    Type.Null(),
    Type.Object({ type: Type.Literal('Point'), coordinates: PositionShape }),
    Type.Object({ type: Type.Literal('Polygon'), coordinates: Type.Array(RingShape, { minItems: 1 }) }),
    Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(Type.Array(RingShape)) }),
  ]),
  properties: Type.Object({}),
});
/** The schemas that the standard names, as far as they allow what the service sends. */
const SHAPES = {
  landingPage: Type.Object({ title: Type.String(), description: Type.String(), links: Links }),
  confClasses: Type.Object({ conformsTo: Type.Array(Type.String(), { minItems: 1 }) }),
  collections: Type.Object({ links: Links, collections: Type.Array(CollectionShape) }),
  collection: CollectionShape,
  features: Type.Object({
    type: Type.Literal('FeatureCollection'),
    ...{ features: Type.Array(FeatureShape), links: Links, timeStamp: Type.String({ pattern: 'Z$' }) },
    ...{ numberMatched: Type.Integer({ minimum: 0 }), numberReturned: Type.Integer({ minimum: 0 }) },
  }),
  feature: Type.Object({ ...FeatureShape.properties, links: Links }),
};
const faultsIn = (schema: TSchema, value: unknown) => [...Compile(schema).Errors(value)];

interface Link {
  href: string;
  rel: string;
  type: string;
}
interface Feature {
  id: string;
  geometry: { type: string; coordinates: unknown } | null;
  properties: Record<string, unknown> & { recordedAt: string };
  links?: Link[];
}
interface Features {
  type: string;
  features: Feature[];
  links: Link[];
  timeStamp: string;
  numberMatched: number;
  numberReturned: number;
}
interface Collection {
  id: string;
  extent: { spatial: { bbox: [number[]] }; temporal: { interval: [[string, string]] } };
  links: Link[];
  crs: string[];
}
interface Parameter {
  schema: { maximum: number; default: number };
}
interface Definition {
  servers: { url: string }[];
  paths: Record<string, { get: { parameters: { $ref: string }[]; responses: Record<string, { content?: object }> } }>;
  components: { parameters: Record<string, Parameter> };
}

const [lon, lat] = MARUNOUCHI;
const LAST = 30;

onBothEngines('the abstract tests of OGC API Features', (fresh) => {
  let served: ServedRegistry;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    await served.ingest([
      ...AREAS,
      ...Array.from({ length: LAST }, (_, i) => building(i + 1, { heightM: 10 + i })),
      building(40, {}, { geometry: { type: 'Point', coordinates: [lon + 0.01, lat + 0.001] } }),
      record('osm', 'node/90', { nameJa: '位置なし' }, { building: id(90), area: AREA }),
    ]);
    await served.ingest([building(5, { heightM: 99, yearBuilt: 1999 }, { retrievedAt: '2026-01-05T00:00:00Z' })]);
    await mergeBuildings(served.context, id(LAST), id(1), null);
  });
  afterAll(() => served.close());

  const get = async <T>(url: string, headers: Record<string, string> = {}) => {
    const answer = await served.get(url.replace(/^http:\/\/[^/]+/, ''), headers);
    expect([url, answer.status]).toEqual([url, 200]);
    return { ...answer, type: String(answer.headers['content-type']), json: JSON.parse(answer.body) as T };
  };
  const getAs = async (href: string, accept: string) => {
    const answer = await served.get(href.replace(/^http:\/\/[^/]+/, ''), { accept });
    expect([href, answer.status]).toEqual([href, 200]);
    return answer;
  };
  const read = async <T>(url: string) => (await get<T>(url)).json;
  const linkOf = (links: readonly Link[], rel: string) => links.find((link) => link.rel === rel) as Link;
  const features = (query = '') => read<Features>(`${ITEMS}${query}`);
  const readPages = async (query: string) => {
    const all: Feature[] = [];
    for (let page: Features = await features(query); ; page = await read<Features>(linkOf(page.links, 'next').href)) {
      all.push(...page.features);
      if (linkOf(page.links, 'next') === undefined) return all;
    }
  };
  const idsOf = (list: readonly Feature[]) => list.map((feature) => feature.id);
  const definition = () => read<Definition>(`${ROOT}/api`);
  const collections = () => read<{ collections: Collection[]; links: Link[] }>(`${ROOT}/collections`);
  const parameter = async (name: string) => (await definition()).components.parameters[name];
  const positionsOf = ({ geometry }: Feature): number[][] => {
    const flat = (value: unknown): number[][] =>
      Array.isArray(value) && typeof value[0] === 'number' ? [value as number[]] : (value as unknown[]).flatMap(flat);
    return geometry === null ? [] : flat(geometry.coordinates);
  };
  const isIn = (feature: Feature, [w, s, e, n]: readonly number[]) =>
    positionsOf(feature).some(
      ([x, y]) =>
        (x as number) >= (w as number) &&
        (x as number) <= (e as number) &&
        (y as number) >= (s as number) &&
        (y as number) <= (n as number),
    );

  const at = (coordinates: number[]) => ({ type: 'Point', coordinates });

  it('OGC-11 /conf/core/http every resource answers GET and HEAD over HTTP 1.1, and refuses other methods', async () => {
    for (const url of [ROOT, `${ROOT}/conformance`, `${ROOT}/collections`, ITEMS, `${ITEMS}/${id(1)}`]) {
      expect((await served.app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
      const refused = await served.app.inject({ method: 'POST', url });
      expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('OGC-11 /conf/core/crs84 coordinates are longitude and latitude of WGS 84', async () => {
    for (const [x, y] of (await readPages('')).flatMap(positionsOf)) {
      expect(Math.abs((x as number) - lon)).toBeLessThan(0.1);
      expect(Math.abs((y as number) - lat)).toBeLessThan(0.1);
    }
  });

  it('OGC-11 /conf/core/root-op the landing page is at the root', async () => {
    const { type } = await get(ROOT);
    expect(type).toBe('application/json');
    const slash = await served.get(`${ROOT}/`);
    expect([slash.status, slash.headers.location]).toEqual([308, ROOT]);
  });

  it('OGC-01 OGC-11 /conf/core/root-success the landing page links the definition, the conformance and the data', async () => {
    const page = await read<{ links: Link[] }>(ROOT);
    expect(faultsIn(SHAPES.landingPage, page)).toEqual([]);
    for (const rel of ['self', 'service-desc', 'service-doc', 'conformance', 'data']) {
      const { href, type } = linkOf(page.links, rel);
      expect((await getAs(href, type)).headers['content-type']).toContain(type);
    }
  });
  it('OGC-11 /conf/core/api-definition-op every definition that the landing page links can be read', async () => {
    const { links } = await read<{ links: Link[] }>(ROOT);
    const definitions = links.filter(({ rel }) => rel === 'service-desc' || rel === 'service-doc');
    expect(definitions).toHaveLength(2);
    for (const { href, type } of definitions) await getAs(href, type);
  });

  it('OGC-11 /conf/core/api-definition-success the definition has the type of its link and a valid schema', async () => {
    const { links } = await read<{ links: Link[] }>(ROOT);
    const { href, type } = linkOf(links, 'service-desc');
    const answer = await getAs(href, type);
    expect(answer.headers['content-type']).toBe(type);
    expect(JSON.parse(answer.body)).toMatchObject({ openapi: expect.stringMatching(/^3\.0\./), paths: {} });
  });

  it('OGC-11 /conf/core/conformance-op the conformance declaration is where the standard and the link say', async () => {
    const { links } = await read<{ links: Link[] }>(ROOT);
    const linked = await get(linkOf(links, 'conformance').href);
    expect(linked.body).toBe((await get(`${ROOT}/conformance`)).body);
  });

  it('OGC-11 /conf/core/conformance-success it names the three classes', async () => {
    const declared = await read<{ conformsTo: string[] }>(`${ROOT}/conformance`);
    expect(faultsIn(SHAPES.confClasses, declared)).toEqual([]);
    const classOf = (name: string) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`;
    expect([...declared.conformsTo].sort()).toEqual(['core', 'geojson', 'oas30'].map(classOf));
  });

  it('OGC-11 /conf/core/fc-md-op the collections are at their path', async () => {
    expect((await get(`${ROOT}/collections`)).type).toBe('application/json');
  });

  it('OGC-11 /conf/core/fc-md-success the collections have the prescribed content, CRS 84 first', async () => {
    const found = await collections();
    expect(faultsIn(SHAPES.collections, found)).toEqual([]);
    for (const { crs } of found.collections) expect(crs[0]).toBe(CRS84);
  });

  it('OGC-11 /conf/core/fc-md-links the collections link themselves', async () => {
    expect(linkOf((await collections()).links, 'self').href).toMatch(/\/japan\/ogc\/collections$/);
  });

  it('OGC-11 /conf/core/fc-md-items every collection has an entry with an identifier', async () => {
    expect((await collections()).collections.map((each) => each.id)).toEqual(['buildings']);
  });

  it('OGC-11 /conf/core/fc-md-items-links every entry links its items as GeoJSON', async () => {
    for (const { links } of (await collections()).collections) {
      const items = linkOf(links, 'items');
      expect(items.type).toBe('application/geo+json');
      expect((await get(items.href)).type).toBe(items.type);
    }
  });

  it('OGC-03 OGC-11 /conf/core/fc-md-extent the extent includes every geometry and every recorded time', async () => {
    const [{ extent }] = (await collections()).collections as [Collection];
    const [box] = extent.spatial.bbox;
    const [[first, last]] = extent.temporal.interval;
    for (const feature of await readPages('')) {
      for (const position of positionsOf(feature)) expect(isIn({ ...feature, geometry: at(position) }, box)).toBe(true);
      const { recordedAt } = feature.properties;
      expect([first <= recordedAt, recordedAt <= last]).toEqual([true, true]);
    }
  });

  it('OGC-11 /conf/core/sfc-md-op every collection is at its path', async () => {
    for (const each of (await collections()).collections) await get(`${ROOT}/collections/${each.id}`);
    expectProblem(await served.get(`${ROOT}/collections/streets`), 404);
    expectProblem(await served.get(`${ROOT}/collections/streets/items`), 404);
  });

  it('OGC-11 /conf/core/sfc-md-success a collection says the same as its entry', async () => {
    for (const each of (await collections()).collections) {
      const own = await read<Collection>(`${ROOT}/collections/${each.id}`);
      expect(faultsIn(SHAPES.collection, own)).toEqual([]);
      expect(own).toEqual(each);
    }
  });

  it('OGC-11 /conf/core/fc-op features are found by box and time, and by both', async () => {
    const box = [lon, lat - 0.001, lon + 0.001, lat + 0.001];
    const changed = (await readPages('')).find((feature) => feature.id === id(5)) as Feature;
    const time = `datetime=${changed.properties.recordedAt}/..`;
    // The survivor of a merge has a new version too.
    expect(idsOf(await readPages(`?bbox=${box}&${time}`))).toEqual([id(1), id(5)]);
    expect(idsOf(await readPages(`?bbox=${lon + 0.003},${lat},${lon + 0.004},${lat}&${time}`))).toEqual([]);
  });

  it('OGC-11 /conf/core/fc-bbox-definition the parameter is defined as the standard has it', async () => {
    expect(await parameter('bbox')).toMatchObject({
      ...{ name: 'bbox', in: 'query', required: false, style: 'form', explode: false },
      schema: {
        ...{ type: 'array', items: { type: 'number' } },
        oneOf: [
          { minItems: 4, maxItems: 4 },
          { minItems: 6, maxItems: 6 },
        ],
      },
    });
  });

  it('OGC-11 /conf/core/fc-bbox-response finds what meets the box, and what has no geometry', async () => {
    const all = await readPages('');
    for (const box of [
      [lon, lat - 0.001, lon + 0.001, lat + 0.001],
      [lon + 0.0099, lat, lon + 0.02, lat + 0.01],
      [-180, -90, 180, 90],
      [0, 0, 1, 1],
    ]) {
      const expected = all.filter((feature) => feature.geometry === null || isIn(feature, box));
      expect(idsOf(await readPages(`?limit=3&bbox=${box}`))).toEqual(idsOf(expected));
    }
    expect(idsOf(await readPages('?bbox=0,0,1,1'))).toEqual([id(90)]);
  });

  it('OGC-11 /conf/core/fc-limit-definition the parameter is defined as the standard has it', async () => {
    expect(await parameter('limit')).toMatchObject({
      ...{ name: 'limit', in: 'query', required: false, style: 'form', explode: false },
      schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 10 },
    });
  });

  it('OGC-11 /conf/core/fc-limit-response a page has at most so many features; more than the maximum is no error', async () => {
    const { maximum, default: usual } = ((await parameter('limit')) as Parameter).schema;
    expect((await features()).features).toHaveLength(usual);
    expect((await features('?limit=4')).features).toHaveLength(4);
    for (const limit of [maximum + 1, '9'.repeat(40)]) {
      const { length } = (await features(`?limit=${limit}`)).features;
      expect([length > usual, length <= maximum]).toEqual([true, true]);
    }
  });

  it('OGC-11 /conf/core/fc-time-definition the parameter is defined as the standard has it', async () => {
    expect(await parameter('datetime')).toMatchObject({
      ...{ name: 'datetime', in: 'query', required: false, style: 'form', explode: false },
      schema: { type: 'string' },
    });
  });

  it('OGC-11 /conf/core/fc-time-response finds what was recorded at an instant or in an interval, bounded or half-bounded', async () => {
    const all = await readPages('');
    const times = [...new Set(all.map(({ properties }) => properties.recordedAt))].sort();
    expect(times.length).toBeGreaterThan(1);
    const [first, last] = [times[0] as string, times.at(-1) as string];
    const inside = (from: string, to: string) =>
      idsOf(all.filter(({ properties: { recordedAt } }) => recordedAt >= from && recordedAt <= to));
    const cases: [string, string[]][] = [
      [first, inside(first, first)],
      [`${first}/${last}`, idsOf(all)],
      [`${last}/..`, inside(last, '9')],
      [`${last}/`, inside(last, '9')],
      [`../${first}`, inside('', first)],
      [`/${first}`, inside('', first)],
      ['2001-01-01T00:00:00Z', []],
      ['2001-01-01T00:00:00Z/2002-01-01T00:00:00.5+09:00', []],
      [first.toLowerCase(), inside(first, first)],
    ];
    for (const [datetime, expected] of cases) {
      expect([datetime, idsOf(await readPages(`?datetime=${encodeURIComponent(datetime)}`))]).toEqual([
        datetime,
        expected,
      ]);
    }
  });

  it('OGC-04 OGC-11 /conf/core/query-param-invalid an invalid value is 400', async () => {
    const wrong = [
      ...['limit=', 'limit=0', 'limit=-1', 'limit=ten', 'limit=1.5', 'bbox=', 'bbox=1,2,3', 'bbox=1,2,3,4,5'],
      ...['bbox=a,b,c,d', 'bbox=1,2,3,NaN', 'bbox=0,160,1,161', 'bbox=181,0,182,1', 'bbox=0,2,1,1'],
      ...['bbox=0,0,9,1,1,1', 'datetime=', 'datetime=..', 'datetime=../..', 'datetime=/', 'datetime=2026-01-01'],
      ...['datetime=2026-02-30T00:00:00Z', 'datetime=2026-01-02T00:00:00Z/2026-01-01T00:00:00Z'],
      ...['datetime=2026-01-01T00:00:00', 'datetime=a/b/c', 'after=', 'after=1', `limit=1&limit=1`],
    ];
    for (const query of wrong) {
      const answer = await served.get(`${ITEMS}?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      expectProblem(answer, 400);
    }
    for (const name of ['limit', 'bbox', 'datetime', 'after']) {
      expectProblem(await served.get(`${ITEMS}?${name}=zzINPUTzz`), 400);
    }
  });

  it('OGC-04 OGC-11 /conf/core/query-param-unknown an unknown parameter is 400 at every resource', async () => {
    for (const url of [
      ROOT,
      `${ROOT}/api`,
      `${ROOT}/conformance`,
      `${ROOT}/collections`,
      `${ROOT}/collections/buildings`,
    ]) {
      expectProblem(await served.get(`${url}?zzINPUTzz=1`), 400);
    }
    for (const url of [ITEMS, `${ITEMS}/${id(1)}`]) {
      expectProblem(await served.get(`${url}?zzINPUTzz=1`), 400);
      expectProblem(await served.get(`${url}?BBOX=0,0,1,1`), 400);
    }
  });

  it('OGC-11 /conf/core/fc-response the answer is a feature collection of what was asked for', async () => {
    for (const query of ['', '?limit=1', '?bbox=0,0,1,1', '?datetime=2001-01-01T00:00:00Z']) {
      expect([query, faultsIn(SHAPES.features, await features(query))]).toEqual([query, []]);
    }
  });

  it('OGC-11 /conf/core/fc-links a page links itself, the next one and the collection', async () => {
    const page = await features('?limit=2&bbox=139,35,140,36');
    expect(linkOf(page.links, 'self').href).toMatch(/\/items\?limit=2&bbox=139,35,140,36$/);
    expect(linkOf(page.links, 'next').href).toMatch(/limit=2&bbox=139,35,140,36&after=ASSET-JP-13-00000002$/);
    expect(linkOf(page.links, 'collection').type).toBe('application/json');
    expect(idsOf((await read<Features>(linkOf(page.links, 'self').href)).features)).toEqual(idsOf(page.features));
    expect(linkOf((await features('?limit=1000')).links, 'next')).toBeUndefined();
  });

  it('OGC-11 /conf/core/fc-timeStamp the time is that of the response', async () => {
    const before = Date.now();
    const { timeStamp } = await features();
    expect(Date.parse(timeStamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(timeStamp)).toBeLessThanOrEqual(Date.now());
  });

  it('OGC-11 /conf/core/fc-numberMatched counts all matches on every page', async () => {
    for (const query of ['?limit=4', `?limit=4&bbox=${lon},${lat - 1},${lon + 0.002},${lat + 1}`]) {
      const { length } = await readPages(query);
      const page = await features(query);
      const next = await read<Features>(linkOf(page.links, 'next').href);
      expect([page.numberMatched, next.numberMatched]).toEqual([length, length]);
    }
  });

  it('OGC-11 /conf/core/fc-numberReturned counts the features of the page', async () => {
    for (const query of ['', '?limit=7', '?limit=1000', '?datetime=2001-01-01T00:00:00Z']) {
      const page = await features(query);
      expect(page.numberReturned).toBe(page.features.length);
    }
  });

  it('OGC-11 /conf/core/f-op every feature is at its path', async () => {
    for (const feature of await readPages('')) {
      const { links: _, ...own } = await read<Feature>(`${ITEMS}/${feature.id}`);
      expect(own).toEqual(feature);
    }
  });

  it('OGC-11 /conf/core/f-success a feature has the prescribed content', async () => {
    for (const number of [1, 40, 90]) {
      expect(faultsIn(SHAPES.feature, await read(`${ITEMS}/${id(number)}`))).toEqual([]);
    }
  });

  it('OGC-11 /conf/core/f-links a feature links itself, its page and its collection', async () => {
    const { links = [] } = await read<Feature>(`${ITEMS}/${id(1)}`);
    expect(links.map(({ rel, type }) => [rel, type])).toEqual([
      ['self', 'application/geo+json'],
      ['alternate', 'text/html'],
      ['collection', 'application/json'],
    ]);
    for (const { href, type } of links) expect((await getAs(href, type)).headers['content-type']).toContain(type);
  });

  it('OGC-11 /conf/geojson/definition features are GeoJSON, everything else is JSON', async () => {
    const accept = 'application/geo+json';
    for (const url of [ITEMS, `${ITEMS}/${id(1)}`]) expect((await get(url, { accept })).type).toBe(accept);
    for (const url of [ROOT, `${ROOT}/conformance`, `${ROOT}/collections`, `${ROOT}/collections/buildings`]) {
      expect((await get(url, { accept })).type).toBe('application/json');
    }
  });

  it('OGC-11 /conf/geojson/content a feature has the ID of its path, and links as a foreign member', async () => {
    for (const number of [1, 2, 40]) {
      const feature = await read<Feature>(`${ITEMS}/${id(number)}`);
      expect([feature.id, Array.isArray(feature.links)]).toEqual([id(number), true]);
    }
  });

  it('OGC-11 /conf/oas30/completeness the definition describes every status and content that is sent', async () => {
    const { paths } = await definition();
    const described = (path: string) => Object.keys((paths[path] as { get: { responses: object } }).get.responses);
    const sent: [string, string, number][] = [
      ['/', '', 200],
      ['/', '?a=1', 400],
      ['/collections/buildings/items', '', 200],
      ['/collections/buildings/items', '?limit=0', 400],
      ['/collections/buildings/items/{featureId}', `/${id(1)}`, 200],
      ['/collections/buildings/items/{featureId}', `/${id(LAST)}`, 301],
      ['/collections/buildings/items/{featureId}', `/${id(77)}`, 404],
    ];
    for (const [path, rest, status] of sent) {
      const url = `${ROOT}${path.replace('/{featureId}', '').replace(/^\/$/, '')}${rest}`;
      expect([url, (await served.get(url)).status]).toEqual([url, status]);
      expect(described(path)).toContain(String(status));
    }
    for (const path of Object.keys(paths)) expect(described(path)).toContain('304');
  });

  it('OGC-11 /conf/oas30/exceptions-codes every operation describes its errors as problems', async () => {
    for (const { get: operation } of Object.values((await definition()).paths)) {
      for (const status of ['400', '429', '500', '503']) expect(Object.keys(operation.responses)).toContain(status);
    }
  });

  it('OGC-11 /conf/oas30/oas-definition-1 the definition is there as JSON and as HTML', async () => {
    const { links } = await read<{ links: Link[] }>(ROOT);
    expect(linkOf(links, 'service-desc').type).toBe('application/vnd.oai.openapi+json;version=3.0');
    expect(linkOf(links, 'service-doc').type).toBe('text/html');
    const page = await getAs(linkOf(links, 'service-doc').href, 'text/html');
    for (const path of Object.keys((await definition()).paths)) expect(page.body).toContain(path);
  });

  it('OGC-11 /conf/oas30/oas-definition-2 the document conforms to OpenAPI 3.0', async () => {
    const validator = new Validator();
    expect(await validator.validate((await definition()) as unknown as Record<string, unknown>)).toEqual({
      valid: true,
    });
    expect(validator.version).toBe('3.0');
  });

  it('OGC-11 /conf/oas30/oas-impl every path of the definition answers with the content it describes', async () => {
    const { paths, servers } = await definition();
    for (const [path, { get: operation }] of Object.entries(paths)) {
      const url = `${servers[0]?.url}${path === '/' ? '' : path.replace('{featureId}', id(1))}`;
      const { type } = await get(url);
      expect(Object.keys(operation.responses[200]?.content ?? {})).toEqual([type]);
    }
  });

  it('OGC-11 /conf/oas30/security no operation asks for credentials', async () => {
    expect(JSON.stringify(await definition())).not.toMatch(/"security/);
    const answer = answerOf(await served.app.inject({ url: ITEMS, headers: { authorization: 'Basic eDp5' } }));
    expect(answer.status).toBe(200);
  });
});

it('OGC-11 the reference lists every abstract test, and every one has a test here', () => {
  const root = join(import.meta.dirname, '..', '..');
  const listed = readFileSync(join(root, 'docs', 'reference', 'ogc-api-features.md'), 'utf8');
  const own = readFileSync(import.meta.filename, 'utf8');
  const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
  const tested = names(own, /OGC-11 (\/conf\/[\w/-]+) /g);
  expect(names(listed, /`(\/conf\/[\w/-]+)`/g)).toEqual(tested);
  expect(tested).toHaveLength(41);
});
