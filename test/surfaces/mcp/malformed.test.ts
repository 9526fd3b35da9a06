import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSIONS } from '../../../src/surfaces/mcp/versions.ts';
import {
  callOf,
  expectRpcError,
  expectUnlimited,
  gauge,
  initialize,
  type McpSession,
  message,
  PING,
  post,
} from '../../support/mcp.ts';
import { emptyRegistry, expectNothingInside, MARK, uncheckedServerOn } from '../../support/serving.ts';
import { randomRuns } from '../../support/test-length.ts';

let app: FastifyInstance;
let port: number;
/** Sessions of the newest version, and of one that supports batches. */
let session: McpSession;
let older: McpSession;
beforeAll(async () => {
  app = uncheckedServerOn(emptyRegistry);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
  session = await initialize(port);
  older = await initialize(port, VERSIONS[3]);
});
afterAll(() => app.close());

const UNREADABLE = -32_700;
const INVALID = -32_600;
const deep = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);
const withId = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;

it.each<[string, string | Buffer]>([
  ['words', MARK],
  ['truncated JSON', message('ping', { name: MARK }).slice(0, -3)],
  ['text after JSON', `${PING}${MARK}`],
  ['two messages', `${PING}\n${PING}`],
  ['JSON with a comment', `${PING}//${MARK}`],
  ['single quotes', `{'jsonrpc':'2.0','id':1,'method':'${MARK}'}`],
  ['NaN for an id', withId('NaN')],
  ['a form', `jsonrpc=2.0&method=${MARK}`],
  ['nothing', ''],
  ['white space', ' \r\n\t'],
  ['a NUL byte', `${PING}\0`],
  ['a byte that is not UTF-8', Buffer.concat([Buffer.from(PING.slice(0, -1)), Buffer.from([0xff, 0x7d])])],
  [
    'half a character',
    Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","id":"`),
      Buffer.from([0xe5, 0xbb]),
      Buffer.from('","method":"ping"}'),
    ]),
  ],
  [
    'a lone surrogate in UTF-8',
    Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","id":"`),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('","method":"ping"}'),
    ]),
  ],
  [
    'an overlong slash',
    Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","id":"`),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from('","method":"ping"}'),
    ]),
  ],
  ['UTF-16', Buffer.from(PING, 'utf16le')],
  ['two byte order marks', `\uFEFF\uFEFF${PING}`],
  ['a byte order mark alone', '\uFEFF'],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
  ['brackets that are never closed', '['.repeat(60_000)],
  ['braces that are never closed', '{"a":'.repeat(12_000)],
])('MCP-01 a body that is not JSON gives 400 and -32700: %s', async (_, body) => {
  expectRpcError(await post(port, body, session.headers), 400, UNREADABLE);
  expectRpcError(await post(port, body), 400, UNREADABLE);
});

it.each([
  ['null', 'null'],
  ['a number', '1'],
  ['a string', `"${MARK}"`],
  ['true', 'true'],
  ['an empty object', '{}'],
  ['an empty batch', '[]'],
  ['a batch of 51', `[${Array(51).fill(PING).join()}]`],
  ['a batch in a batch', `[[${PING}]]`],
  ['a batch with a number', `[${PING},1]`],
  ['a batch with a null', `[null,${PING}]`],
  ['arrays 30,000 deep', deep(30_000)],
  ['arrays 30,000 deep around a request', deep(30_000, PING)],
  ['arrays 30,000 deep for an id', withId(deep(30_000))],
  ['arrays 30,000 deep for a method', `{"jsonrpc":"2.0","id":1,"method":${deep(30_000)}}`],
  ['an id that is null', withId('null')],
  ['an id that is a fraction', withId('1.5')],
  ['an id that is true', withId('true')],
  ['an id that is an object', withId(`{"a":"${MARK}"}`)],
  ['an id that is an array', withId('[1]')],
  ['an id that overflows to infinity', withId('1e400')],
  ['an id above the safe integers', withId('9007199254740993')],
  ['an id below the safe integers', withId('-9007199254740993')],
  ['another version of JSON-RPC', `{"jsonrpc":"1.0","id":1,"method":"${MARK}"}`],
  ['a version that is a number', '{"jsonrpc":2.0,"id":1,"method":"ping"}'],
  ['no version', '{"id":1,"method":"ping"}'],
  ['no method', '{"jsonrpc":"2.0","id":1}'],
  ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":1}'],
  ['a method that is null', '{"jsonrpc":"2.0","id":1,"method":null}'],
  ['a prototype instead of a message', '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}'],
  ['a prototype instead of a method', '{"jsonrpc":"2.0","id":1,"__proto__":{"method":"ping"}}'],
])('MCP-01 an invalid message gives 400 and -32600: %s', async (_, body) => {
  for (const { headers } of [session, older]) expectRpcError(await post(port, body, headers), 400, INVALID);
  expectRpcError(await post(port, body), 400, INVALID);
});

describe('valid messages with any content', () => {
  const ask = async (body: string, headers = session.headers) => {
    const answer = await post(port, body, headers);
    expect(answer.status).toBe(200);
    expectNothingInside(answer);
    expectUnlimited(answer);
    return JSON.parse(answer.body);
  };

  it.each([
    ['an array', `["${MARK}"]`],
    ['arrays 30,000 deep', deep(30_000)],
    ['a string', `"${MARK}"`],
    ['a number', '5'],
    ['a _meta that is none', '{"_meta":5}'],
    ['a progress token that is none', '{"_meta":{"progressToken":1.5}}'],
  ])('MCP-01 params that are %s are invalid for any method, and the id is returned', async (_, params) => {
    for (const method of ['ping', 'initialize', 'tools/list', 'tools/call', MARK]) {
      const headers = method === 'initialize' ? {} : session.headers;
      const answer = await ask(`{"jsonrpc":"2.0","id":"me","method":"${method}","params":${params}}`, headers);
      expect(answer).toMatchObject({ id: 'me', error: { code: -32_602 } });
    }
  });

  it('MCP-01 null params count as omitted, and unknown members are ignored', async () => {
    for (const more of ['"params":null', `"${MARK}":1`, '"result":1', '"__proto__":{"id":5}']) {
      expect(await ask(`{"jsonrpc":"2.0","id":1,"method":"ping",${more}}`)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {},
      });
    }
    const notification = await post(
      port,
      '{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}',
      session.headers,
    );
    expect(notification.status).toBe(202);
  });

  it.each(['0', '-1', '9007199254740991', '-9007199254740991', '1.0', '1e3', '""', '"a"', '"\\u5efa\\u0000\\ud800"'])(
    'MCP-01 the id %s is returned unchanged',
    async (id) => {
      expect(await ask(withId(id))).toEqual({ jsonrpc: '2.0', id: JSON.parse(id), result: {} });
    },
  );

  it('MCP-01 a leading byte order mark is ignored', async () => {
    expect(await ask(`\uFEFF${PING}`)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('MCP-01 an unknown method has its own error code', async () => {
    for (const method of [
      MARK,
      '__proto__',
      'constructor',
      'toString',
      '',
      'tools/',
      'resources/list',
      'server/discover',
    ]) {
      const { id, error } = await ask(message(method));
      expect([method, id, error.code]).toEqual([method, 1, -32_601]);
    }
  });

  it('MCP-11 an unknown tool gives an error', async () => {
    for (const name of [MARK, '__proto__', 'constructor', 'toString', '']) {
      expect((await ask(message('tools/call', { name }))).error.code).toBe(-32_602);
    }
  });

  it.each([
    ['no name', '{}'],
    ['a name that is no text', '{"name":1}'],
    ['arguments that are an array', `{"name":"get_asset","arguments":["${MARK}"]}`],
    ['arguments that are text', `{"name":"get_asset","arguments":"${MARK}"}`],
    ['arguments that are null', '{"name":"get_asset","arguments":null}'],
    ['a prototype instead of a name', '{"__proto__":{"name":"get_asset"}}'],
  ])('MCP-11 invalid call params give an error: %s', async (_, params) => {
    const { id, error } = await ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    expect([id, error.code]).toEqual([1, -32_602]);
  });

  it.each([
    ['arrays 30,000 deep', `{"id":${deep(30_000)}}`],
    ['objects 10,000 deep', `{"id":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
    ['a prototype', '{"__proto__":{"id":"ASSET-JP-13-00000001"}}'],
    ['a constructor', `{"id":"${MARK}","constructor":{"prototype":{"polluted":true}}}`],
  ])('MCP-11 unknown arguments are a tool error: %s', async (_, args) => {
    const { result } = await ask(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_asset","arguments":${args}}}`,
    );
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^invalid_input: /) }] });
    expect(result.content[0].text.length).toBeLessThan(1_000);
    expect({}).not.toHaveProperty('polluted');
  });

  it('MCP-01 a notification or a response gets 202', async () => {
    for (const body of [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      `{"jsonrpc":"2.0","method":"${MARK}","params":{"__proto__":{"polluted":true}}}`,
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_asset"}}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
    ]) {
      expect(await post(port, body, session.headers)).toMatchObject({ status: 202, body: '' });
    }
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([1, 3_000])('MCP-11 the names of %i unknown arguments are not echoed', async (count) => {
    const names = Array.from({ length: count }, (_, i) => `${MARK}${i}`);
    const args = Object.fromEntries([['id', 'ASSET-JP-13-00000001'], ...names.map((name) => [name, 1])]);
    const answer = await post(port, callOf('get_asset', args), session.headers);
    expect(answer.body.length).toBeLessThan(1_000);
    expectNothingInside(answer);
  });

  it('MCP-11 a __proto__ among the arguments changes nothing', async () => {
    const args = '{"id":"ASSET-JP-13-00000001","__proto__":{"polluted":true,"id":"x"}}';
    const { result } = await ask(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_asset","arguments":${args}}}`,
    );
    expect(result.content[0].text).toMatch(/^not_found/);
    expect({}).not.toHaveProperty('polluted');
  });

  const SHORT_OF = [
    {},
    { protocolVersion: VERSIONS[0] },
    { protocolVersion: 1, capabilities: {}, clientInfo: { name: MARK, version: '1' } },
    { protocolVersion: VERSIONS[0], capabilities: MARK, clientInfo: { name: MARK, version: '1' } },
    { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: {} },
  ];

  it.each(SHORT_OF)('MCP-02 an incomplete initialize opens no session: %j', async (params) => {
    const before = await gauge(port, 'sessions');
    const answer = await post(port, message('initialize', params));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expectNothingInside(answer);
    expect(await gauge(port, 'sessions')).toBe(before);
  });

  it.each(SHORT_OF)(
    'MCP-02 an incomplete initialize gives "invalid params", not an internal error: %j',
    async (params) => {
      const { body } = await post(port, message('initialize', params));
      expect(JSON.parse(body).error.code).toBe(-32_602);
    },
  );

  it('MCP-01 a cursor that is not a string is refused too', async () => {
    expect((await ask(message('tools/list', { cursor: 5 }))).error.code).toBe(-32_602);
  });
});

it('MCP-01 any bytes and any JSON are answered as specified, without an internal error', async () => {
  const key = fc.constantFrom(
    'jsonrpc',
    'id',
    'method',
    'params',
    'name',
    'arguments',
    '_meta',
    '__proto__',
    'q',
    'page',
  );
  const value = fc.oneof(
    fc.constantFrom('2.0', 'ping', 'tools/list', 'tools/call', 'search_assets', 'get_asset', 1, 0, null, MARK),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const like = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value)))));
  const request = like.map((more) => ({ ...more, jsonrpc: '2.0', id: 1 }));
  const whole = fc.oneof(like, request, fc.array(fc.oneof(like, request), { maxLength: 4 }), fc.jsonValue());
  const body = fc.oneof(
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 4, arbitrary: whole.map((json) => Buffer.from(JSON.stringify(json))) },
  );
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (bytes, isOlder) => {
      const answer = await post(port, bytes, (isOlder ? older : session).headers);
      expect([200, 202, 400]).toContain(answer.status);
      if (answer.status === 202) expect(answer.body).toBe('');
      else {
        for (const response of [JSON.parse(answer.body)].flat()) {
          expect(response.jsonrpc).toBe('2.0');
          expect(response.error?.code).not.toBe(-32_603);
          expect('error' in response).not.toBe('result' in response);
          if (answer.status === 400) expect(response.id).toBe(null);
        }
      }
    }),
    { numRuns: randomRuns(1_000) },
  );
});
