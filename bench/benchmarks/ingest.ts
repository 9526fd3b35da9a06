import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres-cluster.ts';
import { toKilobytes, toMegabytes } from '../figures.ts';
import { generateCity } from '../generate-city.ts';
import { atMost, type Benchmark, type Context, type Figure, type Outcome, ratioAtMost } from '../harness/benchmark.ts';
import { insertFinishedRows } from '../insert-finished-rows.ts';
import { writeLaterCity } from '../later-city.ts';
import { runTatemono } from '../processes.ts';
import { withScratch } from '../scratch.ts';

export const ingest: Benchmark = {
  name: 'ingest',
  title: 'Ingest',
  measures:
    'The first `tatemono ingest records` of the generated city, beside a plain insert of its finished rows into the same ' +
    'tables and indexes (on PostgreSQL beside the same ingest on SQLite); the same file again; the same file ' +
    'a month later, with one record in a hundred changed; disk and memory.',
  targets: {
    sqlite: {
      'first ingest': ratioAtMost(2.5),
      'the same file again': ratioAtMost(0.2),
      'disk per building': atMost(2.5),
      'peak memory': atMost(350),
    },
    postgres: {
      'first ingest': ratioAtMost(1.5),
      'the same file again': ratioAtMost(0.2),
      'disk per building': atMost(2.5),
      'peak memory': atMost(350),
    },
  },
  growth: ['first ingest per building', 'disk per building', 'peak memory'],
  run: (context) => withScratch('ingest', (folder) => measure(context, folder)),
};

interface Round {
  first: number;
  again: number;
  later: number;
  beside: number;
  disk: number;
  peak: number;
}

async function measure(context: Context, folder: string): Promise<Outcome> {
  const records = join(folder, 'records.ndjson');
  await generateCity(records, context.buildings);
  const changed = join(folder, 'later.ndjson');
  await writeLaterCity(records, changed);
  const files = [records, changed] as const;
  const rounds: Round[] = [];
  for (let round = 1; round <= context.rounds; round++) {
    const figures = context.engine === 'sqlite' ? await onSqlite(folder, files) : await onPostgres(folder, files);
    rounds.push(figures);
    const [first, again, later, beside] = (['first', 'again', 'later', 'beside'] as const).map((key) =>
      figures[key].toFixed(1),
    );
    context.say(`round ${round}: first ${first} s, again ${again} s, a month later ${later} s, beside it ${beside} s`);
  }
  const list = (key: keyof Round) => rounds.map((round) => round[key]);
  const besideName = context.engine === 'sqlite' ? 'plain insert of the finished rows' : 'first ingest on SQLite';
  const perBuilding = (values: readonly number[]) => values.map((value) => value / context.buildings);
  const figures: Figure[] = [
    { name: 'first ingest', unit: 's', values: list('first'), beside: { name: besideName, values: list('beside') } },
    {
      name: 'the same file again',
      unit: 's',
      values: list('again'),
      beside: { name: 'first ingest', values: list('first') },
    },
    {
      name: 'a month later',
      unit: 's',
      values: list('later'),
      beside: { name: 'first ingest', values: list('first') },
    },
    {
      name: 'first ingest per building',
      unit: 'ms',
      values: perBuilding(list('first').map((seconds) => seconds * 1000)),
    },
    { name: 'buildings per second', unit: '/s', values: list('first').map((seconds) => context.buildings / seconds) },
    { name: 'disk per building', unit: 'KB', values: perBuilding(list('disk').map(toKilobytes)) },
    { name: 'peak memory', unit: 'MB', values: list('peak').map(toMegabytes) },
  ];
  return { figures };
}

type Files = readonly [records: string, later: string];

async function onSqlite(folder: string, [records, changed]: Files): Promise<Round> {
  removeRegistry(folder);
  const file = join(folder, 'registry.db');
  const env = envOf(folder, `file:${file}`);
  const first = await runTatemono(['ingest', 'records', records], env);
  const again = await runTatemono(['ingest', 'records', records], env);
  const disk = statSync(file).size;
  const beside = await insertFinishedRows(file, join(folder, 'bulk.db'));
  const later = await runTatemono(['ingest', 'records', changed], env);
  return { ...times(first, again, later), beside, disk };
}

async function onPostgres(folder: string, [records, changed]: Files): Promise<Round> {
  removeRegistry(folder);
  const sqlite = envOf(folder, `file:${join(folder, 'registry.db')}`);
  const beside = (await runTatemono(['ingest', 'records', records], sqlite)).seconds;
  removeRegistry(folder);
  const { url, stop } = await startPostgres(join(folder, 'postgres'));
  try {
    const env = envOf(folder, url);
    const first = await runTatemono(['ingest', 'records', records], env);
    const again = await runTatemono(['ingest', 'records', records], env);
    const disk = await sizeOf(url);
    const later = await runTatemono(['ingest', 'records', changed], env);
    return { ...times(first, again, later), beside, disk };
  } finally {
    await stop();
  }
}

type Run = Awaited<ReturnType<typeof runTatemono>>;
const times = (first: Run, again: Run, later: Run) => ({
  ...{ first: first.seconds, again: again.seconds, later: later.seconds },
  peak: Math.max(first.peak, again.peak, later.peak),
});

const envOf = (folder: string, url: string) => ({
  ...process.env,
  ...{ DATABASE_URL: url, ARCHIVE_DIR: join(folder, 'archive'), LOG_LEVEL: 'warn' },
});

function removeRegistry(folder: string): void {
  const names = ['registry.db', 'bulk.db'].flatMap((name) => ['', '-wal', '-shm', '-writer'].map((end) => name + end));
  for (const name of [...names, 'archive', 'postgres']) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Tables with their indexes, without what every empty database has. */
async function sizeOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // As autovacuum leaves it within minutes; it is off here.
  await client.query('vacuum');
  const { rows } = await client.query(
    `select sum(pg_total_relation_size(oid))::float8 as size from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  await client.end();
  return (rows[0] as { size: number }).size;
}
