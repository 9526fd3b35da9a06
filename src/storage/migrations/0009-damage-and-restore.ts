import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** What an operator should know of until it is repaired or run again: damaged files of the archive, an unfinished restore. */
export const damageAndRestore: Migration = {
  name: '0009-damage-and-restore',
  async up(db) {
    await sql`create table damaged_file (
      sha256 text primary key,
      reason text not null,
      found_at text not null
    )`.execute(db);
    await sql`create table restore_run (
      id integer primary key check (id = 1),
      file text not null,
      copy text not null,
      started_at text not null,
      finished integer not null
    )`.execute(db);
  },
};
