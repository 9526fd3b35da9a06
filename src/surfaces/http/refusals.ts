import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterResponses, newestResponse, trackConnections } from './connections.ts';
import { NO_ENDPOINT, refuse, UNDECODABLE_PATH } from './problem.ts';
import { formOf } from './refusal-form.ts';
import { NO_STORE } from './send-finished.ts';
import { API_ROOT, type Surface, surfaceOf } from './surface.ts';
import { leaveSlashesOut } from './trailing-slashes.ts';

const MAX_HEADERS = 100;
/** How long a refused client may take to read why. */
const LINGER_MS = 1_000;

/** Connections that have been given a last answer, because their parser has given up. */
const refused = new WeakSet<Socket>();

/** Requests whose path has an escape that cannot be decoded. */
const undecodable = new WeakSet<IncomingMessage>();

/** What a request can be refused for before there is an endpoint to ask: all of it in the error shape of its surface (API-04). */
export function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // API-02: at an endpoint another method is the fault, whatever the path holds.
    if (undecodable.has(raw) && (isRead(raw) || request.is404)) refuse(reply, 400, UNDECODABLE_PATH);
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
  trackConnections(app);
  app.server.maxHeadersCount = 0; // Node would drop what is too many, and with it what a trusted proxy says.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  // Node gives a tunnel no response of its own: it is a method like any other that is not allowed.
  app.server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node has taken its own listeners off: an error that nobody listens to would end the process.
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

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

/** The router gives up on such a path before any hook: it goes in again by one of the same shape that can be decoded. */
export function routeUndecodable(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): void {
  const target = request.url ?? '';
  // An absolute target may have no path that the router can find at all.
  if (undecodable.has(request)) request.url = WITHOUT_PATH[surfaceOf(target)];
  else {
    const [path = '', ...query] = target.split('?');
    request.url = [path.replaceAll(/%(?![0-7][\da-f])(?:[89a-f][\da-f])?/gi, 'x'), ...query].join('?');
  }
  undecodable.add(request);
  app.routing(request, response);
}

/**
 * API-02: a method that Node does not know is one that is not allowed, and no broken request. The parser is done with
 * the connection, so that the request goes in another way, by a method that no path allows; true where it does.
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
  // What somebody who types Japanese into a command line meets first.
  HPE_INVALID_URL: 'the path or query has characters that must be percent-encoded',
  HPE_HEADER_OVERFLOW: 'the request line and the headers together are over 16 KB',
};

const STATUS: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** What Node says of bytes that are no HTTP, with the packet that they came in. */
type ParserError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number };

interface RefusalOptions {
  headersOf: (surface: Surface) => Readonly<Record<string, string>>;
  onRefused: (surface: Surface, status: number) => void;
}

/**
 * API-04: bytes that are no HTTP, too much of it, or too slow in coming. Requests of the same connection that came
 * before are answered first. The client gets no answer where its own is already under way, or where it has gone.
 */
export function refuseBrokenRequest(
  app: FastifyInstance,
  error: ParserError,
  socket: Socket,
  options: RefusalOptions,
): void {
  // The parser complains of every further packet.
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
    // It was answered before all of it had come.
    refused.add(socket);
    afterResponses(socket, () => socket.destroy());
  } else {
    refused.add(socket);
    const refuseBody = () => endWithRefusal(app, error, socket, response.req.url, options);
    if (response.socket === null) response.once('socket', refuseBody);
    else refuseBody();
  }
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ (\/[!-~\x80-\xff]*) HTTP\/1\.[01]\r\n/;

/** The target of the request that could not be read, where its request line came in the last packet. */
function brokenTarget({ code, rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = rawPacket?.toString('latin1') ?? '';
  // The error is at `bytesParsed`: in the method, or at the latest in the empty line that ends the headers.
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
  // Its headers may not have come: only the target tells what the client reads.
  const asked = { target: target ?? '', accept: undefined };
  const { headers, body } = formOf(app.refusalForms, surface, status, asked)(status, detail, asked);
  const length = Buffer.byteLength(body);
  // REIT-05: it may be a question about REITs, also where its path is not known.
  const ofBody = { ...headers, 'cache-control': NO_STORE, 'content-length': length };
  endWith(socket, status, { ...options.headersOf(surface), ...ofBody }, body);
  options.onRefused(surface, status);
}

/** An answer on a connection that its parser has given up. */
function endWith(socket: Socket, status: number, headers: Readonly<Record<string, unknown>>, body: string): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  endSoon(socket);
}

function endSoon(socket: Socket): void {
  socket.end();
  // A client that never closes its side would keep the connection for ever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
