import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** The rules for footprints have changed: the next ingest compares all that are kept again, tile by tile. */
export const matchAnew: Migration = {
  name: '0015-match-anew',
  async up(db) {
    await sql`insert into stale_tile (tile)
      select tile from source_record where tile is not null and source in ('osm', 'plateau')
      union select tile from spot where true
      on conflict do nothing`.execute(db);
  },
};
