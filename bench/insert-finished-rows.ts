import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { migrate } from '../src/storage/migrate.ts';
import { openSqlite } from '../src/storage/sqlite.ts';

/** Tables that have rows only during an ingest, or that describe the schema. */
const TRANSIENT = /^(migration|todo|stale_.*|sqlite_.*)$/;

/** The same rows, tables and indexes, in transactions of 2,000 rows; reading them is not counted. Returns seconds. */
export async function insertFinishedRows(from: string, target: string): Promise<number> {
  const storage = openSqlite(target);
  await migrate(storage);
  await storage.close();
  const source = new DatabaseSync(from, { readOnly: true });
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
  return milliseconds / 1000;
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
