import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** The postcode of each entry, by which lists find buildings. */
export const postcodes: Migration = {
  name: '0016-postcodes',
  async up(db) {
    await sql`alter table search_entry add column postcode text`.execute(db);
    await sql`create index search_entry_by_postcode on search_entry (postcode) where postcode is not null`.execute(db);
    // Existing entries lack it: the next serve or write builds the index again.
    await sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)
      on conflict do nothing`.execute(db);
  },
};
