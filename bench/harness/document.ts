import type { Benchmark, Figure, Target } from './benchmark.ts';
import { type Bar, plotGrowth, plotTargets, type Series } from './plots.ts';
import { isMet, judgedSpread, markdownTable, REPORT_COLUMNS, reportRows, type Spread, spreadOf } from './report.ts';
import { latestOf, type Recorded } from './results.ts';

export interface Documented {
  benchmark: Benchmark;
  runs: readonly Recorded[];
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
type EngineKey = keyof typeof ENGINES;
const ENGINE_KEYS = Object.keys(ENGINES) as EngineKey[];

const INTRODUCTION = `# Benchmarks

Every benchmark measures the registry beside a limit or a peer in the same run, so that the speed of the machine and its other load
affect both. A figure is the median of the rounds, with the lowest and the highest in brackets, and so is a ratio; targets are judged
by the median. The figures below are of the largest recorded size.

    npm run bench                              every benchmark
    npm run bench -- search get                some of them
    npm run bench -- search --buildings 10000 --buildings 1000000 --keep
    npm run bench -- search --postgres --record

\`npm run bench -- --help\` lists the options and the names. The data is one generated city, the same in every run: up to a million buildings in
nine prefectures, with names, addresses and aliases as Japan writes them, common words far more often than rare ones, a third of the
buildings without a name, 1.2 source records for each. It is made under \`bench/out\` and removed, or with \`--keep\` used again until the generator or the tables
change. \`--record\` writes the raw figures to \`bench/results\` and this page and its plots from them.
[Decisions about performance](decisions/performance.md) tells what was tried, and what it gave.`;

/** docs/benchmarks.md and its plots, by file name. */
export function composeDocument(all: readonly Documented[]): Map<string, string> {
  const files = new Map<string, string>();
  const bars = all.flatMap(barsOf);
  const series = all.flatMap(seriesOf);
  if (bars.length > 0) files.set('benchmarks/targets.svg', plotTargets(bars));
  if (series.length > 0) files.set('benchmarks/growth.svg', plotGrowth(series));
  const parts = [
    INTRODUCTION,
    ...(bars.length > 0
      ? [
          '## Targets',
          '![How much of each target is used](benchmarks/targets.svg)',
          'A bar that ends before the line meets its target.',
        ]
      : []),
    ...(series.length > 0 ? ['## Growth', '![Figures over the number of buildings](benchmarks/growth.svg)'] : []),
    ...all.flatMap(sectionOf),
  ];
  files.set('benchmarks.md', `${parts.join('\n\n')}\n`);
  return files;
}

function sectionOf({ benchmark, runs }: Documented): string[] {
  const command = `npm run bench -- ${benchmark.name}`;
  const latest = ENGINE_KEYS.flatMap((engine) => latestOf(runs, engine) ?? []);
  return [
    `## ${benchmark.title}: \`${benchmark.name}\``,
    benchmark.measures,
    ...(latest.length === 0 ? [`Not recorded yet. Targets: ${listTargets(benchmark)}. Run \`${command}\`.`] : []),
    ...latest.flatMap((run) => [
      headingOf(run),
      markdownTable(REPORT_COLUMNS, reportRows(run.figures, benchmark.targets[run.engine] ?? {})),
      ...(run.tables ?? []).flatMap(({ title, columns, rows }) => [`${title}:`, markdownTable(columns, rows)]),
    ]),
  ];
}

function headingOf({ engine, buildings, date, node, cores, memoryGb, rounds }: Recorded): string {
  const size = buildings === null ? '' : `${buildings.toLocaleString('en')} buildings on `;
  const machine = `${cores} cores with ${memoryGb} GB, Node ${node}`;
  return `${size}${ENGINES[engine]}, ${rounds === 1 ? '1 round' : `${rounds} rounds`}, ${date}, ${machine}:`;
}

function listTargets({ targets }: Benchmark): string {
  const names = new Set(ENGINE_KEYS.flatMap((engine) => Object.keys(targets[engine] ?? {})));
  return names.size === 0 ? 'none' : [...names].join('; ');
}

function barsOf({ benchmark, runs }: Documented): Bar[] {
  return ENGINE_KEYS.flatMap((engine) => {
    const figures = latestOf(runs, engine)?.figures ?? [];
    return figures.flatMap((figure) => {
      const target = benchmark.targets[engine]?.[figure.name];
      if (target === undefined) return [];
      const label = `${benchmark.name}${engine === 'postgres' ? ' (PostgreSQL)' : ''}: ${figure.name}`;
      return [{ label, used: usedOf(figure, target), isMet: isMet(figure, target) }];
    });
  });
}

function usedOf(figure: Figure, target: Target): Spread {
  const { lowest, median, highest } = judgedSpread(figure, target);
  const used = (value: number) => (target.at === 'most' ? value / target.value : target.value / value);
  return spreadOf([used(lowest), used(median), used(highest)]);
}

/** On SQLite; a figure needs two sizes. */
function seriesOf({ benchmark, runs }: Documented): Series[] {
  return (benchmark.growth ?? []).flatMap((name) => {
    const points = runs.flatMap(({ engine, buildings, figures }) => {
      const figure = figures.find((each) => each.name === name);
      if (engine !== 'sqlite' || buildings === null || figure === undefined) return [];
      return [{ buildings, spread: spreadOf(figure.values), unit: figure.unit }];
    });
    const [first] = points;
    if (first === undefined || points.length < 2) return [];
    return [{ label: `${benchmark.name}: ${name}`, unit: first.unit, points }];
  });
}
