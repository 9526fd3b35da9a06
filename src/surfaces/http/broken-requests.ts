import { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { newestResponse } from './pipelining.ts';
import { formOf, targetOnly } from './refuse.ts';
import { NO_STORE } from './send-finished.ts';
import { type Surface, surfaceOf } from './surface.ts';

/** How long a refused client may take to read the refusal. */
const LINGER_MS = 1_000;

const connections = new AsyncLocalStorage<Socket>();

/** Connections that have received their last response, because their parser has failed. */
const refused = new WeakSet<Socket>();

/** Tracks which connection the running code serves. */
export function trackConnections(app: FastifyInstance): void {
  const { server } = app;
  // Before Node's own listener, because the parser of the connection keeps the context that it is created in.
  server.prependListener('connection', (socket: Socket) => connections.enterWith(socket));
  server.on('connect', (request: IncomingMessage, socket: Socket) => refuseTunnel(app, request, socket));
}

/** The connection that the running code serves, if any. */
export const currentConnection = (): Socket | undefined => connections.getStore();

/** Runs a callback once every request of the connection is answered: pipelined requests are answered in order. */
function afterResponses(socket: Socket, callback: () => void): void {
  const response = newestResponse(socket);
  if (response === undefined || response.closed) callback();
  else response.once('close', callback);
}

/** CONNECT is a method like any other that is not allowed, but Node creates no response for it. */
function refuseTunnel(app: FastifyInstance, request: IncomingMessage, socket: Socket): void {
  // Node has removed its own listeners, and an unhandled error would end the process.
  socket.on('error', () => socket.destroy());
  socket.resume();
  afterResponses(socket, () => {
    if (!socket.writable) return;
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => endSoon(socket));
    app.routing(request, response);
  });
}

/**
 * API-02: a method that Node does not know gets 405, like any other that is not allowed. The parser has given up the
 * connection, so the request is injected with a method that no path allows. Returns false for any other error.
 */
function answerUnknownMethod(app: FastifyInstance, error: ParserError, socket: Socket): boolean {
  if (error.code !== 'HPE_INVALID_METHOD') return false;
  const target = brokenTarget(error);
  if (target === undefined || /[^!-~]/.test(target)) return false;
  const request = { method: 'PROPPATCH', url: target, remoteAddress: socket.remoteAddress ?? '' } as const;
  app.inject(request as InjectOptions).then(
    ({ statusCode, headers, body }) => endWith(socket, statusCode, headers, body),
    () => socket.destroy(),
  );
  return true;
}

const BROKEN: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
  // A common mistake: Japanese typed into a command line.
  HPE_INVALID_URL: 'the path or query has characters that must be percent-encoded',
  HPE_HEADER_OVERFLOW: 'the request line and the headers together are over 16 KB',
};

const STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Node's error about bytes that are not HTTP, with the packet that contained them. */
type ParserError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number };

interface RefusalOptions {
  headersOf: (surface: Surface) => Readonly<Record<string, string>>;
  onRefused: (surface: Surface, status: number) => void;
}

/**
 * API-04: refuses bytes that are not HTTP, a request that is too large, or one that arrives too slowly. Earlier requests
 * of the connection are answered first. No refusal is sent if the response has begun or the client has gone.
 */
export function refuseBrokenRequest(
  app: FastifyInstance,
  error: ParserError,
  socket: Socket,
  options: RefusalOptions,
): void {
  // The parser reports every further packet.
  if (refused.has(socket)) return;
  const isRefusable = error.code?.startsWith('HPE_') || error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (!isRefusable || !socket.writable) {
    socket.destroy();
    return;
  }
  const response = newestResponse(socket);
  if (response === undefined || response.req.complete) {
    refused.add(socket);
    afterResponses(socket, () => {
      if (!socket.writable || answerUnknownMethod(app, error, socket)) return;
      endWithRefusal(app, error, socket, brokenTarget(error), options);
    });
  } else if (response.headersSent) {
    // It was answered before all of it had arrived.
    refused.add(socket);
    afterResponses(socket, () => socket.destroy());
  } else {
    refused.add(socket);
    const refuseBody = () => {
      if (response.headersSent) afterResponses(socket, () => socket.destroy());
      else endWithRefusal(app, error, socket, response.req.url, options);
    };
    // When those before it are answered, it is begun first: an endpoint that reads no body refuses it for another reason.
    if (response.socket === null) response.once('socket', () => setImmediate(refuseBody));
    else refuseBody();
  }
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ (\/[!-~\x80-\xff]*) HTTP\/1\.[01]\r\n/;

/** The target of the request that could not be read, if its request line is in the last packet. */
function brokenTarget({ code, rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = rawPacket?.toString('latin1') ?? '';
  // The error is at `bytesParsed`: in the method, or at the latest in the empty line after the headers.
  const before =
    code === 'HPE_INVALID_METHOD'
      ? text.lastIndexOf('\n', bytesParsed - 1)
      : text.lastIndexOf('\r\n\r\n', bytesParsed - 5);
  return REQUEST_LINE.exec(text.slice(before + 1).replace(/^[\r\n]+/, ''))?.[1];
}

function endWithRefusal(
  app: FastifyInstance,
  error: ParserError,
  socket: Socket,
  target: string | undefined,
  options: RefusalOptions,
): void {
  const status = STATUS[error.code ?? ''] ?? 400;
  const detail = BROKEN[error.code ?? ''] ?? 'the request cannot be read';
  const surface = target === undefined ? 'other' : surfaceOf(target);
  // Its headers may be missing, so only the target tells what the client reads.
  const request = targetOnly(target ?? '');
  const { headers, body } = formOf(app.refusalForms, surface, status, request)(status, detail, request);
  const length = Buffer.byteLength(body);
  // REIT-05: it may have asked for REIT histories, even if its path is not known.
  const bodyHeaders = { ...headers, 'cache-control': NO_STORE, 'content-length': length };
  endWith(socket, status, { ...options.headersOf(surface), ...bodyHeaders }, body);
  options.onRefused(surface, status);
}

/** Writes a response to a connection that its parser has given up. */
function endWith(socket: Socket, status: number, headers: Readonly<Record<string, unknown>>, body: string): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  endSoon(socket);
}

function endSoon(socket: Socket): void {
  socket.end();
  // A client that never closes its side would keep the connection open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
