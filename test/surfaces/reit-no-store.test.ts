import { describe, expect, it } from 'vitest';
import type { GetFailure, Registry } from '../../src/registry/registry.ts';
import type { ServerOptions } from '../../src/surfaces/server.ts';
import { ok } from '../../src/vocabulary/result.ts';
import { assetUrl, emptyRegistry, faultyRegistry, uncheckedServerOn } from '../support/serving.ts';
import { ask, exchange, listening } from '../support/wire.ts';

const ID = 'ASSET-JP-13-00000001';
interface Case {
  what: string;
  status: number;
  targets: ((id: string) => string)[];
  method?: string;
  id?: string;
  registry?: Registry;
  options?: Partial<ServerOptions>;
  /** Follows the target. */
  rest?: string;
}

const ENDPOINTS = ['/reit', '/reit.csv', '/reit.jsonld', '/%72eit', '/reit%2Ecsv'].map(
  (form) => (id: string) => assetUrl(id, `${form}?a=1`),
);
const PAGES = ['?tab=reit', '?a=b&tab=%72eit'].map((query) => (id: string) => `/japan/tokyo/a-ku/b/${id}${query}`);
const ALL = [...ENDPOINTS, ...PAGES];

const CASES: Case[] = [
  { what: 'an unknown building', status: 404, targets: ALL },
  { what: 'a malformed ID', status: 400, targets: ENDPOINTS, id: 'x', registry: failing({ kind: 'malformedId' }) },
  { what: 'a path that does not decode', status: 400, targets: ALL, id: '%ff' },
  {
    what: 'a merged building',
    status: 301,
    targets: ENDPOINTS,
    registry: failing({ kind: 'movedBuilding', survivor: 1_300_000_002 }),
  },
  {
    what: 'another address of a page',
    status: 301,
    targets: [(id) => `/japan/id/${id}?tab=reit`],
    registry: { ...emptyRegistry, getPage: async () => ok({ etag: '"a"', body: Buffer.from('{"path":"/japan/a"}') }) },
  },
  { what: 'a slash at the end', status: 308, targets: PAGES, id: '' },
  { what: 'another method', status: 405, targets: ALL, method: 'POST' },
  { what: 'another method, and a path that does not decode', status: 405, targets: ALL, id: '%ff', method: 'DELETE' },
  { what: 'a method that HTTP does not have', status: 405, targets: ALL, method: 'BREW' },
  { what: 'a tunnel', status: 405, targets: ALL, method: 'CONNECT' },
  { what: 'a fault', status: 500, targets: ALL, registry: faultyRegistry(new Error('SECRET')) },
  { what: 'too many requests', status: 429, targets: ALL, options: { rateLimit: { api: 1, page: 1, mcp: 1 } } },
  { what: 'too many headers', status: 431, targets: ALL, rest: 'a:\r\n'.repeat(200) },
  { what: 'headers that are too large', status: 431, targets: ALL, rest: `X-A: ${'a'.repeat(20_000)}\r\n` },
  { what: 'characters that must be escaped', status: 400, targets: ALL.map((target) => (id) => `${target(id)}\xe5`) },
];

function failing(failure: GetFailure): Registry {
  return { ...emptyRegistry, getPage: async () => ({ ok: false, failure }) };
}

describe('responses about REITs', () => {
  it.each(CASES)('REIT-05 must not be stored: $what ($status)', async ({ status, targets, ...of }) => {
    const { method = 'GET', id = ID, registry = emptyRegistry, options, rest = '' } = of;
    await listening(uncheckedServerOn(registry, undefined, options), async (port) => {
      if (options !== undefined) for (const path of [assetUrl(ID), '/japan']) await ask(port, { path });
      for (const target of targets) {
        const answer = await exchange(port, `${method} ${target(id)} HTTP/1.1\r\nHost: a\r\n${rest}\r\n`);
        expect([answer.status, answer.headers['cache-control']], target(id)).toEqual([status, 'no-store']);
      }
    });
  });

  it('REIT-05 other responses may be stored', async () => {
    const app = uncheckedServerOn(failing({ kind: 'unknownBuilding' }));
    for (const url of [
      assetUrl(ID),
      assetUrl(ID, '/sources?tab=reit'),
      `/japan/id/${ID}?tab=sources`,
      '/japan/about/',
    ]) {
      expect((await app.inject({ url })).headers['cache-control'], url).not.toBe('no-store');
    }
    await app.close();
  });
});
