import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/**
 * Statements and versions become compact bytes. What is stored already stays as it is and is read as before; SQLite
 * stores either in the same column.
 */
export const compact: Migration = {
  name: '0021-compact',
  async up(db, engine) {
    if (engine === 'sqlite') return;
    await sql`alter table statement alter column body type bytea using convert_to(body, 'UTF8')`.execute(db);
    await sql`alter table building_version alter column canonical type bytea using convert_to(canonical, 'UTF8')`.execute(
      db,
    );
  },
};
