import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** The recorded uses of a building that no category stands for, so that `type` can find them. */
export const recordedWords: Migration = {
  name: '0011-recorded-words',
  async up(db) {
    await sql`alter table search_entry add column words text`.execute(db);
    // Existing entries lack them: the next serve or write builds the index again.
    await sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)
      on conflict do nothing`.execute(db);
  },
};
