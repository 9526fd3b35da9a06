import type { InjectOptions } from 'fastify';
import { MODERN_VERSION, VERSIONS } from '../../src/surfaces/mcp/versions.ts';
import type { Random } from '../support/random.ts';
import { id } from '../support/records.ts';
import { MARK, mutate, mutateJson } from './mutate.ts';
import { expectHarmless, OWNER, openService } from './service.ts';
import { fault, show, type Target } from './target.ts';

const call = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Correct messages, whose parts the cases change. */
const messagesOf = (tools: readonly string[]): Record<string, unknown>[] => [
  ...['ping', 'tools/list', 'prompts/list', 'resources/list', 'server/discover'].map((method) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
  })),
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: MARK } },
  { jsonrpc: '2.0', id: 1, result: {} },
  ...tools.map((name) =>
    call(name, {
      ...{
        id: id(1),
        ids: [id(1), id(5)],
        q: '第1ビル',
        query: '丸の内',
        name: '第1ビル',
        address: '東京都千代田区丸の内1-9-2',
      },
      ...{
        owner: OWNER,
        prefecture: 'tokyo',
        ward: 'chiyoda-ku',
        machiAza: 'marunouchi-1-chome',
        type: 'office',
        page: 1,
      },
    }),
  ),
  ...tools.map((name) => call(name, { id: id(1) })),
  ...tools.map((name) => call(name, { q: 'ビル', page: 2 })),
];

const TOKENS = [
  ...[
    'jsonrpc',
    '2.0',
    '1.0',
    'id',
    'method',
    'params',
    'tools/call',
    'tools/list',
    'arguments',
    '_meta',
    'progressToken',
    'cursor',
  ],
  ...[MODERN_VERSION, ...VERSIONS, '1999-01-01', id(1), id(99), 'ASSET-JP-99-00000001', 'tokyo', ...Object.keys(META)],
];
const HEADERS = [
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'accept',
  'content-type',
  'origin',
  'host',
  'last-event-id',
];
const VALUES = [
  ...[
    MARK,
    '',
    ' ',
    '*/*',
    'text/event-stream',
    'application/json; charset=utf-16',
    'text/plain',
    'null',
    'https://evil.example',
  ],
  ...[
    MODERN_VERSION,
    ...VERSIONS,
    'tools/list',
    'tools/call',
    'a,b',
    'x'.repeat(4_000),
    '\xff',
    'application/json;q=0',
  ],
];

/** FUZ-02: JSON-RPC messages of both eras, alone and in batches, with right and wrong headers, in and out of sessions. */
export const mcp: Target = {
  name: 'mcp',
  atOnce: 4,
  async open() {
    const service = await openService();
    const send = (options: InjectOptions) => service.app.inject({ method: 'POST', url: '/japan/mcp', ...options });
    const usual = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: 'localhost',
    };
    const modern = (message: { method?: unknown; params?: unknown }) => ({
      ...{ ...usual, 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': String(message.method) },
      ...(message.method === 'tools/call' && { 'mcp-name': String((message.params as { name: string }).name) }),
    });
    const sessionOf = async (protocolVersion: string) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
      const { headers } = await send({
        headers: usual,
        payload: { jsonrpc: '2.0', id: 0, method: 'initialize', params },
      });
      return { ...usual, 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': protocolVersion };
    };
    let sessions = await Promise.all(VERSIONS.map(sessionOf));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
    const answer = await send({ headers: modern(list), payload: list });
    const tools = (answer.json() as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
    const messages = messagesOf(tools);

    const bodyOf = (random: Random, value: unknown): Buffer => {
      if (random.chance(0.6)) return Buffer.from(mutateJson(value, random, TOKENS));
      const text = Buffer.from(JSON.stringify(value));
      if (random.chance(0.05)) {
        const depth = random.below(60_000);
        return Buffer.from(text.toString().replace(/:(1|"[^"]*")/, `:${'['.repeat(depth)}${']'.repeat(depth)}`));
      }
      return mutate(text, random, TOKENS, Buffer.from(JSON.stringify(random.pick(messages))));
    };

    return {
      async run(random) {
        const message = random.pick(messages) as { method?: unknown; params?: object };
        const isModern = random.chance(0.5);
        const one = isModern ? { ...message, params: { ...message.params, _meta: META } } : message;
        const value = random.chance(0.15) ? random.some(60, () => random.pick(messages)) : one;
        const headers: Record<string, string> = { ...(isModern ? modern(message) : random.pick([usual, ...sessions])) };
        if (random.chance(0.25)) headers[random.pick(HEADERS)] = random.pick(VALUES);
        if (random.chance(0.1)) delete headers[random.pick(HEADERS)];
        const payload = bodyOf(random, value);
        const method = random.chance(0.03) ? random.pick(['GET', 'DELETE', 'PUT'] as const) : 'POST';
        const response = await send({ method, headers, payload });
        const head = Object.entries(response.headers)
          .map(([name, text]) => `${name}: ${text}`)
          .join('\r\n');
        // An answer has the ID of its request.
        const body = response.body.replaceAll(/("jsonrpc":"2\.0",)"id":"(?:[^"\\]|\\.)*"/g, '$1"id":""');
        expectHarmless(response.statusCode, head, body, payload);
        const errors = /^[{[]/.test(response.body) ? errorsIn(response.body) : '';
        if (errors.includes(MARK)) fault(`the input is echoed in an error: ${errors}: ${show(payload)}`);
        if (errors.includes('-32603')) fault(`an internal error: ${errors}: ${show(payload)}`);
      },
      async check() {
        service.checkLog();
        // Cases may have closed them.
        sessions = await Promise.all(VERSIONS.map(sessionOf));
      },
      close: () => service.close(),
    };
  },
};

/** The errors of a response or of a batch of them; the ID of a request is returned as it was. */
function errorsIn(body: string): string {
  const answers = [JSON.parse(body)].flat() as { error?: unknown; result?: { isError?: boolean; content?: unknown } }[];
  return JSON.stringify(
    answers.map(({ error, result }) => error ?? (result?.isError === true ? result.content : null)),
  );
}
