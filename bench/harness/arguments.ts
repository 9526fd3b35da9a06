import { parseArgs } from 'node:util';
import type { Engine } from '../data-set.ts';

export interface Arguments {
  names: string[];
  engine: Engine;
  sizes: number[];
  rounds: number;
  seconds: number;
  keep: boolean;
  record: boolean;
  document: boolean;
}

export const USAGE = `npm run bench -- [names] [options]

  --buildings <n>  size of the generated city, 100,000 by default; may be repeated
  --rounds <n>     measured rounds, 3 by default
  --seconds <n>    how long each load lasts, 6 by default
  --postgres       on PostgreSQL instead of SQLite
  --keep           keeps the data set of this run for the next
  --record         writes the figures to bench/results, and docs/benchmarks.md from them
  --document       only writes docs/benchmarks.md from the recorded figures
  --list           lists the benchmarks`;

/** Undefined if the usage is asked for. Throws an error that tells what is wrong. */
export function parseArguments(args: readonly string[], known: readonly string[]): Arguments | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      buildings: { type: 'string', multiple: true, default: ['100000'] },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '6' },
      ...{ postgres: { type: 'boolean' }, keep: { type: 'boolean' }, record: { type: 'boolean' } },
      ...{ document: { type: 'boolean' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
    },
  });
  if (values.help || values.list) return undefined;
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown benchmark: ${unknown}. Known: ${known.join(', ')}.`);
  return {
    names: [...new Set(positionals)],
    engine: values.postgres ? 'postgres' : 'sqlite',
    sizes: values.buildings.map((text) => positive('--buildings', text)),
    rounds: positive('--rounds', values.rounds),
    seconds: positive('--seconds', values.seconds),
    ...{ keep: values.keep ?? false, record: values.record ?? false, document: values.document ?? false },
  };
}

function positive(option: string, text: string): number {
  const number = Number(text.replaceAll(/[,_]/g, ''));
  if (!Number.isInteger(number) || number < 1) throw new Error(`${option} must be a positive integer.`);
  return number;
}
