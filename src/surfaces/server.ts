import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Registry } from '../registry/registry.ts';
import type { Reit } from '../reit/life/reit.ts';
import { apiRoutes } from './api/api-routes.ts';
import { knowAllMethods } from './http/endpoint.ts';
import { openGate } from './http/gate.ts';
import { constantHeaders } from './http/headers.ts';
import { memoryRateStore } from './http/limits/memory-rate-store.ts';
import { rateLimiter } from './http/limits/rate-limiter.ts';
import type { RateLimits, RateStore } from './http/limits/rate-store.ts';
import { Metrics } from './http/metrics.ts';
import { operatingRoutes, type Readiness } from './http/operating.ts';
import { problemForm, refuse, SERVER_FAULT } from './http/problem.ts';
import { useRefusalForms } from './http/refusal-form.ts';
import { refuseBrokenRequest, refuseEarly, routeUndecodable } from './http/refusals.ts';
import { requestIds } from './http/request-ids.ts';
import { rpcForm } from './http/rpc-error.ts';
import { NO_STORE } from './http/send-finished.ts';
import { SOCKET_LIMITS, type SocketLimits } from './http/socket-limits.ts';
import { MCP_LIMITS, type McpLimits } from './mcp/limits.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { discoveryRoutes } from './pages/discovery.ts';
import { pageRoutes } from './pages/page-routes.ts';
import type { BaseMap } from './pages/page-settings.ts';
import { pageForm } from './pages/refusal.ts';
import { URLS_PER_SITEMAP } from './pages/sitemaps.ts';

export interface ServerOptions extends Readiness {
  registry: Registry;
  reit: Reit;
  logLevel: string;
  /** Where the log goes; standard output unless told otherwise. */
  logTo?: { write(line: string): void };
  trustProxy: string | boolean | number;
  /** The public origin. */
  baseUrl: string | undefined;
  /** What lies under the buildings on maps; nothing unless one is set. */
  baseMap?: BaseMap | undefined;
  rateLimit: RateLimits;
  /** Counts for this process alone unless told otherwise. */
  rateStore?: RateStore;
  socketLimits?: Partial<SocketLimits>;
  mcpLimits?: Partial<McpLimits>;
  urlsPerSitemap?: number;
  now?: () => number;
}

export function buildServer(options: ServerOptions): FastifyInstance {
  const { registry, reit, logLevel, logTo, trustProxy, baseUrl, baseMap, rateLimit } = options;
  const { rateStore = memoryRateStore(), now = Date.now, urlsPerSitemap = URLS_PER_SITEMAP } = options;
  const patience = { ...SOCKET_LIMITS, ...options.socketLimits };
  const genReqId = requestIds();
  const headers = constantHeaders(baseUrl);
  const metrics = new Metrics();

  const app: FastifyInstance = Fastify({
    logger: logLevel === 'silent' ? false : { level: logLevel, ...(logTo && { stream: logTo }) },
    logController: new FaultLog({ disableRequestLogging: true }),
    // A logger for each request costs more than it tells: what is logged of a request names its ID.
    childLoggerFactory: (logger) => logger,
    genReqId,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    // The parts of a path are judged by their endpoints, whatever their length; a request line is short anyway.
    routerOptions: { maxParamLength: 1_000_000 },
    requestTimeout: patience.request,
    keepAliveTimeout: patience.keepAlive,
    connectionTimeout: patience.idle,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    http: {
      requireHostHeader: false,
      maxHeaderSize: 16_384,
      headersTimeout: patience.headers,
      connectionsCheckingInterval: patience.check,
    },
    clientErrorHandler: (error: Error, socket: Socket) => {
      try {
        refuseBrokenRequest(app, error, socket, {
          headersOf: (surface) => ({ ...headers[surface === 'other' ? 'api' : surface], 'x-request-id': genReqId() }),
          onRefused: (surface, status) => metrics.count(surface, status, 0),
        });
      } catch (fault) {
        app.log.error({ err: fault }, 'a broken request could not be refused');
        socket.destroy();
      }
    },
    frameworkErrors: (_error, request, reply) => routeUndecodable(app, request.raw, reply.raw),
  });
  useRefusalForms(app, { api: problemForm, page: pageForm, mcp: rpcForm });
  knowAllMethods(app);
  openGate(
    app,
    headers,
    rateLimiter({
      limits: rateLimit,
      store: rateStore,
      trustsProxy: trustProxy !== false,
      now,
      onFault: (error) => app.log.error({ err: error }, 'the rate store failed; requests are let through'),
    }),
  );
  refuseEarly(app);
  app.addHook('onResponse', (request, reply, done) => {
    metrics.count(request.surface, reply.statusCode, reply.elapsedTime);
    done();
  });
  app.addHook('onListen', async () => metrics.start());
  app.addHook('onClose', async () => metrics.stop());

  app.setErrorHandler((thrown: unknown, request, reply) => {
    const caching = reply.getHeader('cache-control');
    for (const name of OF_THE_BODY) reply.removeHeader(name);
    if (caching === NO_STORE) reply.header('cache-control', NO_STORE);
    if (isClientFault(thrown)) return refuse(reply, thrown.statusCode, 'the request cannot be read');
    request.log.error({ err: thrown, requestId: request.id }, 'a request failed');
    return refuse(reply, 500, SERVER_FAULT);
  });

  const document = apiRoutes(app, { registry, reit, baseUrl, stallMs: patience.stall, limit: rateLimit.api });
  pageRoutes(app, { registry, reit, baseUrl, baseMap, document });
  discoveryRoutes(app, { registry, baseUrl, rateLimit, urlsPerSitemap, stallMs: patience.stall, now });
  mcpRoutes(app, { registry, reit, baseUrl, limits: { ...MCP_LIMITS, ...options.mcpLimits }, now, metrics });
  operatingRoutes(app, options, metrics);
  return app;
}

/** What an endpoint may have said of the body that it then could not send. */
const OF_THE_BODY = ['etag', 'cache-control', 'vary', 'content-encoding'] as const;

/** A fault after the answer began cannot become a 500: this is all that is said of it. */
class FaultLog extends LogController {
  override streamError(error: FastifyError, request: FastifyRequest): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    request.log.error({ err: error, requestId: request.id }, 'an answer broke off');
  }
}

/** Only what the framework itself says of a request is the client's fault, never what our code threw (API-06). */
function isClientFault(thrown: unknown): thrown is FastifyError & { statusCode: number } {
  const { code, statusCode } = (thrown ?? {}) as Partial<FastifyError>;
  return String(code).startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500;
}
