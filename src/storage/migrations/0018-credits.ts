import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** The sources of each published record, for its attribution. Records without them are searched when they are read. */
export const credits: Migration = {
  name: '0018-credits',
  async up(db) {
    await sql`alter table page add column credits integer`.execute(db);
  },
};
