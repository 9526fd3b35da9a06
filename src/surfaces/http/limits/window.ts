export const WINDOW_MS = 60_000;

/** RATE-01: the number of the window, the same for every client and every process with the right time. */
export function windowOf(now: number): number {
  return Math.floor(now / WINDOW_MS);
}

/** Whole seconds until the next window, from 1 to 60. */
export function secondsToNext(now: number): number {
  return Math.ceil(((windowOf(now) + 1) * WINDOW_MS - now) / 1000);
}
