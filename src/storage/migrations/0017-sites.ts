import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Where the building of each entry is: searches near a place and maps of lists read it with the index. */
export const sites: Migration = {
  name: '0017-sites',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
    const statements = [
      sql`alter table search_entry add column site ${bytes}`,
      sql`create table search_site (segment ${integer} primary key, sites ${bytes} not null)`,
      // Existing entries lack it: the next serve or write builds the index again, a batch of buildings at a time.
      sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)
        on conflict do nothing`,
    ];
    if (engine === 'postgres') statements.push(sql`alter table search_site alter column sites set storage external`);
    for (const statement of statements) await statement.execute(db);
  },
};
