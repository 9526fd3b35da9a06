import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { copySealed, type SealState, sealBackup } from './backup-seal.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { removeDatabase } from './restore-run.ts';
import { openSqlite } from './sqlite.ts';
import { type Reads, type Storage, StorageError, type Tx } from './storage.ts';
import type { Tables } from './tables.ts';

/** The tables that cannot be recomputed, in dependency order. The search index and the area summaries can. */
const KEPT = [
  ...(['area', 'area_slug', 'building', 'minted', 'identity_event', 'ingest', 'area_piece', 'new_area'] as const),
  ...(['source_record', 'retrieval', 'statement', 'spot', 'meeting', 'link', 'lent'] as const),
  ...(['stale_tile', 'stale_match', 'stale_register'] as const),
  ...([
    'building_version',
    'change_block',
    'change_area',
    'page',
    'nearby',
    'stale_building',
    'stale_place',
    'mesh_count',
    'todo',
  ] as const),
  ...(['reit_publication', 'reit_event', 'reit_permission', 'reit_active'] as const),
] as const;
const MADE_AGAIN = [
  ...([
    'search_entry',
    'search_segment',
    'search_posting',
    'search_filter',
    'search_sort',
    'search_site',
    'lookup_key',
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

/** Writes everything committed at one moment into one SQLite file, from either database. */
export async function backUp(storage: Storage, file: string): Promise<void> {
  if (existsSync(file)) throw new StorageError('backup', 'there is a file of this name already');
  if (!existsSync(dirname(file))) throw new StorageError('backup', 'the folder for the file does not exist');
  const partial = `${file}.partial`;
  removeDatabase(partial);
  try {
    if (storage.copyTo !== undefined) await storage.copyTo(partial);
    else await storage.snapshot((reads) => copyTables(reads, partial));
    await sealBackup(partial);
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
      // For anyone who serves the file directly.
      await tx.insertNew('todo', ['name'], [['enter buildings']]);
    });
  } finally {
    await copy.close();
  }
}

/**
 * Opens a migrated copy of a backup. Writes only the copy, which the caller removes. Fails if the file is damaged or
 * not a backup.
 */
export async function openBackup(file: string, copy: string, tell?: (line: string) => void): Promise<DatabaseSync> {
  const state = await copySealed(file, copy);
  if (state === 'damaged') throw new StorageError('backup', `${file} is damaged: its checksum does not match`);
  assertBackup(copy, state);
  const storage = openSqlite(copy);
  try {
    await migrate(storage, undefined, tell);
  } finally {
    await storage.close();
  }
  return new DatabaseSync(copy, { readOnly: true });
}

function assertBackup(copy: string, state: SealState): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(copy);
    const first = database.prepare('select name from migration where name = ?').get(MIGRATIONS[0]?.name as string);
    if (first === undefined) throw new Error('it has no tables of a registry');
    if (state === 'whole') return;
    const faults = database.prepare('pragma integrity_check(1)').all();
    if (faults[0]?.integrity_check !== 'ok') throw new Error('SQLite finds it damaged');
  } catch (error) {
    throw new StorageError('backup', 'the file is not a backup of a registry, or it is damaged', { cause: error });
  } finally {
    database?.close();
  }
}

/** Replaces all data with that of a backup. The search index and the area summaries have to be rebuilt afterwards. */
export async function replaceAll(tx: Tx, source: DatabaseSync): Promise<void> {
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
      // Unlike setval, this is rolled back with the transaction.
      const { rows } = await sql<{ sequence: string; next: number }>`
        select pg_get_serial_sequence(${table}, 'id') as sequence, coalesce(max(id), 0) + 1 as next
        from ${sql.table(table)}`.execute(tx.db);
      for (const { sequence, next } of rows) {
        await sql`alter sequence ${sql.raw(sequence)} restart with ${sql.lit(next)}`.execute(tx.db);
      }
    }
  }
}

type Kept = (typeof KEPT)[number];

const select = (table: Kept) => `select * from "${table}"${ORDER[table] ?? ''}`;

/** Fills empty tables. */
async function fill(tx: Tx, read: (table: Kept) => AsyncIterable<Row[]> | Iterable<Row[]>): Promise<void> {
  for (const table of KEPT) {
    const successors: { id: number; successor: number }[] = [];
    for await (const rows of read(table)) {
      // Buildings refer to one another, so successors are set when all rows exist.
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
}
