import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** What lists of summaries say about each building. */
export const summaries: Migration = {
  name: '0020-summaries',
  async up(db) {
    await sql`alter table search_entry add column summary text`.execute(db);
    // Existing entries lack it: the next serve or write builds the index again.
    await sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)
      on conflict do nothing`.execute(db);
  },
};
