import { sql } from 'kysely';
import type { Db } from './storage.ts';
import type { Tables } from './tables.ts';

/** A column that names a row of another table. */
export interface Reference {
  table: keyof Tables;
  column: string;
  /** Names a row of the table in reports. */
  key: string;
  to: keyof Tables;
  toColumn: string;
  /** Further condition on the row. */
  where?: string;
}

/** Every reference between rows. PostgreSQL checks few of them itself, and SQLite only what it writes. */
export const REFERENCES: readonly Reference[] = [
  { table: 'area', column: 'parent', key: 'code', to: 'area', toColumn: 'code' },
  { table: 'area_slug', column: 'code', key: 'slug', to: 'area', toColumn: 'code' },
  { table: 'area_piece', column: 'area', key: 'id', to: 'area', toColumn: 'code' },
  { table: 'area_piece', column: 'ingest', key: 'id', to: 'ingest', toColumn: 'id' },
  { table: 'area_summary', column: 'area', key: 'area', to: 'area', toColumn: 'code' },
  { table: 'building', column: 'successor', key: 'id', to: 'building', toColumn: 'id' },
  { table: 'building', column: 'area', key: 'id', to: 'area', toColumn: 'code' },
  { table: 'identity_event', column: 'building', key: 'id', to: 'building', toColumn: 'id' },
  { table: 'identity_event', column: 'into_building', key: 'id', to: 'building', toColumn: 'id' },
  { table: 'source_record', column: 'building', key: 'key', to: 'building', toColumn: 'id' },
  { table: 'source_record', column: 'area', key: 'key', to: 'area', toColumn: 'code' },
  { table: 'statement', column: 'record', key: 'id', to: 'source_record', toColumn: 'id' },
  { table: 'statement', column: 'retrieval', key: 'id', to: 'retrieval', toColumn: 'id' },
  { table: 'statement', column: 'ingest', key: 'id', to: 'ingest', toColumn: 'id' },
  { table: 'spot', column: 'record', key: 'tile', to: 'source_record', toColumn: 'id' },
  { table: 'meeting', column: 'record', key: 'record', to: 'source_record', toColumn: 'id' },
  { table: 'meeting', column: 'other', key: 'record', to: 'source_record', toColumn: 'id' },
  { table: 'link', column: 'record', key: 'name', to: 'source_record', toColumn: 'id' },
  { table: 'lent', column: 'building', key: 'record', to: 'building', toColumn: 'id' },
  { table: 'lent', column: 'record', key: 'record', to: 'source_record', toColumn: 'id' },
  { table: 'reit_event', column: 'publication', key: 'id', to: 'reit_publication', toColumn: 'id' },
  { table: 'reit_active', column: 'publication', key: 'publication', to: 'reit_publication', toColumn: 'id' },
  { table: 'reit_active', column: 'building', key: 'publication', to: 'building', toColumn: 'id' },
];

/** The rows that name a row which does not exist, at most `limit` of them, and what they name. */
export async function findUnresolved(
  db: Db,
  { table, column, key, to, toColumn }: Reference,
  limit: number,
): Promise<{ row: string; named: string }[]> {
  const { rows } = await sql<{ row: unknown; named: unknown }>`
    select ${sql.ref(`t.${key}`)} as "row", ${sql.ref(`t.${column}`)} as named from ${sql.table(table)} as t
    where ${sql.ref(`t.${column}`)} is not null and not exists (
      select 1 from ${sql.table(to)} as u where ${sql.ref(`u.${toColumn}`)} = ${sql.ref(`t.${column}`)})
    limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ row, named }) => ({ row: String(row), named: String(named) }));
}
