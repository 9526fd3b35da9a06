import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpoint } from './endpoint.ts';
import type { Metrics } from './metrics.ts';
import { NO_ENDPOINT, sendProblem } from './problem.ts';

/** For whoever runs the service; outside every limit. */
export function operatingRoutes(
  app: FastifyInstance,
  { isReady, hasUnfinishedRestore }: Readiness,
  metrics: Metrics,
): void {
  endpoint(app, '/healthz', async () => ({ status: 'ok' }));

  endpoint(app, '/readyz', async (request, reply) => {
    const late = sleep(READY_MS, undefined, { ref: false }).then(() => {
      throw new Error(`the database did not answer within ${READY_MS} ms`);
    });
    const ready = await Promise.race([isReady(), late]).catch((error: unknown) => {
      request.log.error({ err: error, requestId: request.id }, 'the database does not answer');
      return false;
    });
    const status = ready ? 'ready' : 'not ready';
    const isUnfinished = ready && (await hasUnfinishedRestore?.()) === true;
    return reply.code(ready ? 200 : 503).send(isUnfinished ? { status, restore: UNFINISHED } : { status });
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    handler: async (request, reply) => {
      if (!isFromThisMachine(request)) return sendProblem(reply, 404, NO_ENDPOINT);
      return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(metrics.render());
    },
  });
}

/** What those who run the service can ask of it. */
export interface Readiness {
  /** Whether the database answers, and has this program's tables and an index. */
  isReady: () => Promise<boolean>;
  /** A restore runs, or was killed; the registry from before it is complete, and is served. */
  hasUnfinishedRestore?: (() => Promise<boolean>) | undefined;
}

const UNFINISHED = 'not finished: the registry from before it is served';

/** Whoever asks whether the service is ready does not wait for long. */
const READY_MS = 2_000;
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;
const FORWARDED = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const;

/** By its connection alone, and not what a proxy on this machine passes on. */
function isFromThisMachine({ raw: { socket, headers } }: FastifyRequest): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined);
}
