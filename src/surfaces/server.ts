import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Registry } from '../registry/registry.ts';
import { assetRoutes } from './api/assets.ts';
import { knowAllMethods } from './endpoint.ts';
import { sendProblem } from './problem.ts';

export interface ServerOptions {
  registry: Registry;
  /** Whether the database answers and has this program's tables. */
  isReady: () => Promise<boolean>;
  logLevel: string;
  trustProxy: string | boolean;
}

export function buildServer({ registry, isReady, logLevel, trustProxy }: ServerOptions): FastifyInstance {
  const app = Fastify({
    logger: logLevel === 'silent' ? false : { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    routerOptions: { maxParamLength: 2_000 },
    requestTimeout: 30_000,
    // An escape that cannot be decoded is the client's fault, and its text stays out of the answer.
    frameworkErrors: (_error, _request, reply) => {
      sendProblem(reply, 400, 'path: a percent-escape cannot be decoded');
    },
  });
  knowAllMethods(app);

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return sendProblem(reply, error.statusCode, 'the request cannot be read');
    }
    request.log.error({ err: error, requestId: request.id }, 'a request failed');
    return sendProblem(reply, 500, 'the service failed to answer; the fault has been logged');
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, 'path: there is no such endpoint'));

  assetRoutes(app, registry);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
  return app;
}
