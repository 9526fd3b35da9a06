import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairPlaces } from '../../vocabulary/fair-places.ts';
import { namesAll } from '../http/negotiation.ts';
import { type BodyFault, readBody } from '../http/read-body.ts';
import { BUSY_SECONDS, drain } from '../http/refuse.ts';
import { rememberLast } from '../http/remember-last.ts';
import { RequestPlace } from '../http/request-place.ts';
import { NO_STORE, type Representation, sendOnce, streamOnce, whenClosed } from '../http/send-finished.ts';
import type { McpLimits } from './limits.ts';
import { isModern, type ModernProtocol } from './modern-protocol.ts';
import { batchParts, type Protocol, type RpcBody, writeAnswer } from './protocol.ts';
import { parseMessageBody, readMessages } from './read-messages.ts';
import { RPC, type RpcCode, sendRpcError } from './rpc-error.ts';
import type { Session, SessionStore } from './sessions.ts';
import { isVersion, type ProtocolVersion, requiresVersionHeader, supportsBatches, VERSIONS } from './versions.ts';

interface TransportOptions {
  protocol: Protocol;
  modern: ModernProtocol;
  sessions: SessionStore;
  limits: McpLimits;
  /** Why a request is refused for its Host or Origin; undefined if it is allowed. */
  originRefusal: (request: FastifyRequest) => string | undefined;
}

const EVENTS: Representation = { type: 'text/event-stream', caching: NO_STORE };

const ALLOWED = 'POST, DELETE';

const acceptsBoth = rememberLast((accept: string | undefined) =>
  namesAll(accept, ['application/json', 'text/event-stream']),
);

/** What MCP clients in pages of other origins may send. */
const PREFLIGHT = {
  'access-control-allow-methods': ALLOWED,
  'access-control-allow-headers':
    'Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Authorization, *',
  'access-control-max-age': '86400',
} as const;

/** The HTTP side of /japan/mcp: origins and limits of both protocols, sessions of the older one (ERA-02). */
export class HttpTransport {
  readonly #options: TransportOptions;
  readonly #places: FairPlaces;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { requestsAtOnce, waitMs } = options.limits;
    this.#places = new FairPlaces({ atOnce: requestsAtOnce, waiting: requestsAtOnce, waitMs, greedyWait: false });
  }

  /** Requests that are not answered yet (MCP-07). */
  get openRequests(): number {
    return this.#places.taken;
  }

  /** MCP-10: a wrong method, Accept header or content type is refused before anything else is read. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { originRefusal } = this.#options;
    const { method } = request;
    if (method !== 'POST' && method !== 'DELETE' && method !== 'OPTIONS') {
      return refuse(reply.header('allow', ALLOWED), 405, 'the method must be POST or DELETE');
    }
    const refusal = originRefusal(request);
    if (refusal !== undefined) return refuse(reply, 403, refusal, RPC.refused);
    if (method === 'OPTIONS') return reply.code(204).headers(PREFLIGHT).send();
    const place = new RequestPlace(this.#places, reply);
    if (!(await place.take())) return this.#refuseFull(reply);
    return method === 'DELETE' ? this.#delete(request, reply, place) : this.#post(request, reply, place);
  }

  /** MCP-07 */
  #refuseFull(reply: FastifyReply): FastifyReply {
    const most = `the mcp surface answers ${this.#options.limits.requestsAtOnce} requests at once; retry in 1 second`;
    return refuse(reply.header('retry-after', '1'), 503, most, RPC.refused);
  }

  async #post(request: FastifyRequest, reply: FastifyReply, place: RequestPlace): Promise<FastifyReply> {
    if (!acceptsBoth(request.headers.accept)) {
      return refuse(reply, 406, 'the Accept header must name application/json and text/event-stream');
    }
    if (!isJson(request.headers['content-type']) || !isPlain(request.headers['content-encoding'])) {
      return refuse(reply, 415, 'the content type must be application/json, without a content encoding');
    }
    const { protocol, limits } = this.#options;
    const body = await readBody(request.raw, limits);
    if (!body.ok) return this.#refuseBody(reply, body.failure);
    if (!(await place.begin())) return this.#refuseFull(reply);
    const parsed = parseMessageBody(body.value);
    if (!parsed.ok) return refuse(reply, 400, parsed.failure.message, parsed.failure.code);
    if (isModern(parsed.value, request.headers)) return this.#answerModern(request, reply, parsed.value);
    const messages = readMessages(parsed.value);
    if (!messages.ok) return refuse(reply, 400, messages.failure.message, messages.failure.code);

    const { isBatch, requests } = messages.value;
    const version = versionOf(request);
    if (version !== undefined && !isVersion(version)) {
      return refuse(reply, 400, `the Mcp-Protocol-Version header must be one of ${VERSIONS.join(', ')}`);
    }
    const initialize = requests.find(({ method }) => method === 'initialize');
    if (initialize !== undefined) {
      if (isBatch) return refuse(reply, 400, 'initialize must not be in a batch');
      return this.#initialize(request, reply, initialize);
    }
    const session = await this.#findSession(request, reply);
    if (session === undefined) return reply;
    if (isBatch && !supportsBatches(session.version)) {
      return refuse(reply, 400, 'the protocol version of this session has no batches; send one message at a time');
    }
    setSessionHeaders(reply, session);
    const [only] = requests;
    if (only === undefined) return reply.code(202).send();
    if (isBatch) return streamOnce(request, reply, batchParts(protocol, requests), limits.stallMs);
    return this.#send(request, reply, writeAnswer(await protocol.ask(only)));
  }

  /** ERA-01 */
  async #answerModern(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<FastifyReply> {
    const answer = await this.#options.modern.ask(body, request.headers);
    return this.#send(request, reply.code(answer.status), answer.body, answer.type);
  }

  /** MCP-02, MCP-04, MCP-06 */
  async #initialize(request: FastifyRequest, reply: FastifyReply, message: JSONRPCRequest): Promise<FastifyReply> {
    const { protocol, sessions, limits } = this.#options;
    if (sessionIdOf(request) !== undefined) {
      return refuse(reply, 400, 'initialize starts a session, and must be sent without the Mcp-Session-Id header');
    }
    const session = await sessions.open(VERSIONS[0], request.client);
    if (session === undefined) {
      const most = `the mcp surface allows ${limits.sessions} sessions; retry in 30 seconds`;
      return refuse(reply.header('retry-after', '30'), 503, most, RPC.refused);
    }
    // A client that left before it received its session cannot use it.
    let isReceived = false;
    reply.raw.once('finish', () => {
      isReceived = true;
    });
    whenClosed(reply, () => {
      if (!isReceived) void sessions.close(session);
    });
    const answer = await protocol.ask(message);
    if ('error' in answer.response) await sessions.close(session);
    else {
      const version = answer.response.result.protocolVersion as ProtocolVersion;
      await sessions.agree(session, version);
      setSessionHeaders(reply, { ...session, version });
    }
    return this.#send(request, reply, writeAnswer(answer));
  }

  /** MCP-05 */
  async #delete(request: FastifyRequest, reply: FastifyReply, place: RequestPlace): Promise<FastifyReply> {
    if (!(await place.begin())) return this.#refuseFull(reply);
    const session = await this.#findSession(request, reply);
    if (session === undefined) return reply;
    const version = versionOf(request);
    if (version !== undefined && version !== session.version) {
      return refuse(reply, 400, 'the Mcp-Protocol-Version header must be the negotiated version');
    }
    await this.#options.sessions.close(session);
    drain(reply);
    return reply.code(204).header('mcp-protocol-version', session.version).send();
  }

  /** MCP-03, MCP-05: the session of a request; undefined if the request was refused. */
  async #findSession(request: FastifyRequest, reply: FastifyReply): Promise<Session | undefined> {
    const id = sessionIdOf(request);
    if (id === undefined) {
      refuse(reply, 400, 'the Mcp-Session-Id header is missing; initialize returns it');
      return undefined;
    }
    const session = await this.#options.sessions.find(id);
    if (session === undefined) {
      refuse(reply, 404, 'the session is unknown or has ended; initialize starts a new one', RPC.noSession);
      return undefined;
    }
    if (versionOf(request) === undefined && requiresVersionHeader(session.version)) {
      refuse(reply, 400, 'the Mcp-Protocol-Version header is missing; it must be the negotiated version');
      return undefined;
    }
    return session;
  }

  async #send(request: FastifyRequest, reply: FastifyReply, answer: RpcBody, type?: string): Promise<FastifyReply> {
    const { stallMs } = this.#options.limits;
    if (answer.kind === 'unavailable') {
      return refuse(reply.header('retry-after', String(BUSY_SECONDS)), 503, answer.why, RPC.refused);
    }
    if (answer.kind === 'whole') {
      const representation = type === 'text/event-stream' ? EVENTS : undefined;
      return sendOnce(request, reply, answer.body, stallMs, representation);
    }
    whenClosed(reply, answer.release);
    return streamOnce(request, reply, answer.parts, stallMs);
  }

  #refuseBody(reply: FastifyReply, fault: BodyFault): FastifyReply {
    const { bodyBytes, bodyMs } = this.#options.limits;
    switch (fault) {
      case 'tooLarge':
        return refuse(reply, 413, `a body has at most ${bodyBytes} bytes; do not send this one again`);
      case 'tooSlow':
        return refuse(
          reply,
          408,
          `the body was not complete after ${bodyMs / 1000} seconds; send all of it at once`,
          RPC.refused,
        );
      case 'gone':
        return reply.hijack();
    }
  }
}

function refuse(
  reply: FastifyReply,
  status: number,
  message: string,
  code: RpcCode = RPC.invalidRequest,
): FastifyReply {
  return sendRpcError(reply, status, code, message);
}

function setSessionHeaders(reply: FastifyReply, { id, version }: Session): void {
  reply.header('mcp-session-id', id).header('mcp-protocol-version', version);
}

const sessionIdOf = (request: FastifyRequest) => request.headers['mcp-session-id'] as string | undefined;
const versionOf = (request: FastifyRequest) => request.headers['mcp-protocol-version'] as string | undefined;

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

function isPlain(contentEncoding: string | undefined): boolean {
  return ['', 'identity'].includes((contentEncoding ?? '').trim().toLowerCase());
}
