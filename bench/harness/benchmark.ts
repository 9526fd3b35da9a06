import type { DataSet, Engine } from '../data-set.ts';

/** Judged by the median of the rounds. */
export interface Target {
  at: 'most' | 'least';
  value: number;
  /** Whether it limits the figure itself or its ratio to what was measured beside it. */
  of: 'value' | 'ratio';
}

export type Unit = 'ms' | 's' | '/s' | 'MB' | 'KB';

export interface Figure {
  name: string;
  unit: Unit;
  /** One per round. */
  values: readonly number[];
  /** The bare limit or a peer, measured in the same rounds and the same unit. */
  beside?: { name: string; values: readonly number[] };
}

/** What is not a figure of every round, such as what a peer gets wrong. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

export interface Outcome {
  figures: readonly Figure[];
  tables?: readonly Table[];
}

export type Targets = Readonly<Record<string, Target>>;

export interface Benchmark {
  name: string;
  title: string;
  /** One sentence. */
  measures: string;
  /** By the names of figures, for each engine that it runs on. */
  targets: Partial<Readonly<Record<Engine, Targets>>>;
  /** Figures that are plotted over the sizes. */
  growth?: readonly string[];
  /** Measures the same whatever the number of buildings. */
  hasFixedSize?: boolean;
  /** Takes so long that it only runs when it is named. */
  onlyByName?: boolean;
  run(context: Context): Promise<Outcome>;
}

export interface Context {
  engine: Engine;
  buildings: number;
  rounds: number;
  /** How long each load lasts. */
  seconds: number;
  /** The generated city of that size, ingested; one for all benchmarks of a run. */
  city(): Promise<DataSet>;
  /** Says what is being done. */
  say(line: string): void;
}

export const atMost = (value: number): Target => ({ at: 'most', value, of: 'value' });
export const ratioAtMost = (value: number): Target => ({ at: 'most', value, of: 'ratio' });
export const atLeast = (value: number): Target => ({ at: 'least', value, of: 'value' });
export const ratioAtLeast = (value: number): Target => ({ at: 'least', value, of: 'ratio' });
