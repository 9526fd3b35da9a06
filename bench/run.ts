/** npm run bench -- [names] [options]: see USAGE in harness/arguments.ts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Arguments, parseArguments, USAGE } from './harness/arguments.ts';
import { composeDocument } from './harness/document.ts';
import { readResults, writeResult } from './harness/results.ts';
import { describeRun, runBenchmarks } from './harness/run-benchmarks.ts';
import { BENCHMARKS } from './list.ts';

const RESULTS = join(import.meta.dirname, 'results');
const DOCS = join(import.meta.dirname, '..', 'docs');

const asked = readArguments();
if (asked === undefined) {
  const names = BENCHMARKS.map(({ name, measures }) => `  ${name}\n    ${measures}`);
  console.log(`${USAGE}\n\nBenchmarks:\n${names.join('\n')}`);
} else if (asked.document) {
  writeDocument();
} else {
  const { names, record } = asked;
  const chosen = BENCHMARKS.filter(({ name, onlyByName }) =>
    names.length === 0 ? onlyByName !== true : names.includes(name),
  );
  for await (const { benchmark, run } of runBenchmarks(chosen, asked, (line) => console.error(line))) {
    console.log(`\n${describeRun(benchmark, run)}`);
    if (!record) continue;
    writeResult(RESULTS, benchmark.name, run);
    writeDocument();
  }
}

function readArguments(): Arguments | undefined {
  try {
    return parseArguments(
      process.argv.slice(2),
      BENCHMARKS.map(({ name }) => name),
    );
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function writeDocument(): void {
  const all = BENCHMARKS.map((benchmark) => ({ benchmark, runs: readResults(RESULTS, benchmark.name) }));
  for (const [name, text] of composeDocument(all)) {
    mkdirSync(dirname(join(DOCS, name)), { recursive: true });
    writeFileSync(join(DOCS, name), text);
  }
}
