import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpoint } from './endpoint.ts';
import { type Metric, writeMetrics } from './metrics.ts';
import { NO_ENDPOINT, sendProblem } from './refuse.ts';

/** Endpoints for operators, without rate limits. */
export function operatingRoutes(
  app: FastifyInstance,
  { isReady, hasUnfinishedRestore, hasPrimary }: Readiness,
  readMetrics: () => Promise<Metric[]>,
): void {
  endpoint(app, '/healthz', async () => ({ status: 'ok' }));

  endpoint(app, '/readyz', async (request, reply) => {
    app.stopping.noteWatch();
    if (app.stopping.hasBegun) return reply.code(503).send({ status: 'stopping' });
    const late = sleep(READY_MS, undefined, { ref: false }).then(() => {
      throw new Error(`the database did not respond within ${READY_MS} ms`);
    });
    const ready = await Promise.race([isReady(), late]).catch((error: unknown) => {
      request.log.error({ err: error, requestId: request.id }, 'the database does not respond');
      return false;
    });
    const status = ready ? 'ready' : 'not ready';
    const isUnfinished = ready && (await hasUnfinishedRestore?.()) === true;
    const isWithoutPrimary = ready && hasPrimary?.() === false;
    return reply.code(ready ? 200 : 503).send({
      status,
      ...(isUnfinished && { restore: UNFINISHED }),
      // STB-06
      ...(isWithoutPrimary && { database: WITHOUT_PRIMARY }),
    });
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    handler: async (request, reply) => {
      if (!isFromThisMachine(request)) return sendProblem(reply, 404, NO_ENDPOINT);
      const text = writeMetrics(await readMetrics());
      return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(text);
    },
  });
}

/** What the endpoints for operators report. */
export interface Readiness {
  /** Whether the database responds, and has this program's tables and a search index. */
  isReady: () => Promise<boolean>;
  /** Whether a restore is running or was killed. The previous registry is complete and still served. */
  hasUnfinishedRestore?: (() => Promise<boolean>) | undefined;
  /** False while the primary of a database with standbys does not answer. */
  hasPrimary?: (() => boolean) | undefined;
}

const UNFINISHED = 'not finished: the registry from before it is served';

const WITHOUT_PRIMARY = 'the primary does not answer: standbys are read';

/** Readiness probes do not wait for long. */
const READY_MS = 2_000;
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;
const FORWARDED = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const;

/** Decided by the connection alone, and false for what a proxy on this machine forwards. */
function isFromThisMachine({ raw: { socket, headers } }: FastifyRequest): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined);
}
