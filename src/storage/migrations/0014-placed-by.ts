import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** What told the machi-aza of each building. */
export const placedBy: Migration = {
  name: '0014-placed-by',
  async up(db) {
    await sql`alter table building add column placed_by text`.execute(db);
    // The municipality that a record states counts from now on: the next write places all buildings again.
    await sql`insert into stale_building (building) select id from building where state = 'live'
      on conflict do nothing`.execute(db);
    await sql`insert into stale_tile (tile) select distinct tile from source_record
      where reason = 'unplaced' and tile is not null on conflict do nothing`.execute(db);
  },
};
