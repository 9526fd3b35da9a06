import { type Kysely, sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * PostgreSQL only: what is kept of each building is partitioned by prefecture, columns are ordered so that little is
 * lost to alignment, and rows of buildings and records are no longer checked against other tables: the program is the
 * only writer, and SQLite checks the same writes.
 */
export const partitions: Migration = {
  name: '0022-partitions',
  async up(db, engine) {
    if (engine === 'sqlite') return;
    await dropReferences(db);
    const prefectures = await prefecturesOf(db);
    for (const [table, { columns, key, indexes = [], by }] of Object.entries(TABLES)) {
      const before = `${table}_before`;
      await run(db, `alter table ${table} rename to ${before}`);
      await run(db, `alter index if exists ${table}_pkey rename to ${before}_pkey`);
      const names = columns.map((column) => column.slice(0, column.indexOf(' '))).join(', ');
      const partitioning = by === undefined ? '' : ` partition by range (${by})`;
      const keys = key === undefined ? [] : [`primary key (${key}) with (fillfactor = 100)`];
      await run(db, `create table ${table} (${[...columns, ...keys].join(', ')})${partitioning}`);
      for (const column of columns.filter((column) => column.includes(' bytea'))) {
        const [name] = column.split(' ');
        // The bytes are compact already.
        await run(db, `alter table ${table} alter column ${name} set storage external`);
      }
      if (by !== undefined) {
        for (const prefecture of prefectures) await addPartition(db, table, prefecture);
      }
      await run(db, `insert into ${table} (${names}) select ${names} from ${before} order by 1`);
      await run(db, `drop table ${before}`);
      for (const index of indexes) await run(db, `create ${index}`);
    }
  },
};

interface Table {
  columns: readonly string[];
  key?: string;
  indexes?: readonly string[];
  /** The column with the ID of a building, if the table is partitioned. */
  by?: string;
}

const TABLES: Readonly<Record<string, Table>> = {
  building: {
    by: 'id',
    columns: [
      ...['id bigint not null', 'successor bigint', 'lat double precision', 'lon double precision'],
      ...['version bigint not null', 'minted integer not null'],
      `state text not null check (state in ('live', 'merged', 'retired'))`,
      ...['area text', 'placed_by text', 'mesh text', 'name_ja text', 'name_en text', 'category text'],
      'recorded_at text',
    ],
    key: 'id',
    indexes: [
      'index building_by_mesh on building (mesh) where mesh is not null',
      'index building_by_successor on building (successor) where successor is not null',
      'index building_by_area on building (area) where area is not null',
      `index building_retired on building (id) where state = 'retired'`,
    ],
  },
  building_version: {
    by: 'building',
    columns: [
      ...['building bigint not null', 'version bigint not null', 'recorded_at text not null'],
      ...['changed_fields text not null', 'canonical bytea not null'],
    ],
    key: 'building, version',
  },
  page: {
    by: 'building',
    columns: ['building bigint not null', 'credits integer', 'etag text not null', 'body bytea not null'],
    key: 'building',
  },
  nearby: {
    by: 'building',
    columns: ['building bigint not null', 'etag text not null', 'body bytea not null'],
    key: 'building',
  },
  source_record: {
    columns: [
      ...['id bigint not null', 'building bigint', 'claimed bigint not null'],
      ...['lat double precision', 'lon double precision', 'tile integer'],
      ...['key text not null', 'source text not null'],
      `reason text check (reason in ('unmatched', 'ambiguous', 'unplaced'))`,
      'area text',
    ],
    key: 'id',
    indexes: [
      'unique index source_record_key_claimed on source_record (key, claimed)',
      'index source_record_by_building on source_record (building)',
      'index source_record_left_out on source_record (reason) where reason is not null',
      'index source_record_by_tile on source_record (tile) where tile is not null',
      'index source_record_by_area on source_record (area) where area is not null',
      'index source_record_named_for_several on source_record (id) where claimed = -2',
    ],
  },
  statement: {
    columns: [
      ...['id bigint not null', 'record bigint not null', 'claimed bigint not null'],
      ...['retrieval integer not null', 'ingest integer not null', 'line integer not null'],
      ...['line_hash text not null', 'payload bytea', 'body bytea not null', 'seen text'],
    ],
    key: 'id',
    indexes: [
      'unique index statement_line_hash on statement (line_hash)',
      'index statement_by_record on statement (record)',
    ],
  },
  search_entry: {
    columns: [
      ...['pos bigint not null', 'building bigint not null', 'footprint double precision', 'height double precision'],
      ...['uses integer not null', 'fields integer not null', 'flags integer not null'],
      ...['floors integer', 'built integer', 'prefecture text', 'ward text', 'area text', 'owner text'],
      ...['text text not null', 'words text', 'postcode text', 'site bytea', 'summary text'],
    ],
    key: 'pos',
    indexes: [
      'unique index search_entry_building on search_entry (building) with (fillfactor = 100)',
      'index search_entry_by_owner on search_entry (owner, pos) where owner is not null',
      'index search_entry_by_postcode on search_entry (postcode) where postcode is not null',
    ],
  },
  lookup_key: {
    columns: ['building bigint not null', 'key bigint not null'],
    indexes: ['index lookup_key_by_building on lookup_key (building)', 'index lookup_key_by_key on lookup_key (key)'],
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables of its own time, not today's
type AnyDb = Kysely<any>;

const run = (db: AnyDb, statement: string) => sql.raw(statement).execute(db);

async function dropReferences(db: AnyDb): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as "table", conname as name from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
    and (conrelid::regclass::text = any(${Object.keys(TABLES)}) or confrelid::regclass::text = any(${Object.keys(TABLES)}))`.execute(
    db,
  );
  for (const { table, name } of rows) await run(db, `alter table "${table}" drop constraint "${name}"`);
}

async function prefecturesOf(db: AnyDb): Promise<number[]> {
  const { rows } = await sql<{ prefecture: number }>`
    select distinct id / ${sql.lit(IDS_PER_PREFECTURE)} as prefecture from building order by 1`.execute(db);
  return rows.map(({ prefecture }) => Number(prefecture));
}

const IDS_PER_PREFECTURE = 100_000_000;

async function addPartition(db: AnyDb, table: string, prefecture: number): Promise<void> {
  const [from, to] = [prefecture, prefecture + 1].map((number) => number * IDS_PER_PREFECTURE);
  const name = `${table}_${String(prefecture).padStart(2, '0')}`;
  await run(db, `create table ${name} partition of ${table} for values from (${from}) to (${to})`);
}
