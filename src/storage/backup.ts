import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';
import { type Reads, type Storage, StorageError, type Tx } from './storage.ts';
import type { Tables } from './tables.ts';

/** What cannot be made again, each after what it refers to. The search index and the summaries of areas can. */
const KEPT = [
  ...(['area', 'area_slug', 'building', 'minted', 'identity_event', 'ingest', 'area_piece', 'new_area'] as const),
  ...(['source_record', 'statement', 'spot', 'meeting', 'link', 'lent'] as const),
  ...(['stale_tile', 'stale_match', 'stale_register'] as const),
  ...(['building_version', 'page', 'nearby', 'stale_building', 'stale_place', 'mesh_count', 'todo'] as const),
  ...(['reit_publication', 'reit_event', 'reit_permission', 'reit_active'] as const),
] as const;
const MADE_AGAIN = [
  ...([
    'search_entry',
    'search_segment',
    'search_posting',
    'search_filter',
    'search_sort',
    'area_summary',
    'stale_area',
  ] as const),
] as const;
/** Areas refer to those above them. */
const ORDER: Partial<Record<keyof Tables, string>> = {
  area: " order by case level when 'prefecture' then 0 when 'ward' then 1 else 2 end, code",
};
const ROWS_AT_ONCE = 1_000;

type Row = Record<string, unknown>;

/** One SQLite file with everything that is committed at one moment, whichever database it comes from. */
export async function backUp(storage: Storage, file: string): Promise<void> {
  if (existsSync(file)) throw new StorageError('backup', 'there is a file of this name already');
  if (!existsSync(dirname(file))) throw new StorageError('backup', 'the folder for the file does not exist');
  const partial = `${file}.partial`;
  removeDatabase(partial);
  try {
    if (storage.copyTo !== undefined) await storage.copyTo(partial);
    else await storage.snapshot((reads) => copyTables(reads, partial));
    renameSync(partial, file);
  } finally {
    removeDatabase(partial);
  }
}

async function copyTables(reads: Reads, file: string): Promise<void> {
  const copy = openSqlite(file);
  try {
    await migrate(copy);
    await copy.transaction(async (tx) => {
      await fill(tx, async function* (table) {
        await reads.all(`declare kept no scroll cursor for ${select(table)}`, []);
        const next = () => reads.all<Row>(`fetch ${ROWS_AT_ONCE} from kept`, []);
        for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
        await reads.all('close kept', []);
      });
    });
  } finally {
    await copy.close();
  }
}

/** Puts what a backup holds in the place of all that is there: all of it or nothing. */
export async function restore(storage: Storage, file: string, tell?: (line: string) => void): Promise<void> {
  // A copy, because one of an earlier version is brought up to date first.
  const copied = `${file}.restoring`;
  removeDatabase(copied);
  try {
    copyFileSync(file, copied);
    await bringUpToDate(copied, tell);
    const source = new DatabaseSync(copied, { readOnly: true });
    try {
      await storage.transaction((tx) => replaceAll(tx, source));
    } finally {
      source.close();
    }
  } finally {
    removeDatabase(copied);
  }
}

async function bringUpToDate(file: string, tell?: (line: string) => void): Promise<void> {
  assertBackup(file);
  const storage = openSqlite(file);
  try {
    await migrate(storage, undefined, tell);
  } finally {
    await storage.close();
  }
}

function assertBackup(file: string): void {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    database.prepare('select name from migration').all();
    database.close();
  } catch (error) {
    throw new StorageError('backup', 'the file is no backup of a registry, or it is damaged', { cause: error });
  }
}

async function replaceAll(tx: Tx, source: DatabaseSync): Promise<void> {
  await tx.db.updateTable('building').set({ successor: null }).execute();
  await tx.db.updateTable('area').set({ parent: null }).execute();
  for (const table of [...MADE_AGAIN, ...[...KEPT].reverse()]) await tx.db.deleteFrom(table).execute();
  await fill(tx, function* (table) {
    let rows: Row[] = [];
    for (const row of source.prepare(select(table)).iterate() as Iterable<Row>) {
      rows.push(row);
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  });
  if (tx.engine === 'postgres') {
    for (const table of ['ingest', 'identity_event', 'reit_event', 'reit_permission'] as const) {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
        from ${sql.table(table)}`.execute(tx.db);
    }
  }
}

type Kept = (typeof KEPT)[number];

const select = (table: Kept) => `select * from "${table}"${ORDER[table] ?? ''}`;

/** Fills empty tables, and leaves a note that the index is missing. */
async function fill(tx: Tx, read: (table: Kept) => AsyncIterable<Row[]> | Iterable<Row[]>): Promise<void> {
  for (const table of KEPT) {
    const successors: { id: number; successor: number }[] = [];
    for await (const rows of read(table)) {
      // Buildings refer to one another: who leads where is said when all are there.
      for (const row of rows) {
        if (table !== 'building' || row.successor === null) continue;
        successors.push({ id: row.id as number, successor: row.successor as number });
        row.successor = null;
      }
      const columns = Object.keys(rows[0] ?? {});
      const values = rows.map((row) => columns.map((column) => row[column]));
      if (values.length > 0) await tx.insert(table, columns as never, values);
    }
    for (const { id, successor } of successors) {
      await tx.db.updateTable('building').set({ successor }).where('id', '=', id).execute();
    }
  }
  await tx.insertNew('todo', ['name'], [['enter buildings']]);
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}
