/**
 * node bin/run.js bench/sources.ts [buildings] [--large]
 *
 * How long OSM PBF and CityGML take to ingest, held against reading the same files to records and doing
 * nothing with them, in one run on one machine; how the cost of a building grows; and with --large how
 * much memory inputs of a gigabyte take. Each measurement is its own process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { megabytes } from './figures.ts';
import { writeTownAreas, writeTownGml, writeTownPbf } from './generate-town.ts';
import { peakOf } from './processes.ts';

const most = Number(process.argv[2] ?? 300_000);
const isLarge = process.argv.includes('--large');
const FEW = 10_000;
const out = fileURLToPath(new URL('out/sources', import.meta.url));
rmSync(out, { recursive: true, force: true });

type Source = 'osm' | 'plateau';
interface Figures {
  parse: number;
  first: number;
  again: number;
  peak: number;
}

const pathOf = { osm: 'town.osm.pbf', plateau: 'gml' } as const;
const results = new Map<string, Figures>();
for (const count of [FEW, most]) {
  const folder = join(out, String(count));
  mkdirSync(folder, { recursive: true });
  await writeTownAreas(join(folder, 'areas.ndjson'), count);
  await writeTownPbf(join(folder, pathOf.osm), count);
  await writeTownGml(join(folder, pathOf.plateau), count);
  for (const source of ['osm', 'plateau'] as const) {
    const figures = await measure(folder, source, count);
    results.set(`${source} ${count}`, figures);
    const { parse, first, again, peak } = figures;
    console.log(
      `${source}, ${count} buildings, ${megabytes(sizeOf(join(folder, pathOf[source])))}: reading alone ${s(parse)}, ` +
        `first ingest ${s(first)}, again ${s(again)}, peak ${megabytes(peak)}`,
    );
  }
  const both = await measureBoth(folder);
  console.log(`plateau joined to osm, ${count} buildings: ${s(both.seconds)}, peak ${megabytes(both.peak)}`);
}
for (const source of ['osm', 'plateau'] as const) {
  const few = results.get(`${source} ${FEW}`) as Figures;
  const many = results.get(`${source} ${most}`) as Figures;
  console.log(
    `${source}: first ingest / reading alone        ${(many.first / many.parse).toFixed(2)}   (target: at most 2)`,
  );
  console.log(`${source}: the same again / reading alone      ${(many.again / many.parse).toFixed(2)}`);
  const growth = many.first / most / (few.first / FEW);
  console.log(`${source}: cost of a building, ${most} / ${FEW}  ${growth.toFixed(2)}   (target: at most 1.5)`);
}
if (isLarge) await measureLarge();
rmSync(out, { recursive: true, force: true });

async function measure(folder: string, source: Source, count: number): Promise<Figures> {
  const path = join(folder, pathOf[source]);
  const parse = await parseAlone(source, path, count);
  reset();
  await tatemono('ingest', 'records', join(folder, 'areas.ndjson'));
  const first = await tatemono('ingest', source, path);
  const again = await tatemono('ingest', source, path);
  return { parse, first: first.seconds, again: again.seconds, peak: Math.max(first.peak, again.peak) };
}

async function measureBoth(folder: string): Promise<{ seconds: number; peak: number }> {
  reset();
  await tatemono('ingest', 'records', join(folder, 'areas.ndjson'));
  await tatemono('ingest', 'osm', join(folder, pathOf.osm));
  return tatemono('ingest', 'plateau', join(folder, pathOf.plateau));
}

/** Inputs of about a gigabyte: an extract of mostly roads, and detailed buildings. */
async function measureLarge(): Promise<void> {
  const folder = join(out, 'large');
  mkdirSync(folder, { recursive: true });
  await writeTownAreas(join(folder, 'areas.ndjson'), FEW * 3);
  await writeTownPbf(join(folder, pathOf.osm), FEW * 3, 130_000_000);
  await writeTownGml(join(folder, pathOf.plateau), FEW * 3, 110);
  for (const source of ['osm', 'plateau'] as const) {
    const path = join(folder, pathOf[source]);
    reset();
    await tatemono('ingest', 'records', join(folder, 'areas.ndjson'));
    const { seconds, peak } = await tatemono('ingest', source, path);
    console.log(
      `${source}, ${megabytes(sizeOf(path))}: ${s(seconds)}, peak memory ${megabytes(peak)}   (target: under 500 MB)`,
    );
  }
}

async function parseAlone(source: Source, path: string, count: number): Promise<number> {
  const script = fileURLToPath(new URL('parse-source.ts', import.meta.url));
  const child = spawn(process.execPath, ['--max-semi-space-size=8', script, source, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  const { records, seconds } = JSON.parse(text) as { records: number; seconds: number };
  if (records !== count) throw new Error(`${records} records were read, not ${count}`);
  return seconds;
}

async function tatemono(...args: string[]): Promise<{ seconds: number; peak: number }> {
  const started = performance.now();
  const child = spawn('bin/tatemono.js', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: `file:${join(out, 'registry', 'registry.db')}`,
      ARCHIVE_DIR: join(out, 'registry', 'archive'),
    },
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid as number));
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`tatemono ${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, peak };
}

function reset(): void {
  rmSync(join(out, 'registry'), { recursive: true, force: true });
}

function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}

function s(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}
