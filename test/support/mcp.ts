import type { RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { MCP_ROOT } from '../../src/surfaces/http/surface.ts';
import { type ProtocolVersion, VERSIONS } from '../../src/surfaces/mcp/versions.ts';
import { type Answer, expectNothingInside } from './serving.ts';
import { ask, readAnswer } from './wire.ts';

/** Headers required on every POST. */
export const POST_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

export interface McpSession {
  id: string;
  version: ProtocolVersion;
  /** Headers of a POST in this session. */
  headers: Readonly<Record<string, string>>;
}

export const message = (method: string, params: object = {}, id: string | number = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const callOf = (name: string, args: object, id: string | number = 1) =>
  message('tools/call', { name, arguments: args }, id);

export const initializeMessage = (version: string = VERSIONS[0]) =>
  message('initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } }, 0);

export const PING = message('ping');

/** JSON padded with spaces to a length. */
export const padded = (json: string, length: number) => json + ' '.repeat(length - Buffer.byteLength(json));

export function post(
  port: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  options: RequestOptions = {},
): Promise<Answer> {
  return ask(port, { method: 'POST', path: MCP_ROOT, headers: { ...POST_HEADERS, ...headers }, ...options }, body);
}

export async function initialize(
  port: number,
  version: ProtocolVersion = VERSIONS[0],
  options: RequestOptions = {},
): Promise<McpSession> {
  const { status, headers, body } = await post(port, initializeMessage(version), {}, options);
  if (status !== 200) throw new Error(`initialize is answered with ${status}: ${body}`);
  return sessionOf(headers);
}

export function sessionOf(headers: Answer['headers']): McpSession {
  const id = String(headers['mcp-session-id']);
  const version = headers['mcp-protocol-version'] as ProtocolVersion;
  return { id, version, headers: { ...POST_HEADERS, 'mcp-session-id': id, 'mcp-protocol-version': version } };
}

/** Sends one request in a session and returns its result. */
export async function rpc(port: number, session: McpSession, method: string, params: object = {}) {
  const answer = await post(port, message(method, params), session.headers);
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
  return JSON.parse(answer.body).result;
}

export function endSession(port: number, { headers }: McpSession, options: RequestOptions = {}): Promise<Answer> {
  return ask(port, { method: 'DELETE', path: MCP_ROOT, headers, ...options });
}

/** Contract 7.3: a transport-level rejection. */
export function expectRpcError(answer: Answer, status: number, code: number, message = /\S/): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = JSON.parse(answer.body);
  expect(body).toEqual({ jsonrpc: '2.0', id: null, error: { code, message: expect.stringMatching(message) } });
  expectNothingInside(answer);
  expectUnlimited(answer);
}

/** RATE-04: no MCP response has X-RateLimit headers. */
export function expectUnlimited({ headers }: Answer): void {
  expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
}

/** The number of open sessions or requests in GET /metrics. */
export async function gauge(port: number, name: 'sessions' | 'requests_under_way'): Promise<number> {
  const { body } = await ask(port, { path: '/metrics' });
  return Number(new RegExp(`^tatemono_mcp_${name} (\\d+)$`, 'm').exec(body)?.[1]);
}

/** Waits until a value is as expected, long enough for a busy machine. */
export const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000, interval: 10 });

/** The bytes of a request before its body. */
export function head(headers: Readonly<Record<string, string | number>>, method = 'POST', protocol = 'HTTP/1.1') {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${MCP_ROOT} ${protocol}\r\n${lines.join('')}\r\n`;
}

/** All the bytes of a POST. */
export function wholePost(body: string, headers: Readonly<Record<string, string | number>>): string {
  return `${head({ ...headers, 'content-length': Buffer.byteLength(body) })}${body}`;
}

export const chunk = (bytes: string) => `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n`;
export const LAST_CHUNK = '0\r\n\r\n';

const PATIENCE_MS = 15_000;

/** A connection for writing arbitrary bytes and reading complete responses. */
export class RawClient {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  #end: Error | 'ended' | undefined;
  #wake = () => {};

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (bytes) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      this.#wake();
    });
    this.socket.on('end', () => this.#finish('ended'));
    this.socket.on('error', (error) => this.#finish(error));
    this.socket.on('close', () => this.#finish('ended'));
  }

  /** Waits until the system has accepted the bytes; fails if the peer has closed. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** The next complete response other than 100. */
  async next(patienceMs = PATIENCE_MS): Promise<Answer> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const taken = takeAnswer(this.#bytes, this.#end === 'ended');
      if (taken !== undefined) {
        this.#bytes = this.#bytes.subarray(taken.length);
        if (taken.answer.status >= 200) return taken.answer;
      } else if (this.#end !== undefined) {
        throw new Error(`no complete response: ${this.#end}, after ${this.#bytes.length} bytes`);
      } else await this.#change(deadline);
    }
  }

  /** Waits until the server closes its side; fails if it resets the connection or sends more before. */
  async ended(patienceMs = PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (this.#end === undefined) await this.#change(deadline);
    if (this.#end !== 'ended') throw this.#end;
    expect(this.#bytes.toString()).toBe('');
  }

  destroy(): void {
    this.socket.destroy();
  }

  #finish(end: Error | 'ended'): void {
    this.#end ??= end;
    this.#wake();
  }

  async #change(deadline: number): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      this.#wake = resolve;
      late = setTimeout(() => reject(new Error('nothing more arrived in time')), deadline - performance.now());
    }).finally(() => clearTimeout(late));
  }
}

/** Runs `work` with a connection and always destroys it. */
export async function withRawClient<T>(port: number, work: (client: RawClient) => Promise<T>): Promise<T> {
  const client = new RawClient(port);
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

const BODILESS = [204, 304];

function takeAnswer(bytes: Buffer, isEnd: boolean): { answer: Answer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const start = end + 4;
  const { status, headers } = readAnswer(bytes.subarray(0, start).toString());
  const take = (body: string, length: number) => ({ answer: { status, headers, body }, length });
  if (status < 200 || BODILESS.includes(status)) return take('', start);
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks: Buffer[] = [];
    for (let at = start; ; ) {
      const line = bytes.indexOf('\r\n', at);
      if (line < 0) return undefined;
      const size = Number.parseInt(bytes.subarray(at, line).toString(), 16);
      const next = line + 2 + size + 2;
      if (bytes.length < next) return undefined;
      if (size === 0) return take(Buffer.concat(chunks).toString(), next);
      chunks.push(bytes.subarray(line + 2, line + 2 + size));
      at = next;
    }
  }
  if (headers['content-length'] === undefined)
    return isEnd ? take(bytes.subarray(start).toString(), bytes.length) : undefined;
  const length = start + Number(headers['content-length']);
  return bytes.length < length ? undefined : take(bytes.subarray(start, length).toString(), length);
}
