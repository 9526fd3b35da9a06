import type { Figure } from './harness/benchmark.ts';

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

/** The times of each round. */
export interface TimedRounds {
  name: string;
  rounds: readonly (readonly number[])[];
}

/** One figure for each part of the summary, beside that of a peer. */
export function latencyFigures(
  { name, rounds }: TimedRounds,
  parts: readonly (keyof Summary)[],
  beside?: TimedRounds,
): Figure[] {
  const summaries = rounds.map(summarise);
  const others = beside?.rounds.map(summarise);
  return parts.map((part) => ({
    name: name === '' ? part : `${name}, ${part}`,
    unit: 'ms',
    values: summaries.map((summary) => summary[part]),
    ...(beside === undefined || others === undefined
      ? {}
      : { beside: { name: beside.name, values: others.map((summary) => summary[part]) } }),
  }));
}

export const toMegabytes = (bytes: number) => bytes / 1e6;
export const toKilobytes = (bytes: number) => bytes / 1e3;
