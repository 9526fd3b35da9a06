import type { FastifyReply } from 'fastify';
import { FailureError } from '../../vocabulary/failure.ts';
import { BUSY_SECONDS, refuse } from './refuse.ts';

const CROWDED = `too many requests are waiting; retry in ${BUSY_SECONDS} seconds`;
export const SILENT = `the database does not answer; retry in ${BUSY_SECONDS} seconds`;

/** DLY-01: why a request cannot be answered now; undefined if an error says something else. */
export function whyUnavailable(error: unknown): string | undefined {
  if (!(error instanceof FailureError)) return undefined;
  switch (error.failure.kind) {
    case 'busy':
      return CROWDED;
    case 'connection':
    case 'locked':
      return SILENT;
    default:
      return undefined;
  }
}

export function refuseUnavailable(reply: FastifyReply, why: string): FastifyReply {
  return refuse(reply.header('retry-after', String(BUSY_SECONDS)), 503, why);
}

/** While a database is away, every request fails for the same reason: it is logged once in this time. */
const LOG_EVERY_MS = 1_000;

/** Logs the errors of requests that cannot be answered, a few of them. */
export function outageLog(log: (error: unknown) => void): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (now - last < LOG_EVERY_MS) return;
    last = now;
    log(error);
  };
}
