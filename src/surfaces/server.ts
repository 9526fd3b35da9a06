import Fastify, { type FastifyError, type FastifyInstance, LogController } from 'fastify';
import type { Registry } from '../registry/registry.ts';
import { areaRoutes } from './api/areas.ts';
import { assetRoutes } from './api/assets.ts';
import { documentRoutes } from './api/document.ts';
import { ownerRoutes } from './api/owners.ts';
import { searchRoutes } from './api/search.ts';
import { knowAllMethods } from './endpoint.ts';
import { apiReferenceRoutes } from './pages/api-reference.ts';
import { sendProblem } from './problem.ts';
import { refuseBrokenRequest, refuseEarly } from './refusals.ts';

export interface ServerOptions {
  registry: Registry;
  /** Whether the database answers and has this program's tables. */
  isReady: () => Promise<boolean>;
  logLevel: string;
  trustProxy: string | boolean;
  /** The public origin, where one is set. */
  baseUrl: string | undefined;
}

export function buildServer({ registry, isReady, logLevel, trustProxy, baseUrl }: ServerOptions): FastifyInstance {
  const app = Fastify({
    logger: logLevel === 'silent' ? false : { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    routerOptions: { maxParamLength: 2_000 },
    requestTimeout: 30_000,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    http: { requireHostHeader: false },
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: (error, _request, reply) => {
      sendProblem(reply, 400, FRAMEWORK_FAULTS[error.code] ?? 'path: it cannot be read');
    },
  });
  knowAllMethods(app);
  refuseEarly(app);

  app.setErrorHandler((thrown: unknown, request, reply) => {
    if (isClientFault(thrown)) return sendProblem(reply, thrown.statusCode, 'the request cannot be read');
    request.log.error({ err: thrown, requestId: request.id }, 'a request failed');
    return sendProblem(reply, 500, 'the service failed to answer; the fault has been logged');
  });

  assetRoutes(app, registry);
  documentRoutes(app, baseUrl);
  apiReferenceRoutes(app);
  searchRoutes(app, registry);
  areaRoutes(app, registry);
  ownerRoutes(app, registry);
  app.route({ method: ['GET', 'HEAD'], url: '/healthz', handler: async () => ({ status: 'ok' }) });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async (request, reply) => {
      const ready = await isReady().catch((error: unknown) => {
        request.log.error({ err: error }, 'the database does not answer');
        return false;
      });
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
    },
  });
  return app;
}

const FRAMEWORK_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'path: a percent-escape cannot be decoded',
  FST_ERR_MAX_PARAM_LENGTH: 'path parameters: id must have the form ASSET-JP-NN-NNNNNNNN',
};

/** Only what the framework itself says of a request is the client's fault, never what our code threw (API-06). */
function isClientFault(thrown: unknown): thrown is FastifyError & { statusCode: number } {
  const { code, statusCode } = (thrown ?? {}) as Partial<FastifyError>;
  return String(code).startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500;
}
