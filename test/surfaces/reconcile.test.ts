import { once } from 'node:events';
import { connect } from 'node:net';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeBuildings } from '../../src/pipeline/identity-commands.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { CATEGORIES } from '../../src/vocabulary/categories.ts';
import { SCALAR_FIELDS } from '../../src/vocabulary/fields.ts';
import { onBothEngines } from '../support/engines.ts';
import { AREAS, building, id, MARUNOUCHI, record } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { serverOn } from '../support/serving.ts';

const ROOT = '/japan/reconcile';
const closed = { additionalProperties: false };
const Named = Type.Object(
  { id: Type.String(), name: Type.String(), description: Type.Optional(Type.String()) },
  closed,
);
const Service = Type.Object({ service_url: Type.String(), service_path: Type.String() }, closed);
const template = Type.String({ pattern: '^https?://.*\\{\\{id\\}\\}' });

/** The shapes that version 0.2 of the Reconciliation Service API prescribes, as far as this service uses them. */
const SHAPES = {
  manifest: Type.Object(
    {
      versions: Type.Array(Type.Literal('0.2'), { minItems: 1 }),
      ...{ name: Type.String(), identifierSpace: Type.String(), schemaSpace: Type.String() },
      ...{ documentation: Type.String(), logo: Type.String() },
      view: Type.Object({ url: template }, closed),
      defaultTypes: Type.Array(Named),
      preview: Type.Object({ url: template, width: Type.Integer(), height: Type.Integer() }, closed),
      suggest: Type.Object({ entity: Service, property: Service, type: Service }, closed),
      extend: Type.Object({ propose_properties: Service, property_settings: Type.Array(Type.Never()) }, closed),
    },
    closed,
  ),
  results: Type.Record(
    Type.String(),
    Type.Object(
      {
        result: Type.Array(
          Type.Object(
            {
              ...{ id: Type.String(), name: Type.String({ minLength: 1 }), description: Type.String() },
              type: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed)),
              score: Type.Number({ minimum: 0, maximum: 100 }),
              match: Type.Boolean(),
              features: Type.Array(Type.Object({ id: Type.String(), value: Type.Boolean() }, closed)),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
  ),
  suggestions: Type.Object(
    {
      result: Type.Array(
        Type.Object(
          {
            ...{ id: Type.String(), name: Type.String(), description: Type.Optional(Type.String()) },
            notable: Type.Optional(Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed))),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  proposals: Type.Object({ properties: Type.Array(Named), limit: Type.Optional(Type.Integer()) }, closed),
  extension: Type.Object(
    {
      meta: Type.Array(Named),
      rows: Type.Record(
        Type.String(),
        Type.Record(
          Type.String(),
          Type.Array(
            Type.Union([
              Type.Object({ str: Type.String() }, closed),
              Type.Object({ int: Type.Integer() }, closed),
              Type.Object({ float: Type.Number() }, closed),
            ]),
          ),
        ),
      ),
    },
    closed,
  ),
};
const errorsIn = (schema: TSchema, value: unknown) => [...Compile(schema).Errors(value)];

type Results = Record<
  string,
  { result: { id: string; name: string; score: number; match: boolean; type: object[] }[] }
>;

const chiyoda = (rest: string) => `東京都千代田区丸の内${rest}`;
const at = (number: number) => `${MARUNOUCHI[1]},${Math.round((MARUNOUCHI[0] + number * 0.0002) * 1e7) / 1e7}`;

onBothEngines('the reconciliation service', (fresh) => {
  let served: ServedRegistry;
  let url: string;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    await served.ingest([
      ...AREAS,
      building(1, {
        ...{
          nameJa: '新丸ビル',
          nameEn: 'Shin-Maru Building',
          addressJa: chiyoda('1-5-1'),
          assetTypes: ['office', 'shop'],
        },
        ...{ heightM: 197.6, floorsAbove: 38 },
      }),
      record('wikidata', 'Q1', { yearBuilt: 2007 }, { building: id(1) }),
      building(2, { nameJa: '同名ビル', addressJa: chiyoda('1-6-1'), assetTypes: 'office' }),
      building(3, { nameJa: '同名ビル', addressJa: chiyoda('1-7-1'), assetTypes: 'hotel' }),
      building(4, { nameJa: '<b>&"館' }),
      building(5, { nameJa: '本館' }),
      building(6, { nameJa: '別館' }),
    ]);
    await mergeBuildings(served.context, id(6), id(5), 'one building');
    url = await served.app.listen({ port: 0 });
  });
  afterAll(() => served.close());

  const form = (parts: Record<string, string>) => new URLSearchParams(parts).toString();
  const post = (body: string, type = 'application/x-www-form-urlencoded; charset=UTF-8') =>
    served.app.inject({ method: 'POST', url: ROOT, headers: { 'content-type': type }, payload: body });
  const reconcile = async (queries: Record<string, object>) => {
    const { statusCode, body, headers } = await post(form({ queries: JSON.stringify(queries) }));
    expect(statusCode, body).toBe(200);
    expect(headers['access-control-allow-origin']).toBe('*');
    const results = JSON.parse(body) as Results;
    expect(errorsIn(SHAPES.results, results)).toEqual([]);
    return results;
  };
  const brief = async (query: object) =>
    ((await reconcile({ q0: query })).q0?.result ?? []).map(
      ({ id, match }) => `${Number(id.slice(-8))}${match ? '!' : ''}`,
    );
  const json = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await served.get(`${ROOT}${path}`, headers);
    expect(answer.status, answer.body).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['content-type']).toContain('application/json');
    return JSON.parse(answer.body);
  };

  it('RCN-06 the manifest says what the service offers', async () => {
    const manifest = await json('', { host: 'registry.example' });
    expect(errorsIn(SHAPES.manifest, manifest)).toEqual([]);
    expect(manifest.versions).toEqual(['0.2']);
    expect(manifest.defaultTypes.map((type: { id: string }) => type.id)).toEqual([...CATEGORIES]);
    expect(manifest.preview.url).toBe('http://registry.example/japan/reconcile/preview?id={{id}}');
    expect((await json('', { 'accept-language': 'ja' })).defaultTypes[1]).toEqual({ id: 'office', name: '事務所' });
    const head = await fetch(`${url}${ROOT}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    // JSONP is not supported: the answer stays JSON.
    expect(errorsIn(SHAPES.manifest, await json('?callback=alert'))).toEqual([]);
    const options = await served.app.inject({ method: 'OPTIONS', url: ROOT });
    expect([options.statusCode, options.headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD, POST']);
    const put = await served.app.inject({ method: 'PUT', url: ROOT });
    expect([put.statusCode, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('RCN-07 batches by GET and POST are answered as /match judges', async () => {
    const queries = {
      q0: { query: '新丸ビル' },
      q1: { query: '同名ビル', limit: 3 },
      'any key': { query: '同名ビル', type: 'hotel', type_strict: 'should' },
      __proto__x: { query: 'ない' },
    };
    const results = await reconcile(queries);
    expect(Object.keys(results)).toEqual(Object.keys(queries));
    expect(results.q0?.result).toMatchObject([
      {
        ...{
          id: id(1),
          name: '新丸ビル',
          description: `Shin-Maru Building, ${chiyoda('1-5-1')}`,
          score: 100,
          match: true,
        },
        type: [{ id: 'office' }, { id: 'retail' }],
        features: [{ id: 'name', value: true }],
      },
    ]);
    expect(results.q1?.result.map(({ match }) => match)).toEqual([false, false]);
    expect(results['any key']?.result).toHaveLength(2);
    const byGet = await json(`?${form({ queries: JSON.stringify(queries) })}`);
    expect(byGet).toEqual(results);
    expect(await reconcile({})).toEqual({});
  });

  it('RCN-07 types, properties and limits refine a query', async () => {
    const property = (pid: string, v: unknown) => ({ properties: [{ pid, v }] });
    expect(await brief({ query: '同名ビル', type: 'hotel' })).toEqual(['3!']);
    expect(await brief({ query: '同名ビル', type: ['hotel', 'school'], type_strict: 'any' })).toEqual(['3!']);
    expect(await brief({ query: '同名ビル', type: ['hotel', 'office'], type_strict: 'all' })).toEqual([]);
    expect(await brief({ query: '同名ビル', type: '' })).toEqual(['2', '3']);
    expect(await brief({ query: '同名ビル', limit: 1 })).toEqual(['2']);
    expect(await brief({ query: '同名ビル', limit: null })).toEqual(['2', '3']);
    expect(await brief({ query: '同名ビル', ...property('address', '丸の内１丁目７番１号') })).toEqual(['3!', '2']);
    expect(await brief({ query: '同名ビル', ...property('address', [chiyoda('1-7-1'), 'x']) })).toEqual(['3!', '2']);
    expect(await brief({ query: '同名ビル', ...property('coordinates', at(2)) })).toEqual(['2!', '3']);
    expect(await brief({ query: '同名ビル', ...property('sourceRecordId', 'osm:way/3') })).toEqual(['3!', '2']);
    // A cell that was reconciled with something else.
    expect(await brief(property('coordinates', { id: 'reconciled', name: at(2) }))).toEqual(['2!']);
    expect(await brief(property('coordinates', { id: at(2) }))).toEqual(['2!']);
    expect(await brief(property('address', { id: 'a', name: chiyoda('1-7-1') }))).toEqual(['3!']);
    expect(await brief(property('sourceRecordId', { id: 'osm:way/3', name: 'a way' }))).toEqual(['3!']);
    expect(await brief(property('address', { id: 1, name: [] }))).toEqual([]);
    expect(await brief({ query: '新丸ビル', ...property('unknown', 'x'), limit: 1000 })).toEqual(['1!']);
    // A property that cannot be read is never confirmed.
    expect(await brief({ query: '新丸ビル', ...property('coordinates', 'somewhere') })).toEqual(['1']);
    expect(await brief({ query: '新丸ビル', ...property('sourceRecordId', 'way/1') })).toEqual(['1']);
    expect(await brief({ query: '新丸ビル', ...property('address', '') })).toEqual(['1!']);
    // A contradiction is no match.
    expect(await brief({ query: '新丸ビル', ...property('coordinates', at(2)) })).toEqual(['2', '1']);
    // A column of addresses.
    expect(await brief({ query: chiyoda('一丁目5番1号') })).toEqual(['1!']);
    expect(await brief({ query: '' })).toEqual([]);
  });

  it('RCN-08 entities, types and properties are suggested', async () => {
    for (const [prefix, ids] of [
      ['新丸', [1]],
      ['同名', [2, 3]],
      [id(1), [1]],
      [id(6), [5]],
      ['', []],
      ['ない', []],
    ] as const) {
      const answer = await json(`/suggest/entity?prefix=${encodeURIComponent(prefix)}`);
      expect(errorsIn(SHAPES.suggestions, answer)).toEqual([]);
      expect(answer.result.map((entity: { id: string }) => Number(entity.id.slice(-8)))).toEqual(ids);
    }
    const idsAt = async (path: string) =>
      (await json(path)).result.map((entry: { id: string }) => entry.id) as string[];
    const named = `/suggest/entity?prefix=${encodeURIComponent('同名')}`;
    expect(await idsAt(`${named}&cursor=0`)).toEqual([id(2), id(3)]);
    expect(await idsAt(`${named}&cursor=1`)).toEqual([id(3)]);
    for (const cursor of ['2', '1000', '999999999']) expect(await idsAt(`${named}&cursor=${cursor}`)).toEqual([]);
    expect(await idsAt('/suggest/type?cursor=16')).toEqual(CATEGORIES.slice(16));
    expect(await idsAt('/suggest/property?prefix=addr&cursor=1')).toEqual(['addressJa']);
    for (const cursor of ['-1', '1.5', 'x', '1e3', '9999999999']) {
      for (const path of ['entity', 'type', 'property']) {
        const refused = await served.get(`${ROOT}/suggest/${path}?prefix=x&cursor=${cursor}`);
        expect([cursor, refused.status]).toEqual([cursor, 400]);
      }
    }
    const types = await json('/suggest/type?prefix=off');
    expect(errorsIn(SHAPES.suggestions, types)).toEqual([]);
    expect(types.result).toEqual([{ id: 'office', name: 'Office' }]);
    expect((await json('/suggest/type')).result).toHaveLength(18);
    const properties = await json('/suggest/property?prefix=addr', { 'accept-language': 'ja' });
    expect(properties.result.map((property: { id: string }) => property.id)).toEqual(['address', 'addressJa']);
  });

  it('RCN-08 a preview can be shown in a frame, in both languages', async () => {
    const { status, body, headers } = await served.get(`${ROOT}/preview?id=${id(1)}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain('frame-ancestors *');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe|frame-ancestors 'none'/);
    expect(headers['x-frame-options']).toBeUndefined();
    for (const part of ['新丸ビル', 'Shin-Maru Building', chiyoda('1-5-1'), '197.6', '2007', id(1)])
      expect(body).toContain(part);
    expect(body).not.toContain('<script');
    const japanese = await served.get(`${ROOT}/preview?id=${id(1)}&lang=ja`);
    expect(japanese.body).toContain('<html lang="ja">');
    expect(japanese.body).toContain('建物のページを開く');
    expect((await served.get(`${ROOT}/preview?id=${id(4)}`)).body).toContain('&lt;b&gt;&amp;&quot;館');
    expect((await served.get(`${ROOT}/preview?id=${id(6)}`)).body).toContain(id(5));
    for (const wrong of ['', '?id=', '?id=x', `?id=${id(99)}`]) {
      expect((await served.get(`${ROOT}/preview${wrong}`)).status).toBe(404);
    }
  });

  it('RCN-09 data extension returns every scalar field', async () => {
    const proposals = await json('/extend/properties?type=office');
    expect(errorsIn(SHAPES.proposals, proposals)).toEqual([]);
    expect(proposals.properties.map((property: { id: string }) => property.id)).toEqual(SCALAR_FIELDS);
    const three = await json('/extend/properties?type=office&limit=3');
    expect(three).toEqual({ properties: proposals.properties.slice(0, 3), limit: 3 });
    expect(errorsIn(SHAPES.proposals, three)).toEqual([]);
    for (const limit of ['0', '-1', 'x', '1.5']) {
      expect((await served.get(`${ROOT}/extend/properties?limit=${limit}`)).status).toBe(400);
    }
    const query = {
      ids: [id(1), id(6), id(99), 'nonsense'],
      properties: ['nameJa', 'heightM', 'floorsAbove', 'bookValueJpy'].map((field) => ({ id: field })),
    };
    const { body } = await post(form({ extend: JSON.stringify(query) }));
    const answer = JSON.parse(body);
    expect(errorsIn(SHAPES.extension, answer)).toEqual([]);
    expect(answer.meta).toEqual([
      { id: 'nameJa', name: 'Japanese name' },
      { id: 'heightM', name: 'Height (m)' },
      { id: 'floorsAbove', name: 'Floors above ground' },
      { id: 'bookValueJpy', name: 'Book value (JPY)' },
    ]);
    const none = { nameJa: [], heightM: [], floorsAbove: [], bookValueJpy: [] };
    expect(answer.rows).toEqual({
      [id(1)]: {
        nameJa: [{ str: '新丸ビル' }],
        heightM: [{ float: 197.6 }],
        floorsAbove: [{ int: 38 }],
        bookValueJpy: [],
      },
      [id(6)]: { ...none, nameJa: [{ str: '本館' }] },
      [id(99)]: none,
      nonsense: none,
    });
    expect(await json(`?${form({ extend: JSON.stringify(query) })}`)).toEqual(answer);
  });

  it('RCN-10 what cannot be read is refused as JSON, and never echoed', async () => {
    const many = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`q${i}`, { query: 'x' }])));
    const cases: [string, number][] = [
      ['', 400],
      [form({ other: 'MARK' }), 400],
      [form({ queries: 'MARK' }), 400],
      [form({ queries: '"MARK"' }), 400],
      [form({ queries: '[]' }), 400],
      [form({ queries: '{"q0":"MARK"}' }), 400],
      [form({ queries: '{"q0":{"query":["MARK"]}}' }), 400],
      [form({ queries: '{"q0":{"query":"x","properties":{}}}' }), 400],
      [form({ queries: '{"q0":{"query":"x","properties":[1]}}' }), 400],
      [form({ queries: '{"q0":{"query":"x","limit":"MARK"}}' }), 400],
      ...['0', '-1', '1.5', '1e400', '"3"', '[]'].map((limit): [string, number] => [
        form({ queries: `{"q0":{"query":"x","limit":${limit}}}` }),
        400,
      ]),
      [form({ queries: '{"q0":{"query":"x","type":{}}}' }), 400],
      [form({ queries: `${'['.repeat(100_000)}` }), 400],
      [form({ queries: `{"q0":${'{"query":'.repeat(50_000)}1${'}'.repeat(50_000)}}` }), 400],
      [form({ queries: many(1_001) }), 400],
      [form({ queries: '{}', extend: '{}' }), 400],
      ['queries={}&queries={}', 400],
      [form({ extend: '{"ids":[],"properties":[{"id":"aliases"}]}' }), 400],
      [form({ extend: '{"ids":[1],"properties":[]}' }), 400],
      [
        form({ extend: `{"ids":${JSON.stringify(Array.from({ length: 1_001 }, (_, i) => `${i}`))},"properties":[]}` }),
        400,
      ],
      [form({ extend: '{"ids":[],"properties":[{"id":"__proto__"}]}' }), 400],
      [`queries=${'x'.repeat(5_000_000)}`, 413],
    ];
    for (const [body, status] of cases) {
      const answer = await post(body);
      expect([body.slice(0, 60), answer.statusCode]).toEqual([body.slice(0, 60), status]);
      expect(answer.headers['content-type']).toContain('json');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(JSON.parse(answer.body)).toMatchObject({ status, detail: expect.not.stringContaining('MARK') });
    }
    expect((await post('{"queries":{}}', 'application/json')).statusCode).toBe(415);
    expect((await post(many(1), 'multipart/form-data')).statusCode).toBe(415);
    const strange = {
      q0: { query: `\0${'長'.repeat(20_000)}`, properties: [{ pid: 'address', v: '丸'.repeat(20_000) }] },
    };
    expect((await reconcile(strange)).q0?.result).toEqual([]);
  });

  it('RCN-06 pages of any origin may read every answer, refusals included', async () => {
    const open = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, ETag, X-Request-Id',
    };
    const limited = serverOn(openRegistry(served.context.storage), undefined, {
      rateLimit: { api: 0, page: 1, mcp: 0 },
    });
    await limited.inject(`${ROOT}/preview?id=${id(1)}`);
    const answers = [
      await limited.inject(ROOT),
      await served.app.inject(`${ROOT}/preview?id=${id(1)}`),
      await served.app.inject(`${ROOT}/preview?id=x`),
      await served.app.inject(`${ROOT}/nothing`),
      await served.app.inject({ method: 'PUT', url: `${ROOT}/suggest/type` }),
      await served.app.inject(`/japan/%72econcile/suggest/type?cursor=x`),
      await served.app.inject({ method: 'OPTIONS', url: ROOT }),
      await limited.inject({ method: 'OPTIONS', url: ROOT }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([429, 200, 404, 404, 405, 400, 204, 204]);
    for (const { headers } of answers) expect(headers).toMatchObject(open);
    for (const { headers, statusCode } of answers) {
      if (statusCode >= 400) expect(headers['content-type']).toContain('application/problem+json');
    }
    // A browser that shows a preview gets a page.
    const html = await served.app.inject({ url: `${ROOT}/preview?id=x`, headers: { accept: 'text/html' } });
    expect(html.headers['content-type']).toContain('text/html');
    const { headers } = await served.app.inject('/japan/reconciled');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    await limited.close();
  });

  it('RCN-10 a body larger than allowed is refused while it is sent', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''));
    await once(socket, 'connect');
    socket.write(
      `POST ${ROOT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    for (let i = 0; i < 5; i++) socket.write(chunk);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('RCN-07 a client like OpenRefine reconciles, extends and previews a column', async () => {
    const fetchJson = async (path: string, init?: RequestInit) => {
      const answer = await fetch(`${url}${path}`, init);
      expect(answer.status).toBe(200);
      // biome-ignore lint/suspicious/noExplicitAny: the shapes are checked above
      return answer.json() as Promise<any>;
    };
    const manifest = await fetchJson(ROOT);
    const service = new URL(manifest.suggest.entity.service_path, url).pathname;
    expect(await fetchJson(`${service}?prefix=${encodeURIComponent('新丸')}&type_strict=any`)).toHaveProperty('result');
    // OpenRefine sends batches of ten rows.
    const rows = Array.from({ length: 40 }, (_, i) => ['新丸ビル', '同名ビル', 'ない', '本館'][i % 4] as string);
    const matched: string[] = [];
    for (let start = 0; start < rows.length; start += 10) {
      const batch = Object.fromEntries(
        rows.slice(start, start + 10).map((query, i) => [`q${i}`, { query, type: 'office', type_strict: 'should' }]),
      );
      const body = new URLSearchParams({ queries: JSON.stringify(batch) });
      const results = (await fetchJson(ROOT, { method: 'POST', body })) as Results;
      for (const { result } of Object.values(results))
        matched.push(...result.filter(({ match }) => match).map((m) => m.id));
    }
    expect([matched.length, new Set(matched).size]).toEqual([20, 2]);
    const extend = JSON.stringify({ ids: [...new Set(matched)], properties: [{ id: 'yearBuilt' }] });
    const extension = await fetchJson(ROOT, { method: 'POST', body: new URLSearchParams({ extend }) });
    expect(extension.rows[id(1)]).toEqual({ yearBuilt: [{ int: 2007 }] });
    const preview = await fetch((manifest.preview.url as string).replace('{{id}}', matched[0] as string));
    expect(await preview.text()).toContain('新丸ビル');
    expect((await fetch((manifest.view.url as string).replace('{{id}}', matched[0] as string))).status).toBe(200);
  });
});
