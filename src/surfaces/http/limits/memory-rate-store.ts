import { randomBytes } from 'node:crypto';
import type { LimitedSurface, RateStore } from './rate-store.ts';

const MAX_CLIENTS = 100_000;
const CELLS = 2 ** 18;

/**
 * For one process. Past `maxClients` in a window, each further client is counted in one of a fixed number of cells
 * that it may share: memory stays bounded, nobody gets more than the limit, some may get less.
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
