import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** What matching works with: where records lie, what they touch and name, and the notes of what is to be matched again. */
export const matching: Migration = {
  name: '0004-matching',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const real = sql.raw(engine === 'sqlite' ? 'real' : 'double precision');
    const clustered = sql.raw(engine === 'sqlite' ? 'without rowid' : '');
    const statements = [
      sql`alter table area add column lat ${real}`,
      sql`alter table area add column lon ${real}`,
      sql`alter table area add column retrieved_at text`,
      sql`create table area_piece (
        id text primary key,
        ward text not null,
        name_ja text not null,
        area text references area (code),
        boundary text not null,
        ingest ${integer} not null references ingest (id),
        line ${integer} not null
      )`,
      sql`create index area_piece_by_area on area_piece (area)`,
      sql`alter table ingest add column retrieved_at text`,
      sql`create index ingest_by_sha256 on ingest (sha256)`,
      sql`alter table statement add column seen text`,
      sql`alter table source_record add column tile ${integer}`,
      sql`alter table source_record add column lat ${real}`,
      sql`alter table source_record add column lon ${real}`,
      sql`alter table source_record add column area text`,
      sql`create index source_record_by_tile on source_record (tile) where tile is not null`,
      sql`create index source_record_by_area on source_record (area) where area is not null`,
      sql`create table spot (
        tile ${integer} not null,
        record ${integer} not null references source_record (id),
        primary key (tile, record)
      ) ${clustered}`,
      sql`create index spot_by_record on spot (record)`,
      sql`create table meeting (
        record ${integer} not null references source_record (id),
        other ${integer} not null references source_record (id),
        overlap ${real} not null,
        primary key (record, other)
      ) ${clustered}`,
      sql`create table link (
        name text not null,
        record ${integer} not null references source_record (id),
        primary key (name, record)
      ) ${clustered}`,
      sql`create index link_by_record on link (record)`,
      sql`create table lent (
        building ${integer} not null references building (id),
        record ${integer} not null references source_record (id),
        primary key (building, record)
      ) ${clustered}`,
      sql`create index lent_by_record on lent (record)`,
      sql`create table new_area (code text primary key references area (code))`,
      sql`create table stale_tile (tile ${integer} primary key)`,
      sql`create table stale_match (record ${integer} primary key references source_record (id))`,
      sql`create table stale_register (area text primary key)`,
      sql`create index building_by_area on building (area) where area is not null`,
      sql`alter table identity_event add column actor text not null default 'operator' check (actor in ('operator', 'matching'))`,
      // Records that an earlier version kept have no tile as yet.
      sql`insert into todo (name) select 'place records' where exists (select 1 from source_record)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
