import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { PathQuestions, Registry } from '../../src/registry/registry.ts';
import type { Reit } from '../../src/reit/life/reit.ts';
import { API_ROOT } from '../../src/surfaces/http/surface.ts';
import { buildServer, type ServerOptions } from '../../src/surfaces/server.ts';
import type { CountrySummary } from '../../src/vocabulary/api-shapes.ts';
import { FIELD_NAMES } from '../../src/vocabulary/fields.ts';
import { ok } from '../../src/vocabulary/result.ts';
import { checkAnswers } from './api-answers.ts';

/** Part of every input that a response must not echo. */
export const MARK = 'zzINPUTzz';

export const assetUrl = (id: string, rest = '') => `${API_ROOT}/assets/${id}${rest}`;

/** The server of `tatemono serve`, silent and by default without rate limits. Every response is checked against the OpenAPI document. */
export function serverOn(...args: Parameters<typeof uncheckedServerOn>): FastifyInstance {
  return checkAnswers(uncheckedServerOn(...args));
}

/** Without that check, for tests with data that no registry would return. */
export function uncheckedServerOn(
  registry: Registry,
  isReady: () => Promise<boolean> = async () => true,
  options: Partial<ServerOptions> = {},
): FastifyInstance {
  return buildServer({
    registry,
    reit: reitOf(registry),
    isReady,
    logLevel: 'silent',
    trustProxy: false,
    baseUrl: undefined,
    rateLimit: { api: 0, page: 0, mcp: 0 },
    ...options,
  });
}

/** No REIT publications for the buildings of a registry. */
export const reitOf = (registry: Pick<Registry, 'getPage'>): Reit => ({
  async served(buildingId) {
    const found = await registry.getPage(buildingId);
    return found.ok ? { ok: true, value: [] } : found;
  },
  servedBuildings: async () => new Set(),
});

/** A registry whose every query throws the same error. */
export function faultyRegistry(fault: unknown): Registry {
  const fail = async () => {
    throw fault;
  };
  return {
    getPage: fail,
    getSources: fail,
    findSourceRecord: fail,
    getSummary: fail,
    getVersions: fail,
    search: fail,
    list: fail,
    listRecords: fail,
    readFeatures: fail,
    getExtent: fail,
    getOwner: fail,
    suggest: fail,
    findAreas: fail,
    findOffers: fail,
    match: fail,
    suggestIds: fail,
    findFormer: fail,
    getArea: fail,
    getCountry: fail,
    holdsSample: fail,
    getPortfolio: fail,
    paths: { hubs: { list: fail, read: fail }, buildings: { list: fail, read: fail } },
    getTile: fail,
    getAreaTile: fail,
    getMapPoints: fail,
    readMapPoints: fail,
  };
}

const NO_PATHS: PathQuestions = { list: async () => [], read: async () => ({ ok: true, value: undefined }) };

/** A registry without buildings. */
export const emptyRegistry: Registry = {
  getPage: async () => ({ ok: false, failure: { kind: 'unknownBuilding' } }),
  findSourceRecord: async () => undefined,
  getSources: async () => ({ ok: false, failure: { kind: 'unknownBuilding' } }),
  getSummary: async () => ({ ok: false, failure: { kind: 'unknownBuilding' } }),
  getVersions: async () => [],
  search: async () => ({ etag: '"none"', body: Buffer.from('{"items":[],"page":1,"total":0,"totalCapped":false}') }),
  list: async () => {
    throw new Error('emptyRegistry has no list');
  },
  listRecords: async () => {
    throw new Error('emptyRegistry has no list');
  },
  readFeatures: async () => {
    throw new Error('emptyRegistry has no features');
  },
  getExtent: async () => ({ bbox: undefined, interval: undefined }),
  getOwner: async () => undefined,
  suggest: async () => [],
  holdsSample: async () => false,
  findAreas: async () => [],
  findOffers: async ({ others }) => ({ offers: [], counts: others.map(() => 0) }),
  suggestIds: async () => [],
  match: async (questions) => questions.map(() => ({ verdict: 'none', matched: null, candidates: [] })),
  findFormer: async () => undefined,
  getArea: async () => ({ ok: false, failure: { kind: 'unknownArea' } }),
  getPortfolio: async (owner) =>
    ok({
      etag: '"none"',
      body: Readable.from([Buffer.from(JSON.stringify({ owner, items: [] }))]),
      release() {},
    }),
  getCountry: async () => ({
    buildingCount: 0,
    latestRecordedAt: null,
    children: [],
    coverage: Object.fromEntries(FIELD_NAMES.map((field) => [field, 0])) as CountrySummary['coverage'],
  }),
  paths: { hubs: NO_PATHS, buildings: NO_PATHS },
  getTile: async () => ({ etag: '"none"', body: new Uint8Array(0) }),
  getAreaTile: async () => ({ etag: '"none"', body: new Uint8Array(0) }),
  getMapPoints: async () => ({ etag: '"none"', body: Buffer.from('{}') }),
  readMapPoints: async () => ({ type: 'FeatureCollection', total: 0, located: 0, bbox: null, features: [] }),
};

export interface Answer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

export function answerOf(response: LightMyRequestResponse): Answer {
  return { status: response.statusCode, headers: response.headers, body: response.body };
}

/** API-04: the shape of every error, without input or internals. */
export function expectProblem({ status, headers, body }: Answer, expected: number | readonly number[]): void {
  expect([expected].flat()).toContain(status);
  expect(String(headers['content-type'])).toMatch(/^application\/problem\+json(;|$)/);
  const problem = JSON.parse(body) as Record<string, unknown>;
  expect(Object.keys(problem).sort()).toEqual(['detail', 'status', 'title']);
  expect(problem).toMatchObject({ status, title: STATUS_CODES[status], detail: expect.stringMatching(/\S/) });
  expectNothingInside({ status, headers, body });
}

/** PAG-10, MD-02: an error of the page surface is HTML or Markdown, without input or internals. */
export function expectRefusal({ status, headers, body }: Answer, expected: number | readonly number[]): void {
  expect([expected].flat()).toContain(status);
  expect(String(headers['content-type'])).toMatch(/^text\/(html|markdown); charset=utf-8$/);
  expect(String(headers.vary)).toMatch(/\bAccept\b/);
  if (body !== '') expect(body).toContain(`${status} ${STATUS_CODES[status]}`);
  expectNothingInside({ status, headers, body });
}

export function expectNothingInside({ headers, body }: Answer): void {
  for (const text of [body, JSON.stringify(headers)]) {
    expect(text).not.toContain(MARK);
    expect(text).not.toMatch(/node_modules|node:internal|\.ts:\d|\.js:\d|SECRET/);
  }
}

/** Headers that depend on the connection or the time. */
const PASSING = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id']);

export function lastingHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !PASSING.has(name)));
}
