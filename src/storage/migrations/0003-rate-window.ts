import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Used on PostgreSQL alone; SQLite has one process that serves, which counts in memory. */
export const rateWindow: Migration = {
  name: '0003-rate-window',
  async up(db, engine) {
    const bytes = sql.raw(engine === 'sqlite' ? 'blob' : 'bytea');
    // Counts that a crash loses are no loss, so they need no log. A count changes often and is in no index: with room
    // on its page it is changed in place.
    const unlogged = sql.raw(engine === 'sqlite' ? '' : 'unlogged');
    const roomy = sql.raw(engine === 'sqlite' ? '' : 'with (fillfactor = 50)');
    await sql`create table rate_key (id integer primary key check (id = 1), key ${bytes} not null)`.execute(db);
    await sql`create ${unlogged} table rate_window (
      minute bigint not null,
      surface text not null,
      client text not null,
      count integer not null,
      primary key (minute, surface, client)
    ) ${roomy}`.execute(db);
  },
};
