/**
 * node bin/run.js bench/ingest.ts [buildings] [rounds]
 *
 * Compares `tatemono ingest records` with plain inserts of the finished rows of the same registry
 * into the same tables, in one run on one machine. Each ingest is its own process.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { migrate } from '../src/storage/migrate.ts';
import { openSqlite } from '../src/storage/sqlite.ts';
import { generateRecords } from './generate-records.ts';
import { peakOf } from './processes.ts';

const count = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.argv[3] ?? 3);
/** Tables that have rows only during an ingest, or that describe the schema. */
const TRANSIENT = /^(migration|todo|stale_.*|sqlite_.*)$/;
const out = fileURLToPath(new URL('out/ingest', import.meta.url));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const file = join(out, 'records.ndjson');
await generateRecords(file, count);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
console.log(`${count} buildings, ${3 * count} records, ${megabytes(statSync(file).size)}`);

const rounds: { first: number; second: number; bulk: number; peak: number }[] = [];
for (let round = 1; round <= ROUNDS; round++) {
  for (const name of ['registry.db', 'archive', 'bulk.db']) {
    for (const end of ['', '-wal', '-shm', '-writer'])
      rmSync(join(out, `${name}${end}`), { recursive: true, force: true });
  }
  const first = await ingest();
  const second = await ingest();
  const bulk = await bulkInsert();
  const peak = Math.max(first.peak, second.peak);
  rounds.push({ first: first.seconds, second: second.seconds, bulk: bulk.seconds, peak });
  console.log(
    `round ${round}: first ingest ${first.seconds.toFixed(1)} s, same file again ${second.seconds.toFixed(1)} s, ` +
      `plain insert of ${bulk.rows} finished rows ${bulk.seconds.toFixed(1)} s, peak memory ${megabytes(peak)}`,
  );
}
// The best time of each: other load on the machine only adds time.
const best = (key: 'first' | 'second' | 'bulk') => Math.min(...rounds.map((round) => round[key]));
console.log(`first ingest / plain insert  ${(best('first') / best('bulk')).toFixed(2)}   (target: at most 3)`);
console.log(`first ingest / second ingest ${(best('first') / best('second')).toFixed(1)}   (target: at least 5)`);
console.log(
  `peak memory                  ${megabytes(Math.max(...rounds.map((r) => r.peak)))}   (target: under 400 MB)`,
);
rmSync(out, { recursive: true, force: true });

async function ingest(): Promise<{ seconds: number; peak: number }> {
  const started = performance.now();
  const child = spawn('bin/tatemono.js', ['ingest', 'records', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATABASE_URL: `file:${join(out, 'registry.db')}`, ARCHIVE_DIR: join(out, 'archive') },
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid as number));
  }, 100);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`the ingest ended with ${code}`);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, peak };
}

/** The same rows, tables and indexes, in transactions of 2,000 rows; reading them is not counted. */
async function bulkInsert(): Promise<{ seconds: number; rows: number }> {
  const target = join(out, 'bulk.db');
  const storage = openSqlite(target);
  await migrate(storage);
  await storage.close();
  const source = new DatabaseSync(join(out, 'registry.db'), { readOnly: true });
  const database = new DatabaseSync(target);
  const pragmas = [
    'journal_mode = wal',
    'synchronous = normal',
    'foreign_keys = on',
    'cache_size = -24576',
    'wal_autocheckpoint = 4000',
  ];
  for (const pragma of pragmas) database.exec(`pragma ${pragma}`);
  let milliseconds = 0;
  let rows = 0;
  for (const table of finishedTables(source)) {
    const order = table === 'area' ? 'length(code), code' : '1';
    const columns = columnsOf(source, table);
    const select = source.prepare(`select ${columns.join(', ')} from ${table} order by ${order}`);
    const insert = database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
    let batch: SQLInputValue[][] = [];
    const flush = () => {
      const started = performance.now();
      database.exec('begin immediate');
      for (const row of batch) insert.run(...row);
      database.exec('commit');
      milliseconds += performance.now() - started;
      rows += batch.length;
      batch = [];
    };
    for (const row of select.iterate() as Iterable<Record<string, SQLInputValue>>) {
      batch.push(columns.map((column) => row[column] as SQLInputValue));
      if (batch.length === 2_000) flush();
    }
    flush();
  }
  source.close();
  database.close();
  return { seconds: milliseconds / 1000, rows };
}

/** Every table with rows, each after the tables that it references. */
function finishedTables(database: DatabaseSync): string[] {
  const names = database
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' order by name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !TRANSIENT.test(name) && database.prepare(`select 1 from ${name} limit 1`).get() !== undefined);
  const parents = database.prepare('select distinct "table" as parent from pragma_foreign_key_list(?)');
  const seen = new Set<string>();
  const ordered: string[] = [];
  const add = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { parent } of parents.all(name)) add(String(parent));
    if (names.includes(name)) ordered.push(name);
  };
  for (const name of names) add(name);
  return ordered;
}

/** Without generated columns. */
function columnsOf(database: DatabaseSync, table: string): string[] {
  return database
    .prepare('select name from pragma_table_xinfo(?) where hidden = 0 order by cid')
    .all(table)
    .map(({ name }) => String(name));
}
