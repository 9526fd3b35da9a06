import type { FastifyReply, FastifyRequest } from 'fastify';
import { within } from '../../vocabulary/within.ts';
import type { LimitedSurface, RateLimits, RateStore } from './rate-store.ts';
import { refuse } from './refuse.ts';
import { isOpenService } from './surface.ts';

export const WINDOW_MS = 60_000;

/** RATE-01: the number of the window, the same for every client and for every process whose clock is right. */
export function windowOf(now: number): number {
  return Math.floor(now / WINDOW_MS);
}

/** Whole seconds until the next window, from 1 to 60. */
export function secondsToNext(now: number): number {
  return Math.ceil(((windowOf(now) + 1) * WINDOW_MS - now) / 1000);
}

interface RateLimiterOptions {
  limits: RateLimits;
  store: RateStore;
  now: () => number;
  /** Receives the error of a failing store, once per window. */
  onFault: (error: unknown) => void;
}

/** How long a request waits for the store. After that it is let through. */
const STORE_TIMEOUT_MS = 1_000;
const isLate = () => new Error(`the rate store did not answer within ${STORE_TIMEOUT_MS} ms`);

/** Whether the request may proceed. If not, it has been answered. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => boolean | Promise<boolean>;

export function rateLimiter({ limits, store, now, onFault }: RateLimiterOptions): Admit {
  let faultyWindow = Number.NaN;
  /** While the store is late, other requests need not wait for it too. */
  let late: { error: Error; until: number } | undefined;

  const settle = (reply: FastifyReply, surface: LimitedSurface, count: number, at: number): boolean => {
    const limit = limits[surface];
    // API-07
    if (surface === 'api') {
      reply
        .header('x-ratelimit-limit', String(limit))
        .header('x-ratelimit-remaining', String(Math.max(0, limit - count)));
    }
    if (count <= limit) return true;
    reject(reply, surface, limit, secondsToNext(at));
    return false;
  };

  // A failing store must not cause refusals, so the request is not counted.
  const letThrough = (reply: FastifyReply, surface: LimitedSurface, error: unknown, at: number): boolean => {
    if (windowOf(at) !== faultyWindow) onFault(error);
    faultyWindow = windowOf(at);
    return settle(reply, surface, 0, at);
  };

  return (request, reply) => {
    const { surface } = request;
    if (surface === 'other' || limits[surface] === 0 || isPreflight(request)) return true;
    const at = now();
    if (late !== undefined && performance.now() < late.until) return letThrough(reply, surface, late.error, at);
    try {
      const count = store.add(surface, request.client, windowOf(at));
      if (typeof count === 'number') return settle(reply, surface, count, at);
      const noteLate = () => {
        late = { error: isLate(), until: performance.now() + STORE_TIMEOUT_MS };
        return late.error;
      };
      return within(STORE_TIMEOUT_MS, count, noteLate).then(
        (counted) => settle(reply, surface, counted, at),
        (error) => letThrough(reply, surface, error, at),
      );
    } catch (error) {
      return letThrough(reply, surface, error, at);
    }
  };
}

/** If a preflight were refused, the browser would hide from the page why, and when to retry. */
function isPreflight({ surface, raw: { method, url = '' } }: FastifyRequest): boolean {
  return method === 'OPTIONS' && (surface === 'mcp' || (surface === 'page' && isOpenService(url)));
}

/** RATE-02, RATE-03, RATE-04: refuses a request over the limit, in the form of its surface. */
function reject(reply: FastifyReply, surface: LimitedSurface, limit: number, seconds: number): FastifyReply {
  const detail = `the ${surface} surface allows ${limit} requests per minute; retry in ${seconds} seconds`;
  return refuse(reply.header('retry-after', String(seconds)), 429, detail);
}
