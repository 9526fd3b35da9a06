import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** By which a reader that keeps what it has read of a segment sees that it has changed. */
export const segmentStamps: Migration = {
  name: '0007-segment-stamps',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    await sql`alter table search_segment add column stamp ${integer} not null default 0`.execute(db);
  },
};
