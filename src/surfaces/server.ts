import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Registry } from '../registry/registry.ts';
import type { Reit } from '../reit/life/reit.ts';
import { apiRoutes } from './api/api-routes.ts';
import { refuseBrokenRequest, trackConnections } from './http/broken-requests.ts';
import { clientIdentifier } from './http/client-identifier.ts';
import { registerMethods } from './http/endpoint.ts';
import { constantHeaders, openGate, requestIds } from './http/gate.ts';
import { type Metric, Metrics } from './http/metrics.ts';
import { operatingRoutes, type Readiness } from './http/operating.ts';
import { answerInOrder } from './http/pipelining.ts';
import { rateLimiter } from './http/rate-limiter.ts';
import { memoryRateStore, type RateLimits, type RateStore } from './http/rate-store.ts';
import { problemForm, refuse, SERVER_FAULT, useRefusalForms } from './http/refuse.ts';
import { refuseEarly, routeUndecodable } from './http/refuse-early.ts';
import { NO_STORE } from './http/send-finished.ts';
import { Stopping, type StopTiming } from './http/stopping.ts';
import { outageLog, refuseUnavailable, whyUnavailable } from './http/unavailable.ts';
import { MCP_LIMITS, type McpLimits } from './mcp/limits.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { rpcForm } from './mcp/rpc-error.ts';
import { type SessionStore, Sessions } from './mcp/sessions.ts';
import { discoveryRoutes } from './pages/discovery.ts';
import { pageRoutes } from './pages/page-routes.ts';
import type { BaseMap } from './pages/page-settings.ts';
import { pageForm } from './pages/refusal.ts';
import { watchSample } from './pages/sample-watch.ts';
import { URLS_PER_SITEMAP } from './pages/sitemaps.ts';

export interface ServerOptions extends Readiness {
  registry: Registry;
  reit: Reit;
  logLevel: string;
  /** Where the log goes; standard output by default. */
  logTo?: { write(line: string): void };
  trustProxy: string | boolean | number;
  /** The public origin. */
  baseUrl: string | undefined;
  /** The raster map below the buildings; none by default. */
  baseMap?: BaseMap | undefined;
  /** The folder of exported files; undefined for none. */
  exportDir?: string | undefined;
  rateLimit: RateLimits;
  /** The default counts for this process alone. */
  rateStore?: RateStore;
  /** The default keeps them in this process. */
  sessions?: SessionStore;
  /** The default counts for this process alone. */
  metrics?: Metrics;
  /** The metrics of all processes that share the port; by default those of this one. */
  gatherMetrics?: () => Promise<Metric[]>;
  timeouts?: Partial<Timeouts>;
  stop?: Partial<StopTiming>;
  mcpLimits?: Partial<McpLimits>;
  urlsPerSitemap?: number;
  /** The time of day. A test that sets it also decides by it how long things are kept. */
  now?: () => number;
}

/** How long a client may take, in milliseconds. */
interface Timeouts {
  /** To send the headers of a request. */
  headers: number;
  /** To send a whole request. */
  request: number;
  /** To send the next request. Longer than the 60 s for which proxies usually keep a connection. */
  keepAlive: number;
  /** How often the first two are checked. */
  check: number;
  /**
   * To read nothing of a streamed response, which may hold a connection to the database. The system buffers megabytes for
   * a slow client, so that one that reads steadily may seem to stall for a minute. If others wait for its place, a client
   * loses it sooner (long-reads.ts).
   */
  stall: number;
  /** To read nothing of any other response. */
  idle: number;
}

const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  check: 1_000,
  stall: 240_000,
  idle: 120_000,
};

export function buildServer(options: ServerOptions): FastifyInstance {
  const { registry, reit, logLevel, logTo, trustProxy, baseUrl, baseMap, exportDir, rateLimit } = options;
  const { rateStore = memoryRateStore(), now = Date.now, urlsPerSitemap = URLS_PER_SITEMAP } = options;
  // What is kept for a time must not end early, or never, because the clock was set.
  const elapsed = options.now ?? (() => performance.now());
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const genReqId = requestIds();
  const headers = constantHeaders(baseUrl);
  const { metrics = new Metrics() } = options;
  const mcpLimits = { ...MCP_LIMITS, ...options.mcpLimits };
  const { sessions = new Sessions(mcpLimits, elapsed) } = options;

  const app: FastifyInstance = Fastify({
    logger: logLevel === 'silent' ? false : { level: logLevel, ...(logTo && { stream: logTo }) },
    logController: new FaultLog({ disableRequestLogging: true }),
    // A logger per request is expensive; log entries name the ID of the request instead.
    childLoggerFactory: (logger) => logger,
    genReqId,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    // Endpoints judge their parameters whatever the length; the request line is limited anyway.
    routerOptions: { maxParamLength: 1_000_000 },
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    connectionTimeout: timeouts.idle,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    http: {
      requireHostHeader: false,
      maxHeaderSize: 16_384,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
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
  const sample = watchSample(
    () => registry.holdsSample(),
    elapsed,
    (error) => app.log.error({ err: error }, 'checking for the bundled sample failed'),
  );
  useRefusalForms(app, { api: problemForm, page: pageForm(sample, exportDir !== undefined), mcp: rpcForm });
  registerMethods(app);
  openGate(app, {
    headers,
    clientOf: clientIdentifier(rateStore.key, trustProxy !== false),
    admit: rateLimiter({
      limits: rateLimit,
      store: rateStore,
      now,
      onFault: (error) => app.log.error({ err: error }, 'the rate store failed; requests are let through'),
    }),
  });
  refuseEarly(app);
  app.decorate('stopping', new Stopping(app, options.stop));
  answerInOrder(app, app.stopping.closeAfter);
  trackConnections(app);
  app.addHook('onResponse', (request, reply, done) => {
    metrics.count(request.surface, reply.statusCode, reply.elapsedTime);
    done();
  });
  app.addHook('onListen', async () => {
    metrics.start();
    void sample.check();
  });
  app.addHook('onClose', async () => metrics.stop());

  const logOutage = outageLog((error) => app.log.warn({ err: error }, 'requests cannot be answered now'));
  app.setErrorHandler((thrown: unknown, request, reply) => {
    const caching = reply.getHeader('cache-control');
    for (const name of BODY_HEADERS) reply.removeHeader(name);
    if (caching === NO_STORE) reply.header('cache-control', NO_STORE);
    if (isClientFault(thrown)) return refuse(reply, thrown.statusCode, 'the request cannot be read');
    const why = whyUnavailable(thrown);
    if (why !== undefined) {
      logOutage(thrown);
      return refuseUnavailable(reply, why);
    }
    request.log.error({ err: thrown, requestId: request.id }, 'a request failed');
    return refuse(reply, 500, SERVER_FAULT);
  });

  const document = apiRoutes(app, { registry, reit, baseUrl, stallMs: timeouts.stall, limit: rateLimit.api });
  pageRoutes(app, {
    registry,
    reit,
    baseUrl,
    baseMap,
    stallMs: timeouts.stall,
    document,
    sample,
    rateLimit,
    exportDir,
    now,
  });
  discoveryRoutes(app, { registry, baseUrl, rateLimit, document, urlsPerSitemap, stallMs: timeouts.stall, elapsed });
  mcpRoutes(app, { registry, reit, baseUrl, limits: mcpLimits, sessions, now, metrics, logOutage });
  operatingRoutes(app, options, options.gatherMetrics ?? (async () => metrics.read()));
  return app;
}

/** Headers that an endpoint may have set for a body that it then failed to send. */
const BODY_HEADERS = ['etag', 'cache-control', 'vary', 'content-encoding'] as const;

/** Logs an error that occurs after the response has begun, when it cannot become a 500. */
class FaultLog extends LogController {
  override streamError(error: FastifyError, request: FastifyRequest): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    request.log.error({ err: error, requestId: request.id }, 'a response was cut off');
  }
}

/** Only errors of the framework can be the client's fault, never those of our code (API-06). */
function isClientFault(thrown: unknown): thrown is FastifyError & { statusCode: number } {
  const { code, statusCode } = (thrown ?? {}) as Partial<FastifyError>;
  return String(code).startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500;
}
