import { type DataSet, openCity } from '../data-set.ts';
import type { Arguments } from './arguments.ts';
import type { Benchmark, Context } from './benchmark.ts';
import { alignTable, REPORT_COLUMNS, reportRows } from './report.ts';
import { type Recorded, toRecorded } from './results.ts';

/** Runs benchmarks at every size, and gives each result as soon as it is there. */
export async function* runBenchmarks(
  benchmarks: readonly Benchmark[],
  { engine, sizes, rounds, seconds, keep }: Arguments,
  say: (line: string) => void,
): AsyncGenerator<{ benchmark: Benchmark; run: Recorded }> {
  for (const [i, buildings] of sizes.entries()) {
    let city: DataSet | undefined;
    const open = async () => {
      say(`the city of ${buildings} buildings`);
      city ??= await openCity(engine, buildings, keep);
      return city;
    };
    const context: Context = { engine, buildings, rounds, seconds, city: open, say };
    try {
      for (const benchmark of benchmarks) {
        if (benchmark.targets[engine] === undefined || (benchmark.hasFixedSize && i > 0)) continue;
        say(`\n${benchmark.name}: ${benchmark.measures}`);
        const outcome = await benchmark.run(context);
        yield { benchmark, run: toRecorded(outcome, context, benchmark.hasFixedSize ?? false) };
      }
    } finally {
      await city?.close();
      city?.discard();
    }
  }
}

/** The tables of a run for a terminal. */
export function describeRun(
  { name, targets }: Benchmark,
  { figures, tables = [], buildings, engine }: Recorded,
): string {
  const heading = [name, ...(buildings === null ? [] : [`${buildings} buildings`]), engine].join(', ');
  return [
    heading,
    alignTable([[...REPORT_COLUMNS], ...reportRows(figures, targets[engine] ?? {})]),
    ...tables.flatMap(({ title, columns, rows }) => ['', title, alignTable([columns, ...rows])]),
  ].join('\n');
}
