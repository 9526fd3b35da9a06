const DAY_MS = 86_400_000;

/** Days from the first to the last, both counted. */
export function daysFrom(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
}
