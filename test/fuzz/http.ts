import { connect } from 'node:net';
import { id } from '../support/records.ts';
import { MARK, mutate } from './mutate.ts';
import { expectHarmless, OWNER, openService } from './service.ts';
import { fault, type Target } from './target.ts';

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const post = (target: string, type: string, body: string, ...headers: string[]) =>
  [
    ...[
      `POST ${target} HTTP/1.1`,
      'Host: localhost',
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ],
    ...['Accept: application/json, text/event-stream', ...headers, '', body],
  ].join('\r\n');
const chunked = (target: string, type: string, body: string) =>
  [
    ...[`POST ${target} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`, 'Transfer-Encoding: chunked'],
    ...['Accept: application/json, text/event-stream', '', Buffer.byteLength(body).toString(16), body, '0', '', ''],
  ].join('\r\n');

const API = '/japan/api/v1';
const HUB = '/japan/tokyo/chiyoda-ku/marunouchi-1-chome';
const owner = encodeURIComponent(OWNER);
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const FORM = 'application/x-www-form-urlencoded';
const queries = `queries=${encodeURIComponent(JSON.stringify({ q0: { query: '第1ビル', limit: 3, properties: [{ pid: 'address', v: '丸の内' }] } }))}`;

/** Correct requests of every surface. */
const CORPUS: readonly string[] = [
  get(`${API}/assets?q=${encodeURIComponent('ビル')}&prefecture=tokyo&type=office&page=1&limit=5`),
  get(`${API}/assets?bbox=139.7,35.6,139.8,35.7&floorsMin=2&floorsMax=9&sort=name`),
  get(
    `${API}/assets/${id(1)}`,
    'Accept: application/ld+json',
    'If-None-Match: "a", W/"b"',
    'Accept-Encoding: br;q=1, gzip;q=0.5',
  ),
  get(`${API}/assets/${id(5)}/sources`),
  get(`${API}/assets/${id(1)}/history?page=2`),
  get(`${API}/owners/${owner}/assets`),
  get(`${API}/areas/tokyo/chiyoda-ku/marunouchi-1-chome`),
  get(`${API}/match?name=${encodeURIComponent('第1ビル')}&lat=35.6815&lon=139.7647&limit=3`),
  get(`${API}/source-records?source=osm&id=way/1`),
  get(`${API}/openapi.json`),
  get('/japan', 'Accept: text/html', 'Accept-Language: ja,en;q=0.5'),
  get(`${HUB}/${id(1)}`, 'Accept: text/markdown'),
  get(`${HUB}/${id(1)}.md`),
  get(`/japan/areas?q=x&type=office,retail&has=owner&heightMin=1&builtMax=2020&sort=height&page=1`),
  get('/japan/areas.csv?q=x'),
  get('/japan/areas.geojson'),
  get('/japan/ogc/collections/buildings/items?bbox=139,35,140,36&datetime=2026-01-01T00:00:00Z/..&limit=2'),
  get(`/japan/ogc/collections/buildings/items/${id(1)}`),
  get(`/japan/compare?ids=${id(1)},${id(2)}`),
  get('/japan/tiles/14/14552/6451'),
  get(`/japan/suggest?q=${encodeURIComponent('丸の内')}`),
  get(`/japan/owners/${owner}`),
  get(`/japan/reconcile?${queries}`),
  get(`/japan/reconcile/preview?id=${id(1)}`),
  get('/llms.txt'),
  get('/healthz', 'X-Forwarded-For: 203.0.113.7, 10.0.0.1', 'Forwarded: for=203.0.113.8;host=x'),
  post('/japan/reconcile', FORM, queries),
  post('/japan/mcp', 'application/json', PING),
  post(
    '/japan/mcp',
    'application/json',
    PING,
    'Mcp-Session-Id: x',
    'Mcp-Protocol-Version: 2025-06-18',
    'Expect: 100-continue',
  ),
  chunked('/japan/mcp', 'application/json', PING),
  chunked('/japan/reconcile', FORM, queries),
  `HEAD ${API}/assets/${id(1)} HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-5\r\n\r\n`,
  `OPTIONS ${API}/assets HTTP/1.1\r\nHost: localhost\r\nOrigin: https://x.example\r\nAccess-Control-Request-Method: GET\r\n\r\n`,
  `DELETE /japan/mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: x\r\n\r\n`,
  `GET http://localhost${API}/areas/tokyo HTTP/1.0\r\n\r\n`,
  `CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `GET /japan HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
];

const TOKENS = [
  ...[
    '\r\n',
    '\n',
    '\r\n\r\n',
    ' HTTP/1.1\r\n',
    ' HTTP/9.9',
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    '0\r\n\r\n',
  ],
  ...[
    'Content-Length: 99999999999999999999\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
  ],
  ...[
    'Content-Encoding: gzip\r\n',
    'Host: a\r\n',
    `Host: ${MARK}.example\r\n`,
    `X-Forwarded-Host: ${MARK}\r\n`,
    'Expect: 200-ok\r\n',
  ],
  ...[
    `Accept: ${MARK}\r\n`,
    `Cookie: a=${MARK}\r\n`,
    'Connection: close\r\n',
    'If-None-Match: *\r\n',
    'Range: bytes=9-1\r\n',
  ],
  ...[
    'GET',
    'PUT',
    'PATCH',
    'TRACE',
    'PROPFIND',
    MARK,
    'FFFFFFFFFFFFFFFF\r\n',
    '5;ext="x"\r\n',
    ': ',
    '\t',
    '%2e%2e/',
    '%c0%af',
    '%u0041',
  ],
  ...[
    '?',
    '&',
    '=',
    '&&',
    '#',
    '[]',
    '%',
    'q=',
    'page=0',
    'page=99999999999',
    'limit=1000000',
    'bbox=1,2,3',
    'type=,',
    'lat=91',
  ],
  ...[
    'x'.repeat(9_000),
    `${'a=1&'.repeat(500)}`,
    `${'X-A: b\r\n'.repeat(150)}`,
    '/'.repeat(800),
    '%E3%81%82'.repeat(400),
  ],
];

const LONGEST_MS = 20_000;

/** FUZ-01: requests over raw sockets: targets, queries, headers, methods, bodies, framing, pipelining. */
export const http: Target = {
  name: 'http',
  atOnce: 64,
  async open() {
    const service = await openService();
    const texts = CORPUS.map((text) => Buffer.from(text));
    return {
      async run(random) {
        let bytes = mutate(random.pick(texts), random, TOKENS, random.pick(texts));
        if (random.chance(0.1)) bytes = Buffer.concat([random.pick(texts), bytes, random.pick(texts)]);
        const answer = await exchange(
          service.port,
          bytes,
          random.chance(0.2) ? random.below(bytes.length + 1) : undefined,
        );
        for (const { status, head, body } of responsesIn(answer)) expectHarmless(status, head, body, bytes);
      },
      async check() {
        service.checkLog();
        const answer = await exchange(service.port, Buffer.from(get('/healthz', 'Connection: close')));
        if (!answer.startsWith('HTTP/1.1 200 ')) fault(`the service does not answer any more: ${answer.slice(0, 300)}`);
      },
      close: () => service.close(),
    };
  },
};

/** Sends bytes, in one or two pieces, and returns what was received until the server closed the connection. */
function exchange(port: number, bytes: Buffer, cut = bytes.length): Promise<string> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(LONGEST_MS, () => {
      socket.destroy();
      reject(new Error(`no end after ${LONGEST_MS} ms: ${JSON.stringify(bytes.toString('latin1'))}`));
    });
    socket.on('data', (chunk) => received.push(chunk));
    // The server may close a connection that is still being written to.
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
    socket.write(bytes.subarray(0, cut));
    if (cut < bytes.length) setImmediate(() => socket.write(bytes.subarray(cut)));
  });
}

interface Received {
  status: number;
  head: string;
  body: string;
}

/** The responses on a connection, in turn. A body in a compressed form is not looked into. */
function* responsesIn(text: string): Generator<Received> {
  const starts = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) .*\r$/gm)];
  for (const [i, { index, 1: status }] of starts.entries()) {
    const whole = text.slice(index, starts[i + 1]?.index);
    const end = whole.indexOf('\r\n\r\n');
    yield { status: Number(status), head: whole.slice(0, end), body: whole.slice(end + 4) };
  }
}
