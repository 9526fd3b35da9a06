import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Recorded uses without a category, which `type` finds; and every record composed again by this version's rules. */
export const recompose: Migration = {
  name: '0011-recompose',
  async up(db) {
    await sql`alter table search_entry add column words text`.execute(db);
    // Existing entries lack them: the next serve or write builds the index again.
    await sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)
      on conflict do nothing`.execute(db);
    // Shapes were published as their sources wound them: the next write composes all records again.
    await sql`insert into stale_building (building) select id from building where state = 'live'
      on conflict do nothing`.execute(db);
  },
};
