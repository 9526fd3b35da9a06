import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientIdentifier } from './client-identifier.ts';
import type { LimitedSurface, RateLimits, RateStore } from './rate-store.ts';
import { reject } from './reject.ts';
import { secondsToNext, windowOf } from './window.ts';

interface RateLimiterOptions {
  limits: RateLimits;
  store: RateStore;
  trustsProxy: boolean;
  now: () => number;
  /** Hears of a store that fails, once a window. */
  onFault: (error: unknown) => void;
}

/** How long a request waits to be counted before it is let through. */
const PATIENCE_MS = 1_000;

/** Whether the request may go on; where it may not, it has been answered. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => boolean | Promise<boolean>;

export function rateLimiter({ limits, store, trustsProxy, now, onFault }: RateLimiterOptions): Admit {
  const clientOf = clientIdentifier(store.key, trustsProxy);
  let faultyWindow = Number.NaN;

  const settle = (reply: FastifyReply, surface: LimitedSurface, count: number, at: number): boolean => {
    const limit = limits[surface];
    if (surface === 'api') {
      reply
        .header('x-ratelimit-limit', String(limit))
        .header('x-ratelimit-remaining', String(Math.max(0, limit - count)));
    }
    if (count <= limit) return true;
    reject(reply, surface, limit, secondsToNext(at));
    return false;
  };

  // A store that fails is no reason to refuse anybody: the request counts as nothing.
  const letThrough = (reply: FastifyReply, surface: LimitedSurface, error: unknown, at: number): boolean => {
    if (windowOf(at) !== faultyWindow) onFault(error);
    faultyWindow = windowOf(at);
    return settle(reply, surface, 0, at);
  };

  return (request, reply) => {
    const { surface } = request;
    if (surface === 'other' || limits[surface] === 0 || isPreflight(request)) return true;
    const at = now();
    try {
      const count = store.add(surface, clientOf(request), windowOf(at));
      if (typeof count === 'number') return settle(reply, surface, count, at);
      return inTime(count).then(
        (counted) => settle(reply, surface, counted, at),
        (error) => letThrough(reply, surface, error, at),
      );
    } catch (error) {
      return letThrough(reply, surface, error, at);
    }
  };
}

/** A browser that is refused this question hides from its page that the next one would be refused, and until when. */
function isPreflight({ surface, raw: { method } }: FastifyRequest): boolean {
  return surface === 'mcp' && method === 'OPTIONS';
}

async function inTime(count: Promise<number>): Promise<number> {
  const done = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error(`the rate store did not answer within ${PATIENCE_MS} ms`);
  });
  // Both may fail after the race is over.
  late.catch(() => {});
  count.catch(() => {});
  try {
    return await Promise.race([count, late]);
  } finally {
    done.abort();
  }
}
