import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

export const search: Migration = {
  name: '0002-search',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
    const clustered = engine === 'sqlite' ? sql` without rowid` : sql``;

    const statements = [
      sql`create table search_entry (
        pos ${integer} primary key,
        building ${integer} not null unique,
        prefecture text, ward text, area text,
        uses ${integer} not null,
        fields ${integer} not null,
        owner text,
        text text not null
      )`,
      sql`create index search_entry_by_owner on search_entry (owner, pos) where owner is not null`,
      sql`create table search_segment (
        id ${integer} primary key,
        first ${integer} not null,
        size ${integer} not null,
        dead ${integer} not null
      )`,
      sql`create table search_posting (key ${integer} primary key, docs ${bytes} not null)`,
      sql`create table search_filter (
        segment ${integer} not null,
        filter text not null,
        docs ${bytes} not null,
        primary key (segment, filter)
      )`,
      sql`create table area_summary (
        area text primary key references area (code),
        building_count ${integer} not null,
        latest_recorded_at text not null,
        coverage text not null
      )${clustered}`,
      sql`create table stale_area (area text primary key)`,
      sql`create index area_slug_by_slug on area_slug (slug)`,
      // What a database of an earlier version holds is entered by the next run that writes.
      sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)`,
    ];
    // Dense lists of numbers: compressing them costs more than it saves.
    if (engine === 'postgres') {
      statements.push(sql`alter table search_posting alter column docs set storage external`);
      statements.push(sql`alter table search_filter alter column docs set storage external`);
    }
    for (const statement of statements) await statement.execute(db);
  },
};
