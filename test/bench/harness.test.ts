import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCity } from '../../bench/data-set.ts';
import { parseArguments } from '../../bench/harness/arguments.ts';
import { atMost, type Benchmark, type Figure, ratioAtLeast } from '../../bench/harness/benchmark.ts';
import { composeDocument } from '../../bench/harness/document.ts';
import { plotGrowth, plotTargets } from '../../bench/harness/plots.ts';
import { alignTable, isMet, markdownTable, ratiosOf, reportRows, spreadOf } from '../../bench/harness/report.ts';
import { latestOf, type Recorded, readResults, writeResult } from '../../bench/harness/results.ts';
import { describeRun, runBenchmarks } from '../../bench/harness/run-benchmarks.ts';
import { BENCHMARKS } from '../../bench/list.ts';
import { sqliteTrigrams } from '../../bench/peers/databases.ts';
import { flexSearch, flexSearchParts, miniSearch, orama } from '../../bench/peers/in-memory.ts';
import { type Document, findExactly, WORD_QUERIES } from '../../bench/search-corpus.ts';

const rate: Figure = {
  ...{ name: 'reads', unit: '/s', values: [50, 70, 60] },
  beside: { name: 'bare node:http', values: [100, 100, 100] },
};
const recorded = (buildings: number, figures: readonly Figure[]): Recorded => ({
  ...{ date: '2026-11-16', node: '24.21.0', cores: 2, memoryGb: 24, engine: 'sqlite', buildings, rounds: 3, figures },
});
const small: Benchmark = {
  ...{ name: 'small', title: 'Small', measures: 'Something small.', growth: ['reads'] },
  targets: { sqlite: { reads: ratioAtLeast(0.65), wait: atMost(5) } },
  run: async ({ rounds, buildings }) => ({
    figures: [rate, { name: 'wait', unit: 'ms', values: Array.from({ length: rounds }, () => buildings / 100) }],
  }),
};

describe('arguments', () => {
  const parse = (...args: string[]) => parseArguments(args, ['get', 'search']);

  it('names and options', () => {
    expect(parse()).toMatchObject({ names: [], engine: 'sqlite', sizes: [100_000], rounds: 3, record: false });
    expect(
      parse('search', 'get', '--buildings', '10,000', '--buildings', '1000000', '--postgres', '--record'),
    ).toMatchObject({ names: ['search', 'get'], engine: 'postgres', sizes: [10_000, 1_000_000], record: true });
    expect(parse('--help')).toBeUndefined();
  });

  it.each([['paint'], ['--buildings', '0'], ['--rounds', 'many'], ['--speed', '3']])('refuses %s %s', (...args) => {
    expect(() => parse(...args)).toThrow();
  });
});

describe('figures', () => {
  it('spread: lowest, median and highest', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ lowest: 1, median: 2, highest: 3 });
    expect(spreadOf([4, 1])).toEqual({ lowest: 1, median: 2.5, highest: 4 });
    expect(ratiosOf(rate)).toEqual([0.5, 0.7, 0.6]);
  });

  it('a target is judged by the median', () => {
    expect(isMet(rate, ratioAtLeast(0.6))).toBe(true);
    expect(isMet(rate, ratioAtLeast(0.61))).toBe(false);
    expect(isMet({ name: '', unit: 'ms', values: [1, 9, 2] }, atMost(2))).toBe(true);
  });

  it('tables', () => {
    const rows = reportRows([rate], small.targets.sqlite ?? {});
    expect(rows).toEqual([
      ['reads', '60.0 /s (50.0 to 70.0)', '60 % (50 to 70) of bare node:http', 'at least 65 %', 'missed'],
    ]);
    expect(
      alignTable([
        ['a', 'b'],
        ['long', 'c'],
      ]),
    ).toBe('a     b\nlong  c');
    expect(markdownTable(['x'], [['a|b']])).toBe('| x |\n|---|\n| a\\|b |');
  });
});

describe('results', () => {
  it('a run replaces the one of its engine and size', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tatemono-results-'));
    try {
      writeResult(folder, 'small', recorded(1_000, [rate]));
      writeResult(folder, 'small', recorded(100, [rate]));
      writeResult(folder, 'small', recorded(1_000, [{ ...rate, values: [1 / 3] }]));
      const runs = readResults(folder, 'small');
      expect(runs.map(({ buildings }) => buildings)).toEqual([100, 1_000]);
      expect(latestOf(runs, 'sqlite')?.figures[0]?.values).toEqual([0.33333]);
      expect(latestOf(runs, 'postgres')).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the document has tables, and plots of targets and growth', () => {
    const files = composeDocument([{ benchmark: small, runs: [recorded(100, [rate]), recorded(1_000, [rate])] }]);
    expect([...files.keys()].sort()).toEqual(['benchmarks.md', 'benchmarks/growth.svg', 'benchmarks/targets.svg']);
    expect(files.get('benchmarks.md')).toContain('1,000 buildings on SQLite, 3 rounds, 2026-11-16');
    expect(files.get('benchmarks.md')).toContain('| reads | 60.0 /s (50.0 to 70.0) |');
  });

  it('docs/benchmarks.md is written from the recorded results', () => {
    const root = join(import.meta.dirname, '..', '..');
    const all = BENCHMARKS.map((benchmark) => ({
      benchmark,
      runs: readResults(join(root, 'bench', 'results'), benchmark.name),
    }));
    for (const [name, text] of composeDocument(all)) {
      expect(readFileSync(join(root, 'docs', name), 'utf8') === text, `${name}: npm run bench -- --document`).toBe(
        true,
      );
    }
  });
});

describe('plots', () => {
  const spread = { lowest: 0.5, median: 1, highest: 2 };

  it('are SVG without markup in labels', () => {
    const bars = plotTargets([{ label: 'a < b & "c"', used: spread, isMet: true }]);
    expect(bars).toContain('a &lt; b &amp; &quot;c&quot;');
    const points = [100, 1_000].map((buildings) => ({ buildings, spread }));
    for (const text of [bars, plotGrowth([{ label: 'p95', unit: 'ms', points }])]) {
      expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>\n$/s);
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

describe('benchmarks', () => {
  it('have names of their own, a sentence and targets', () => {
    expect(new Set(BENCHMARKS.map(({ name }) => name)).size).toBe(BENCHMARKS.length);
    for (const { measures, targets } of BENCHMARKS) {
      expect(measures).toMatch(/^[A-Z0-9].*\.$/);
      expect(Object.keys(targets)).not.toEqual([]);
    }
  });

  it('run at every size, and say whether targets are met', async () => {
    const asked = { ...{ names: [], sizes: [100, 1_000], rounds: 2, seconds: 1 }, ...{ keep: false, record: false } };
    const runs: string[] = [];
    for await (const { benchmark, run } of runBenchmarks(
      [small],
      { ...asked, engine: 'sqlite', document: false },
      () => {},
    )) {
      runs.push(describeRun(benchmark, run));
    }
    expect(runs.map((text) => /^wait .*\b(met|missed)$/m.exec(text)?.[1])).toEqual(['met', 'missed']);
    for await (const _ of runBenchmarks([small], { ...asked, engine: 'postgres', document: false }, () => {})) {
      expect.fail('it has no targets on PostgreSQL');
    }
  });

  it('get runs end to end on a city of 200 buildings', async () => {
    const get = BENCHMARKS.filter(({ name }) => name === 'get');
    const asked = { ...{ names: ['get'], sizes: [200], rounds: 1, seconds: 1 }, ...{ keep: false, record: false } };
    for await (const { run } of runBenchmarks(get, { ...asked, engine: 'sqlite', document: false }, () => {})) {
      const [random] = run.figures;
      expect(random?.values[0]).toBeGreaterThan(0);
      expect(random?.beside?.values[0]).toBeGreaterThan(0);
      expect(run.buildings).toBe(200);
    }
  });
});

describe('data set', () => {
  it('a stale one that a link leads to is not removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tatemono-kept-'));
    const out = join(import.meta.dirname, '..', '..', 'bench', 'out');
    const link = join(out, 'search-sqlite-7');
    mkdirSync(out, { recursive: true });
    try {
      writeFileSync(join(folder, 'registry.db'), '');
      symlinkSync(folder, link, 'junction');
      await expect(openCity('sqlite', 7, false)).rejects.toThrow('link');
      expect(existsSync(join(folder, 'registry.db'))).toBe(true);
    } finally {
      rmSync(link, { force: true });
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('peers', () => {
  const place = { prefecture: 'tokyo', ward: 'chiyoda-ku', machiAza: 'marunouchi-1-chome', uses: ['office'] };
  const documents: Document[] = [
    { id: 'a', recordedAt: '', ...place, values: ['asset-jp-13-00000001', '丸の内ビル', 'marunouchi building'] },
    { id: 'b', recordedAt: '', ...place, values: ['asset-jp-13-00000002', 'の内 丸ビル', '東京都千代田区'] },
    { id: 'c', recordedAt: '', ...place, uses: ['hotel'], values: ['asset-jp-13-00000003', '丸の内ホテル'] },
  ];
  const find = (terms: string[], filter = {}) => ({ terms, filter });

  it('what is exact: every term in one value', () => {
    expect(findExactly(documents, find(['丸の内']))).toEqual([0, 2]);
    expect(findExactly(documents, find(['丸', '東京']))).toEqual([]);
    expect(findExactly(documents, find(['丸の内'], { use: 'hotel' }))).toEqual([2]);
    expect(WORD_QUERIES.length).toBeGreaterThan(150);
  });

  it.each([miniSearch, flexSearch, flexSearchParts, orama, sqliteTrigrams])(
    '$name finds parts of values',
    async (peer) => {
      const folder = mkdtempSync(join(tmpdir(), 'tatemono-peer-'));
      const open = await peer.open(documents, folder);
      try {
        expect(await open.find(find(['丸の内']))).toEqual([0, 2]);
        expect(await open.find(find(['丸の内'], { use: 'hotel' }))).toEqual([2]);
        expect(await open.find(find(['building']))).toEqual([0]);
        expect(await open.find(find(['zzzz']))).toEqual([]);
      } finally {
        await open.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
