import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { toMegabytes } from '../figures.ts';
import { writeTownAreas, writeTownGml, writeTownPbf } from '../generate-town.ts';
import {
  atLeast,
  atMost,
  type Benchmark,
  type Context,
  type Figure,
  type Outcome,
  ratioAtMost,
} from '../harness/benchmark.ts';
import { runTatemono, scriptPath } from '../processes.ts';
import { withScratch } from '../scratch.ts';

const SOURCES = { osm: 'OSM', plateau: 'CityGML' } as const;
const FILES = { osm: 'town.osm.pbf', plateau: 'gml' } as const;
type Source = keyof typeof SOURCES;

const LARGE_BUILDINGS = 30_000;
const LARGE_NODES = 130_000_000;
const LARGE_DETAIL = 110;

export const sources: Benchmark = {
  name: 'sources',
  title: 'Ingest of OSM and CityGML',
  measures:
    'The first ingest of a generated town as an OSM extract (PBF), as CityGML, and as CityGML joined to a town that OSM made, ' +
    'beside reading the same files and doing nothing with their records.',
  targets: {
    sqlite: {
      'OSM, first ingest': ratioAtMost(2),
      'CityGML, first ingest': ratioAtMost(2),
      'OSM plus CityGML, buildings per second': atLeast(6_000),
      'peak memory': atMost(350),
    },
  },
  growth: ['OSM plus CityGML, buildings per second', 'peak memory'],
  run: (context) => withScratch('sources', (folder) => measure(context, folder)),
};

/** Memory for inputs of about a gigabyte: an extract of mostly roads, and detailed buildings. */
export const largeSources: Benchmark = {
  name: 'large-sources',
  title: 'Large files',
  measures:
    'Time and memory for files of about a gigabyte with 30,000 buildings: an OSM extract that is mostly roads (130 million ' +
    'nodes), and CityGML in LOD2, beside reading the same files.',
  targets: { sqlite: { 'OSM, peak memory': atMost(500), 'CityGML, peak memory': atMost(500) } },
  hasFixedSize: true,
  onlyByName: true,
  run: (context) => withScratch('large-sources', (folder) => measureLarge(context, folder)),
};

interface Round {
  parse: number;
  first: number;
  again: number;
  peak: number;
}

async function measure(context: Context, folder: string): Promise<Outcome> {
  const { buildings, rounds, say } = context;
  await writeTownAreas(join(folder, 'areas.ndjson'), buildings);
  await writeTownPbf(join(folder, FILES.osm), buildings);
  await writeTownGml(join(folder, FILES.plateau), buildings);
  const measured: Record<Source, Round[]> = { osm: [], plateau: [] };
  const joined: { rate: number; peak: number }[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const source of ['osm', 'plateau'] as const) {
      const figures = await measureSource(folder, source, buildings);
      measured[source].push(figures);
      const { parse, first, again } = figures;
      say(`${SOURCES[source]}, round ${round}: reading ${s(parse)}, first ingest ${s(first)}, again ${s(again)}`);
    }
    joined.push(await measureJoined(folder, buildings));
  }
  const figures: Figure[] = (['osm', 'plateau'] as const).flatMap((source) => {
    const list = (key: keyof Round) => measured[source].map((round) => round[key]);
    const beside = { name: 'reading alone', values: list('parse') };
    return [
      { name: `${SOURCES[source]}, first ingest`, unit: 's', values: list('first'), beside },
      { name: `${SOURCES[source]}, the same again`, unit: 's', values: list('again'), beside },
    ];
  });
  const peaks = joined.map(({ peak }, i) =>
    Math.max(peak, measured.osm[i]?.peak as number, measured.plateau[i]?.peak as number),
  );
  return {
    figures: [
      ...figures,
      { name: 'OSM plus CityGML, buildings per second', unit: '/s', values: joined.map(({ rate }) => rate) },
      { name: 'peak memory', unit: 'MB', values: peaks.map(toMegabytes) },
    ],
  };
}

async function measureSource(folder: string, source: Source, buildings: number): Promise<Round> {
  const path = join(folder, FILES[source]);
  const parse = await parseAlone(source, path, buildings);
  await reset(folder);
  const first = await tatemono(folder, source, path);
  const again = await tatemono(folder, source, path);
  return { parse, first: first.seconds, again: again.seconds, peak: Math.max(first.peak, again.peak) };
}

async function measureJoined(folder: string, buildings: number): Promise<{ rate: number; peak: number }> {
  await reset(folder);
  const osm = await tatemono(folder, 'osm', join(folder, FILES.osm));
  const plateau = await tatemono(folder, 'plateau', join(folder, FILES.plateau));
  return { rate: buildings / (osm.seconds + plateau.seconds), peak: Math.max(osm.peak, plateau.peak) };
}

async function measureLarge({ rounds }: Context, folder: string): Promise<Outcome> {
  await writeTownAreas(join(folder, 'areas.ndjson'), LARGE_BUILDINGS);
  await writeTownPbf(join(folder, FILES.osm), LARGE_BUILDINGS, LARGE_NODES);
  await writeTownGml(join(folder, FILES.plateau), LARGE_BUILDINGS, LARGE_DETAIL);
  const figures: Figure[] = [];
  for (const source of ['osm', 'plateau'] as const) {
    const path = join(folder, FILES[source]);
    const [seconds, peaks, parse]: [number[], number[], number[]] = [[], [], []];
    for (let round = 1; round <= rounds; round++) {
      parse.push(await parseAlone(source, path, LARGE_BUILDINGS));
      await reset(folder);
      const run = await tatemono(folder, source, path);
      seconds.push(run.seconds);
      peaks.push(toMegabytes(run.peak));
    }
    const beside = { name: 'reading alone', values: parse };
    figures.push({ name: `${SOURCES[source]}, first ingest`, unit: 's', values: seconds, beside });
    figures.push({ name: `${SOURCES[source]}, peak memory`, unit: 'MB', values: peaks });
  }
  return { figures };
}

async function parseAlone(source: Source, path: string, buildings: number): Promise<number> {
  const args = ['--max-semi-space-size=8', scriptPath('parse-source.ts'), source, path];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { records, seconds } = JSON.parse(await text(child.stdout)) as { records: number; seconds: number };
  if (records !== buildings) throw new Error(`${records} records were read, not ${buildings}`);
  return seconds;
}

/** An empty registry with the areas of the town. */
async function reset(folder: string): Promise<void> {
  rmSync(join(folder, 'registry'), { recursive: true, force: true });
  mkdirSync(join(folder, 'registry'));
  await tatemono(folder, 'records', join(folder, 'areas.ndjson'));
}

function tatemono(folder: string, source: string, path: string): Promise<{ seconds: number; peak: number }> {
  const [registry, archive] = [join(folder, 'registry', 'registry.db'), join(folder, 'registry', 'archive')];
  const env = { ...process.env, DATABASE_URL: `file:${registry}`, ARCHIVE_DIR: archive, LOG_LEVEL: 'warn' };
  return runTatemono(['ingest', source, path], env);
}

const s = (seconds: number) => `${seconds.toFixed(1)} s`;
