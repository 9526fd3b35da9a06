import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../data-set.ts';
import type { Context, Outcome } from './benchmark.ts';

/** The raw figures of one run, as bench/results keeps them. */
export interface Recorded extends Outcome {
  date: string;
  node: string;
  cores: number;
  memoryGb: number;
  engine: Engine;
  /** Null if the benchmark has a fixed size. */
  buildings: number | null;
  rounds: number;
}

export function toRecorded(outcome: Outcome, { engine, buildings, rounds }: Context, hasFixedSize: boolean): Recorded {
  return {
    ...{ date: new Date().toISOString().slice(0, 10), node: process.versions.node },
    ...{ cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30) },
    ...{ engine, buildings: hasFixedSize ? null : buildings, rounds },
    ...outcome,
  };
}

export function readResults(folder: string, name: string): Recorded[] {
  const file = join(folder, `${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded[]) : [];
}

/** Replaces the earlier run of the same engine and size. */
export function writeResult(folder: string, name: string, run: Recorded): void {
  const others = readResults(folder, name).filter(
    ({ engine, buildings }) => engine !== run.engine || buildings !== run.buildings,
  );
  const all = [...others, run].sort(
    (a, b) => b.engine.localeCompare(a.engine) || (a.buildings ?? 0) - (b.buildings ?? 0),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(all, roundNumbers, 2)}\n`);
}

/** Five digits are more than a measurement has. */
const roundNumbers = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;

/** The largest recorded size of an engine. */
export function latestOf(runs: readonly Recorded[], engine: Engine): Recorded | undefined {
  return runs.filter((run) => run.engine === engine).sort((a, b) => (b.buildings ?? 0) - (a.buildings ?? 0))[0];
}
