import { randomBytes } from 'node:crypto';
import type { Surface } from './surface.ts';

export type LimitedSurface = Exclude<Surface, 'other'>;

/** Requests per window and client; 0 means no limit. */
export type RateLimits = Readonly<Record<LimitedSurface, number>>;

/** Counts requests. Processes that share a store share the budgets of their clients. */
export interface RateStore {
  /** Client addresses are hashed with this key; processes that share the counts must share it. */
  readonly key: Uint8Array;
  /** Counts one more request, and returns the count in this window. */
  add(surface: LimitedSurface, client: string, window: number): number | Promise<number>;
}

const MAX_CLIENTS = 100_000;
const CELLS = 2 ** 18;

/**
 * For one process. Once `maxClients` are known in a window, each further client is counted in one of a fixed number of
 * cells, which it may share. So memory is bounded; no client gets more than the limit, and some may get less.
 */
export function memoryRateStore(maxClients = MAX_CLIENTS, cells = CELLS): RateStore {
  let current = Number.NaN;
  let tallies: Record<LimitedSurface, Tally>;
  return {
    key: randomBytes(32),
    add(surface, client, window) {
      if (window !== current) {
        current = window;
        tallies = { api: newTally(), page: newTally(), mcp: newTally() };
      }
      const tally = tallies[surface];
      const count = tally.counts.get(client);
      if (count === undefined && tally.counts.size >= maxClients) return addShared(tally, client, cells);
      const next = (count ?? 0) + 1;
      tally.counts.set(client, next);
      return next;
    },
  };
}

interface Tally {
  counts: Map<string, number>;
  shared: Uint32Array | undefined;
}

const newTally = (): Tally => ({ counts: new Map(), shared: undefined });

function addShared(tally: Tally, client: string, cells: number): number {
  tally.shared ??= new Uint32Array(cells);
  let hash = 0;
  for (let i = 0; i < client.length; i++) hash = (Math.imul(hash, 31) + client.charCodeAt(i)) >>> 0;
  const cell = hash % cells;
  const next = (tally.shared[cell] as number) + 1;
  tally.shared[cell] = next;
  return next;
}
