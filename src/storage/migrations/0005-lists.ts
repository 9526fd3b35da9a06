import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** What lists of buildings are filtered and sorted by. */
export const lists: Migration = {
  name: '0005-lists',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const real = sql.raw(engine === 'sqlite' ? 'real' : 'double precision');
    const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
    const statements = [
      sql`alter table search_entry add column footprint ${real}`,
      sql`alter table search_entry add column height ${real}`,
      sql`alter table search_entry add column floors ${integer}`,
      sql`alter table search_entry add column built ${integer}`,
      sql`alter table search_entry add column flags ${integer} not null default 0`,
      sql`create table search_sort (
        segment ${integer} not null,
        sort text not null,
        docs ${bytes} not null,
        keys ${bytes} not null,
        buildings ${bytes} not null,
        primary key (segment, sort)
      )`,
      // What an earlier version entered has none of it: the next run that writes enters everything anew.
      sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)
        on conflict do nothing`,
    ];
    if (engine === 'postgres') {
      for (const column of ['docs', 'keys', 'buildings']) {
        statements.push(sql`alter table search_sort alter column ${sql.ref(column)} set storage external`);
      }
    }
    for (const statement of statements) await statement.execute(db);
  },
};
