import type { Surface } from '../surface.ts';

export type LimitedSurface = Exclude<Surface, 'other'>;

/** Requests a window for each client; 0 is no limit. */
export type RateLimits = Readonly<Record<LimitedSurface, number>>;

/** Who counts. Where several processes share one, they share the budgets of their clients. */
export interface RateStore {
  /** Under which client addresses are hashed: who shares the counts has to share it too. */
  readonly key: Uint8Array;
  /** Counts one more request, and says how many that makes in this window. */
  add(surface: LimitedSurface, client: string, window: number): number | Promise<number>;
}
