import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { workFor } from '../../vocabulary/asking-client.ts';
import { ClientTurns } from './client-turns.ts';
import type { Admit } from './rate-limiter.ts';
import { NO_STORE } from './send-finished.ts';
import { asksForReit, isOpenService, SURFACES, type Surface, surfaceOf } from './surface.ts';

declare module 'fastify' {
  interface FastifyRequest {
    surface: Surface;
    /** Who sent it, as a hash. */
    readonly client: string;
    /** Set while it has one of the turns of its client. */
    freeTurn: (() => void) | undefined;
  }
}

interface GateOptions {
  headers: ReturnType<typeof constantHeaders>;
  clientOf: (request: FastifyRequest) => string;
  admit: Admit;
}

/**
 * The first hook of every request: sets its surface, its ID and the constant headers, applies the rate limit, and lets it
 * wait for its turn.
 */
export function openGate(app: FastifyInstance, { headers, clientOf, admit }: GateOptions): void {
  const turns = new ClientTurns();
  app.decorateRequest('surface', 'other');
  app.decorateRequest('freeTurn', undefined);
  app.decorateRequest('namesHost', false);
  app.decorateRequest('client', {
    getter() {
      return clientOf(this as FastifyRequest);
    },
  });
  /** SHR-02 */
  const takeTurn = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    workFor(request);
    if (hasOwnPlaces(request)) return done();
    turns.take(request.client, (free) => {
      request.freeTurn = free;
      // Its client may have gone while it waited.
      if (reply.raw.destroyed) free();
      else done();
    });
  };
  app.addHook('onRequest', (request, reply, done) => {
    const target = request.raw.url ?? '';
    const surface = surfaceOf(target);
    request.surface = surface;
    if (surface !== 'other') app.stopping.noteRequest();
    reply.headers(headers[surface]).header('x-request-id', request.id);
    // RCN-06, OGC-02: also if it is refused.
    if (surface === 'page' && isOpenService(target)) reply.headers(SERVICE_HEADERS);
    if (asksForReit(target, surface)) reply.header('cache-control', NO_STORE);
    const admitted = admit(request, reply);
    if (admitted === true) takeTurn(request, reply, done);
    else if (admitted !== false) admitted.then((isAdmitted) => isAdmitted && takeTurn(request, reply, done));
  });
  // The work is done when the answer is there: a client that reads it slowly keeps no turn.
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.freeTurn?.();
    done(null, payload);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    request.freeTurn?.();
    done();
  });
}

/** Requests whose body may arrive slowly, which have places of their own, and those of operators. */
const hasOwnPlaces = ({ surface, raw: { method } }: FastifyRequest) =>
  surface === 'mcp' || surface === 'other' || method === 'POST';

/** Makes IDs of our own. A client's ID is never used: it could write anything into the log. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

type Headers = Readonly<Record<string, string>>;

/** A page replaces the policy with one that allows what it loads. */
const COMMON_HEADERS: Headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
};

const HTTPS_ONLY: Headers = { 'strict-transport-security': 'max-age=31536000' };

/** Pages of any origin may read the responses, and the headers that a well-behaved client needs. */
const openToAllOrigins = (exposed: string): Headers => ({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
  'cross-origin-resource-policy': 'cross-origin',
});

const SERVICE_HEADERS = openToAllOrigins('Retry-After, ETag, X-Request-Id');

const SURFACE_HEADERS: Readonly<Partial<Record<Surface, Headers>>> = {
  api: openToAllOrigins('X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, ETag, X-Request-Id'),
  mcp: openToAllOrigins('Mcp-Session-Id, Mcp-Protocol-Version, Retry-After, ETag, X-Request-Id'),
};

/** The headers that do not depend on the request. */
export function constantHeaders(baseUrl: string | undefined): Record<Surface, Headers> {
  const common = baseUrl?.startsWith('https:') ? { ...COMMON_HEADERS, ...HTTPS_ONLY } : COMMON_HEADERS;
  const headers = SURFACES.map((surface) => [surface, { ...SURFACE_HEADERS[surface], ...common }]);
  return Object.fromEntries(headers) as Record<Surface, Headers>;
}
