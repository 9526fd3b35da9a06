import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/surfaces/api/api-routes.ts';
import { composeOpenApi } from '../../src/surfaces/api/openapi.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { FIELD_NAMES } from '../../src/vocabulary/fields.ts';
import { faultsInAnswer } from '../support/api-answers.ts';
import { onBothEngines } from '../support/engines.ts';
import { takeFaultsSent } from '../support/faults-sent.ts';
import { answerOf, emptyRegistry, serverOn } from '../support/serving.ts';
import { openSmallRegistry, type SmallRegistry } from '../support/small-registry.ts';
import { ask, listening } from '../support/wire.ts';

const URL = `${API_ROOT}/openapi.json`;
const document = JSON.parse(JSON.stringify(composeOpenApi(ENDPOINTS, { baseUrl: undefined, limit: 120 })));

interface Described {
  parameters: { in: string; name: string; description: string; example?: string }[];
  responses: object;
}

function routesOf(build: () => FastifyInstance): string[] {
  const routes = new Set<string>();
  const listen = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      if ([method].flat().includes('GET')) routes.add(url.replaceAll(/:(\w+)/g, '{$1}'));
    });
  };
  subscribe('fastify.initialization', listen);
  build();
  unsubscribe('fastify.initialization', listen);
  return [...routes].filter((url) => url.startsWith(`${API_ROOT}/`)).sort();
}

describe('the document', () => {
  it('API-09 VER-02 is served as the running code has it, with a tag', async () => {
    const app = serverOn(emptyRegistry, undefined, { rateLimit: { api: 120, page: 0, mcp: 0 } });
    const answer = answerOf(await app.inject({ url: URL }));
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(JSON.parse(answer.body)).toEqual(document);
    const headers = { 'if-none-match': String(answer.headers.etag) };
    expect((await app.inject({ url: URL, headers })).statusCode).toBe(304);
    expect((await app.inject({ url: URL, method: 'HEAD' })).headers.etag).toBe(answer.headers.etag);
    expect((await app.inject({ url: URL, method: 'POST' })).statusCode).toBe(405);
    await app.close();
  });

  it('API-09 says which limit this service has', async () => {
    const textOf = async (api: number) => {
      const app = serverOn(emptyRegistry, undefined, { rateLimit: { api, page: 0, mcp: 0 } });
      const { info } = JSON.parse((await app.inject({ url: URL })).body) as typeof document;
      await app.close();
      return info.description as string;
    };
    expect(await textOf(77)).toContain('77 requests a client');
    expect(await textOf(0)).toContain('None here');
  });

  it('API-09 names the origin of the service where one is set', async () => {
    const serversOf = async (baseUrl: string | undefined) => {
      const app = serverOn(emptyRegistry, undefined, { baseUrl });
      const { servers } = (await app.inject({ url: URL })).json() as { servers: { url: string }[] };
      await app.close();
      return servers.map(({ url }) => url);
    };
    expect(await serversOf('https://registry.example')).toEqual(['https://registry.example']);
    expect(await serversOf(undefined)).toEqual(['/']);
  });

  it('API-09 VER-02 has the endpoints that the server has', () => {
    const routes = routesOf(() => serverOn(emptyRegistry));
    expect(routes).toEqual(Object.keys(document.paths).sort());
  });

  it('VER-01 has the version as a segment of every path', () => {
    expect(Object.keys(document.paths).length).toBeGreaterThan(7);
    for (const path of Object.keys(document.paths)) expect(path).toMatch(/^\/japan\/api\/v1\//);
  });

  it('API-09 describes every parameter and every response for a newcomer', () => {
    for (const [path, { get }] of Object.entries<{ get: Described }>(document.paths)) {
      expect(get, path).toMatchObject({
        operationId: expect.stringMatching(/^[a-z]\w+$/),
        summary: expect.stringMatching(/\S/),
        description: expect.stringMatching(/\S/),
      });
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(get.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(names);
      for (const { name, description } of get.parameters) expect(description, `${path} ${name}`).toMatch(/\S/);
      expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '429', '500']));
      expect('304' in get.responses).toBe(!/\/reit/.test(path));
    }
    for (const [status, paths] of [
      ['301', ['/assets/{id}', '/assets/{id}/sources', '/assets/{id}/reit', '/assets/{id}/reit.csv']],
      ['400', ENDPOINTS.map(({ path }) => path).filter((path) => path !== '/openapi.json')],
    ] as const) {
      for (const path of paths) expect(document.paths[`${API_ROOT}${path}`].get.responses).toHaveProperty(status);
    }
  });

  it.each(ENDPOINTS)('API-09 has an example of $path that the closed schema holds', ({ answer }) => {
    expect([...Compile(answer.schema).Errors(answer.example)]).toEqual([]);
  });

  it('API-09 describes every field of a record and its coverage', () => {
    const { Fields, AreaSummary } = document.components.schemas;
    const scalars = FIELD_NAMES.filter((field) => field !== 'aliases' && field !== 'assetTypes');
    expect(Object.keys(Fields.properties)).toEqual(scalars);
    for (const field of scalars) expect(Fields.properties[field].description).toMatch(/\S/);
    expect(Object.keys(AreaSummary.properties.coverage.properties)).toEqual(FIELD_NAMES);
  });

  it('VER-01 leaves room to grow: no schema is closed', () => {
    expect(JSON.stringify(document)).not.toContain('additionalProperties');
  });

  it('describes each named schema once and refers to it', () => {
    const text = JSON.stringify(document.paths);
    expect(text).not.toContain('"sourceRecordId":{');
    expect(document.components.schemas.BuildingPage.properties.fields).toEqual({ $ref: '#/components/schemas/Fields' });
    expect(document.components.schemas.Location.properties.lat.type).toEqual(['number', 'null']);
  });
});

onBothEngines('the endpoints of the document', (fresh) => {
  let small: SmallRegistry;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
  });
  afterAll(() => small.close());

  /** The URL that the examples of the parameters give. */
  const exampleOf = (path: string) => {
    const { parameters } = document.paths[path].get as Described;
    const query = new URLSearchParams();
    for (const { in: place, name, example } of parameters) {
      if (place === 'query' && example !== undefined) query.set(name, example);
    }
    const filled = parameters.reduce(
      (url, { name, example = '' }) => url.replace(`{${name}}`, encodeURIComponent(example)),
      path,
    );
    return { filled, asked: `${filled}?${query}` };
  };

  it.each(Object.keys(document.paths))('API-09 answer as it says: %s', async (path) => {
    const { filled, asked } = exampleOf(path);
    for (const url of [filled, asked]) {
      const answer = await small.app.inject({ url });
      expect(answer.statusCode, url).toBe(200);
      const { etag } = answer.headers;
      expect(etag === undefined, url).toBe(answer.headers['cache-control'] === 'no-store');
      if (etag !== undefined) {
        expect((await small.app.inject({ url, headers: { 'if-none-match': etag } })).statusCode).toBe(304);
      }
      expect((await small.app.inject({ url, method: 'HEAD' })).statusCode).toBe(200);
      expect((await small.app.inject({ url, method: 'POST' })).statusCode).toBe(405);
    }
    for (const value of ['%zz', 'zzz']) {
      const url = path.replaceAll(/\{\w+\}/g, value);
      if (url !== path) expect([200, 400, 404]).toContain((await small.app.inject({ url })).statusCode);
    }
  });
});

describe('checkers from outside', () => {
  it('API-09 the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(document)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const { paths: _, ...broken } = document;
    expect((await validator.validate({ ...broken, paths: [] })).valid).toBe(false);
  });

  it('API-09 the document has nothing for a linter to say', () => {
    expect(lint(document)).toEqual({ status: 0, problems: [] });
    const { summary: _, ...operation } = document.paths[URL].get;
    const worse = lint({ ...document, paths: { ...document.paths, [URL]: { get: operation } } });
    expect(worse.problems).toEqual(['operation-summary']);
  });
});

describe('the check of every answer', () => {
  const asset = `${API_ROOT}/assets/ASSET-JP-13-00000001`;
  const { answer: building } = ENDPOINTS.find(({ path }) => path === '/assets/{id}') ?? {};
  const headers = { 'content-type': 'application/json; charset=utf-8', etag: '"a"', 'cache-control': 'public' };
  const good = {
    method: 'GET',
    target: asset,
    status: 200,
    headers,
    body: Buffer.from(JSON.stringify(building?.example)),
  };
  const bodyWith = (more: object) => Buffer.from(JSON.stringify({ ...(building?.example as object), ...more }));
  const { etag: _, ...untagged } = headers;

  it('API-09 finds nothing wrong in a correct response', () => {
    expect(faultsInAnswer(good)).toEqual([]);
    expect(faultsInAnswer({ ...good, target: '/japan/elsewhere', status: 599 })).toEqual([]);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('API-09 reads what is compressed: %s', (encoding, compress) => {
    const packed = (body: Buffer) => ({
      ...good,
      headers: { ...headers, 'content-encoding': encoding },
      body: compress(body),
    });
    expect(faultsInAnswer(packed(good.body))).toEqual([]);
    expect(faultsInAnswer(packed(bodyWith({ extra: 1 })))).not.toEqual([]);
  });

  it('API-09 is on in every server that a test opens, injected and on the wire', async () => {
    const undescribed = { etag: '"a"', body: bodyWith({ extra: 1 }) };
    const open = () => serverOn({ ...emptyRegistry, getPage: async () => ({ ok: true, value: undescribed }) });
    await expect(open().inject({ url: asset })).rejects.toThrow(/closed/);
    await listening(open(), (port) => ask(port, { path: asset }));
    expect(takeFaultsSent().join()).toMatch(/closed/);
  });

  it.each<[string, Partial<typeof good>, RegExp]>([
    ['a status that is not described', { status: 418 }, /no such status/],
    ['a field that is not described', { body: bodyWith({ extra: 1 }) }, /closed/],
    ['a field of another type', { body: bodyWith({ path: 1 }) }, /\/path must be string/],
    ['a field that is missing', { body: bodyWith({ sources: undefined }) }, /required/],
    ['a body that is no JSON', { body: Buffer.from('{') }, /no JSON/],
    ['another media type', { headers: { ...headers, 'content-type': 'text/html' } }, /Content-Type/],
    ['a header that is missing', { headers: untagged as typeof headers }, /ETag is missing/],
    [
      'a header of another type',
      { headers: { ...headers, 'x-ratelimit-limit': 'many' } as never },
      /X-RateLimit-Limit/,
    ],
    ['a record where there is no endpoint', { target: `${API_ROOT}/nowhere` }, /must be one of 404/],
    ['an answer to another method', { method: 'POST' }, /must be one of 405/],
    ['a body where there must be none', { status: 304 }, /no body/],
  ])('API-09 finds %s', (_, change, told) => {
    expect(faultsInAnswer({ ...good, ...change }).join('\n')).toMatch(told);
  });
});

/** The recommended rules of Redocly, without telemetry and without a look for newer versions. */
function lint(value: unknown): { status: number | null; problems: string[] } {
  const require = createRequire(import.meta.url);
  const command = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const dir = mkdtempSync(join(tmpdir(), 'tatemono-lint-'));
  try {
    writeFileSync(join(dir, 'openapi.json'), JSON.stringify(value));
    const { status, stdout } = spawnSync(
      process.execPath,
      [command, 'lint', 'openapi.json', '--extends=recommended', '--format=json'],
      {
        cwd: dir,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
      },
    );
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] };
    return { status, problems: problems.map(({ ruleId }) => ruleId) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
