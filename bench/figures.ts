export interface Summary {
  p50: number;
  p95: number;
  p99: number;
  worst: number;
}

export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1) };
}

export const ms = (value: number) => value.toFixed(2).padStart(8);
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** One line of a report: what was measured, its target, and whether it was met. */
export function verdict(name: string, measured: string, target: string, met: boolean): string {
  return `${name.padEnd(34)} ${measured.padStart(12)}   (target: ${target})${met ? '' : '   MISSED'}`;
}
