import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import { AreaSummarySchema, OwnerPortfolioSchema, SearchEnvelopeSchema } from '../../src/vocabulary/api-shapes.ts';
import { BuildingPageSchema, SourcesSchema } from '../../src/vocabulary/building-page.ts';
import { onBothEngines } from '../support/engines.ts';
import { id, record } from '../support/records.ts';
import { type Answer, expectProblem, expectRefusal, MARK, serverOn } from '../support/serving.ts';
import { openSmallRegistry, SMALL, type SmallRegistry } from '../support/small-registry.ts';
import { randomRuns } from '../support/test-length.ts';
import { ask, exchange } from '../support/wire.ts';

const ROOT = '/japan/api/v1';

/** Every endpoint: its path, with `*` for a parameter, and the schema of its response. */
const ENDPOINTS = {
  '/assets': Compile(SearchEnvelopeSchema),
  '/assets/*': Compile(BuildingPageSchema),
  '/assets/*/sources': Compile(SourcesSchema),
  '/owners/*/assets': Compile(OwnerPortfolioSchema),
  '/areas/*': Compile(AreaSummarySchema),
  '/areas/*/*': Compile(AreaSummarySchema),
  '/areas/*/*/*': Compile(AreaSummarySchema),
} as const;
type Endpoint = keyof typeof ENDPOINTS;
const PATHS = Object.keys(ENDPOINTS) as Endpoint[];

const percent = (bytes: Iterable<number>) => [...bytes].map((b) => `%${b.toString(16).padStart(2, '0')}`).join('');

/** Percent-escaped values that databases, decoders and file systems often mishandle. */
const HOSTILE = [
  ...['%00', '%00%00', 'a%00b', '%01', '%0A', '%0D%0A', '%1B[31m', '%7F', '%C2%85', '%E2%80%A8', '%EF%BB%BF'],
  ...[
    '%ED%A0%80',
    '%ED%BF%BF',
    '%ED%A0%BD%ED%B8%80',
    '%C0%80',
    '%C0%AF',
    '%E0%80%AF',
    '%F4%90%80%80',
    '%F8%88%80%80%80',
  ],
  ...[
    '%FF',
    '%FE%FF',
    '%80',
    '%C3',
    '%E3%81',
    '%EF%BF%BE',
    '%EF%BF%BF',
    '%F0%9F%8F%A2',
    '%F0%A0%AE%B7',
    '%',
    '%%',
    '%zz',
  ],
  ...[
    '%2',
    '%u0041',
    '%25',
    '%2500',
    '%2F',
    '%2f',
    '%5C',
    '..',
    '.',
    '...',
    '%2e%2e',
    '%2e%2e%2f',
    '..%2F..%2Fetc%2Fpasswd',
  ],
  ...[
    "'",
    "''--",
    '%27%20or%201=1--',
    '%22',
    '%60',
    '*',
    '_',
    '%25%25',
    '\\x00',
    '$1',
    '%3F',
    '{}',
    '[]',
    ':id',
    '+',
    '%2B',
  ],
  ...[
    'NaN',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    'toString',
    '-1',
    '1e308',
    '9'.repeat(40),
    '%E7%AB%8B'.repeat(150),
  ],
  ...[
    'a'.repeat(2_500),
    'tokyo',
    'chiyoda-ku',
    'marunouchi-1-chome',
    SMALL.full,
    SMALL.chain[0],
    SMALL.retired,
    'owner',
    '',
  ],
];
const escaped = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text));
const bytes = fc.uint8Array({ maxLength: 12 }).map(percent);
const punctuation = fc.string({ unit: fc.constantFrom(...'%20zZaF.~-_!$\'()*+,;:@[]{}|\\^`"<>'), maxLength: 12 });
const piece = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...HOSTILE) }, escaped, bytes, punctuation);
const segment = fc.oneof(
  piece,
  fc.array(fc.oneof(piece, fc.constant(MARK)), { maxLength: 3 }).map((pieces) => pieces.join('')),
);
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('q', 'prefecture', 'ward', 'machiAza', 'type', 'page') },
  fc.constantFrom('q[]', 'q[a]', 'q%5B%5D', 'Q', 'page[]', '__proto__', 'constructor', '', MARK),
  segment,
);
const query = fc
  .array(fc.tuple(name, fc.constantFrom('=', '=', '=', '', '=='), fc.array(segment, { maxLength: 2 })), {
    maxLength: 4,
  })
  .map((parts) => parts.map(([key, sign, values]) => `${key}${sign}${values.join('+')}`).join('&'));

/** Requests every target in turn and reports all that give an unexpected response. */
async function expectAllKnown(
  targets: Iterable<readonly [Endpoint, string]>,
  get: (target: string) => Promise<Answer>,
): Promise<void> {
  const faults: string[] = [];
  for (const [endpoint, target] of targets) {
    const answer = await get(target);
    if (answer.status >= 500) faults.push(`${answer.status} ${target}`);
    else expectKnown(endpoint, answer, target);
  }
  expect(faults).toEqual([]);
}

function expectKnown(endpoint: Endpoint, answer: Answer, what: string): void {
  if (answer.status === 200) {
    expect(ENDPOINTS[endpoint].Check(JSON.parse(answer.body)), what).toBe(true);
  } else if (answer.status === 301) {
    expect(answer.headers.location).toMatch(/^\/japan\/api\/v1\/assets\/ASSET-JP-\d\d-\d{8}(\/sources)?(\?|$)/);
    expect(answer.body).toBe('');
  } else {
    expect([400, 404], what).toContain(answer.status);
    expectProblem(answer, [400, 404]);
  }
}

onBothEngines('hostile requests', (fresh) => {
  let small: SmallRegistry;
  let app: FastifyInstance;
  let port: number;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
    await small.ingest([record('jreit', 'j1', { ownerPublic: 'owner' }, { building: id(1) })]);
    app = serverOn(openRegistry(small.context.storage));
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    agent.destroy();
    await app.close();
    await small.close();
  });
  const get = (target: string) => ask(port, { path: `${ROOT}${target}`, agent });

  it('API-04 API-06 every hostile value in every path parameter, alone and with a marker', async () => {
    const targets = PATHS.filter((path) => path.includes('*')).flatMap((endpoint) =>
      HOSTILE.flatMap((hostile) => {
        const all = [hostile, `${MARK}${hostile}${MARK}`].map((value) => endpoint.replaceAll('*', () => value));
        const last = endpoint.replace(/\*(?!.*\*)/, () => hostile).replaceAll('*', 'tokyo');
        return [...all, last].map((target) => [endpoint, target] as const);
      }),
    );
    await expectAllKnown(targets, get);
  });

  it('API-04 API-06 SEA-01 every hostile value in every query parameter, alone and with a marker', async () => {
    const targets = ['q', 'prefecture', 'ward', 'machiAza', 'type', 'page'].flatMap((parameter) =>
      HOSTILE.flatMap((hostile) => [hostile, `${MARK}${hostile}${MARK}`, `%E3%83%93%E3%83%AB+${hostile}`]).map(
        (value) => ['/assets', `/assets?${parameter}=${value}`] as const,
      ),
    );
    await expectAllKnown(targets, get);
  });

  it('API-04 API-06 ARE-02 OWN-01 every endpoint with any path and query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        fc.tuple(segment, segment, segment),
        fc.option(query, { freq: 1 }),
        async (endpoint, segments, queryString) => {
          let i = 0;
          const path = endpoint.replaceAll('*', () => segments[i++] as string);
          const target = queryString === null ? path : `${path}?${queryString}`;
          expectKnown(endpoint, await get(target), target);
        },
      ),
      { numRuns: randomRuns(400) },
    );
  });

  it('API-04 API-06 SEA-01 search with any parameters', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (queryString) => {
        expectKnown('/assets', await get(`/assets?${queryString}`), queryString);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('API-04 API-06 raw bytes in the request line never cause an internal error', async () => {
    const raw = fc.uint8Array({ minLength: 1, maxLength: 8 }).map((list) => Buffer.from(list).toString('latin1'));
    const hostile = fc.constantFrom(
      '\0',
      '\xff',
      '\xe5\xbb\xba',
      '\xed\xa0\x80',
      '\xc0\x80',
      '\x1b',
      '\t',
      ' ',
      '\r',
      '\x7f',
      '#',
    );
    const targets = [
      ...[`/assets?q=*`, `/assets?prefecture=*`, `/assets?*`, `/assets/*`, `/assets/${SMALL.chain[0]}?*`, '/areas/*'],
      ...[`/assets/${SMALL.chain[0]}/sources?x=*`, '/owners/*/assets', '/owners/x/assets?*', '/areas/tokyo/*', '*'],
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...targets), fc.oneof(raw, hostile), async (target, bytes) => {
        const line = `GET ${ROOT}${target.replace('*', () => `${MARK}${bytes}`)} HTTP/1.1`;
        const answer = await exchange(port, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        expect([200, 301, 400, 404], JSON.stringify(line)).toContain(answer.status);
        // Without a slash after the version it is a page path, not an API path.
        const isPage = target === '*' && String(answer.headers['content-type']).startsWith('text/html');
        if (answer.status >= 400) (isPage ? expectRefusal : expectProblem)(answer, [400, 404]);
      }),
      {
        numRuns: randomRuns(150),
        examples: targets.flatMap((target) => ['\0', '\xff', '\xe5\xbb\xba'].map((b): [string, string] => [target, b])),
      },
    );
  });

  it('API-04 API-06 the service still works afterwards', async () => {
    for (const [endpoint, target] of [
      ['/assets', '/assets'],
      ['/assets/*', `/assets/${SMALL.full}`],
      ['/owners/*/assets', '/owners/owner/assets'],
      ['/areas/*', '/areas/tokyo'],
    ] as const) {
      const answer = await get(target);
      expect(answer.status).toBe(200);
      expectKnown(endpoint, answer, target);
    }
  });
});
