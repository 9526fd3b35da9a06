import type { Random } from '../support/random.ts';

/** A part of the product that receives input from outside. */
export interface Target {
  /** As it is named on the command line. */
  readonly name: string;
  /** Cases that run at the same time. */
  readonly atOnce: number;
  open(): Promise<OpenTarget>;
}

export interface OpenTarget {
  /** Runs the case that these random numbers describe; throws if it finds a fault. */
  run(random: Random): Promise<void>;
  /** Looks for faults that belong to no single case. */
  check?(): Promise<void>;
  close(): Promise<void>;
}

/** Throws what was wrong. */
export function fault(what: string): never {
  throw new Error(what);
}

/** An input in a message, so that it can be repeated. */
export function show(input: string | Buffer): string {
  const text = typeof input === 'string' ? input : input.toString('latin1');
  return JSON.stringify(text.length > 3_000 ? `${text.slice(0, 3_000)}… (${text.length} characters)` : text);
}
