import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { leaveSlashesOut } from './pages/paths.ts';
import { NO_ENDPOINT, refuse } from './problem.ts';
import { RPC, rpcError } from './rpc-error.ts';
import { API_ROOT, type Surface, surfaceOf } from './surface.ts';

const MAX_HEADERS = 100;
/** How long a refused client may take to read why. */
const LINGER_MS = 1_000;

/** Connections on which a request was answered of which not all had come. */
const answeredEarly = new WeakSet<Socket>();

/** Requests whose path has an escape that cannot be decoded. */
const undecodable = new WeakSet<IncomingMessage>();

/** What a request can be refused for before there is an endpoint to ask: all of it in the error shape of its surface (API-04). */
export function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (undecodable.has(raw)) refuse(reply, 400, 'path parameters: a percent-escape cannot be decoded');
    else if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      refuse(reply, 400, 'the Host header is missing');
    } else if (hasTwoHosts(raw.rawHeaders)) {
      refuse(reply, 400, 'the Host header is there twice');
    } else if (raw.rawHeaders.length > 2 * MAX_HEADERS) {
      refuse(reply, 431, `the request has more than ${MAX_HEADERS} headers`);
    } else if (raw.headers.expect !== undefined && !/100-continue/i.test(raw.headers.expect)) {
      refuse(reply, 417, 'the Expect header asks for what the service does not know');
    }
    // Ahead of what there is at a path: a slash at its end is left out whatever it names.
    else if (request.surface === 'page' && leaveSlashesOut(request, reply)) return;
    // Answered here, so that the body of a request that leads nowhere is not looked at.
    else if (request.is404) refuse(reply, 404, NO_ENDPOINT);
    else done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.raw.complete) answeredEarly.delete(request.raw.socket);
    else answeredEarly.add(request.raw.socket);
    done();
  });
  app.server.maxHeadersCount = 0; // Node would drop what is too many, and with it what a trusted proxy says.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  // Node gives a tunnel no response of its own: it is a method like any other that is not allowed.
  app.server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
    app.routing(request, response);
  });
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

const WITHOUT_PATH: Readonly<Record<Surface, string>> = {
  api: `${API_ROOT}/-`,
  page: '/japan/-',
  mcp: '/japan/mcp/-',
  other: '/-',
};

/** The router gives up on such a path before any hook: it goes in again by one that only names its surface. */
export function routeUndecodable(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): void {
  undecodable.add(request);
  const target = request.url ?? '';
  const isMarkdown = /\.md(\?|$)/.test(target);
  request.url = `${WITHOUT_PATH[surfaceOf(target)]}${isMarkdown ? '.md' : ''}`;
  app.routing(request, response);
}

/**
 * API-02: a method that Node does not know is one that is not allowed, and no broken request. The parser is done with
 * the connection, so that the request goes in another way, by a method that no path allows; true where it does.
 */
export function answerUnknownMethod(
  app: FastifyInstance,
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Socket,
): boolean {
  if (error.code !== 'HPE_INVALID_METHOD' || !socket.writable || socket.bytesWritten > 0) return false;
  const target = /^[!#$%&'*+.^_`|~\w-]+ (\/[!-~]*) HTTP\/1\.[01]\r\n/.exec(
    error.rawPacket?.toString('latin1') ?? '',
  )?.[1];
  if (target === undefined) return false;
  const request = { method: 'PROPPATCH', url: target, remoteAddress: socket.remoteAddress ?? '' } as const;
  app.inject(request as InjectOptions).then(
    ({ statusCode, headers, body }) => endWith(socket, statusCode, headers, body),
    () => socket.destroy(),
  );
  return true;
}

const BROKEN: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
  // What somebody who types Japanese into a command line meets first.
  HPE_INVALID_URL: 'the path or query has characters that must be percent-encoded',
  HPE_HEADER_OVERFLOW: 'the request line and the headers together are over 16 KB',
};

export interface Broken {
  surface: Surface;
  status: number;
}

/** Bytes that are no HTTP, too much of it, or too slow in coming; undefined where nobody hears of it. */
export function refuseBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  headersOf: (surface: Surface) => Readonly<Record<string, string>>,
): Broken | undefined {
  // A response that is under way must not end in another one, nor one that was sent before its request had all come.
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent || answeredEarly.has(socket)) {
    socket.destroy();
    return undefined;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const detail = BROKEN[error.code ?? ''] ?? 'the request cannot be read';
  // Where the headers had come, the path is known.
  const surface = response === undefined ? 'other' : surfaceOf(response.req.url ?? '');
  const [type, body] =
    surface === 'mcp'
      ? ['application/json', rpcError(RPC.invalidRequest, detail)]
      : ['application/problem+json', JSON.stringify({ status, title: STATUS_CODES[status], detail })];
  const ofBody = { 'content-type': `${type}; charset=utf-8`, 'content-length': body.length };
  endWith(socket, status, { ...headersOf(surface), ...ofBody }, body);
  return { surface, status };
}

/** An answer on a connection that its parser has given up. */
function endWith(socket: Socket, status: number, headers: Readonly<Record<string, unknown>>, body: string): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // A client that never closes its side would keep the connection for ever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
