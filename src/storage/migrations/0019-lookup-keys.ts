import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Hashes of the names and addresses of published buildings, by which they are found. */
export const lookupKeys: Migration = {
  name: '0019-lookup-keys',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const clustered = sql.raw(engine === 'sqlite' ? 'without rowid' : '');
    await sql`create table lookup_key (
      building ${integer} not null,
      key ${integer} not null,
      primary key (building, key)
    ) ${clustered}`.execute(db);
    await sql`create index lookup_key_by_key on lookup_key (key, building)`.execute(db);
    // Existing buildings lack them: the next serve or write builds them with the search index.
    await sql`insert into todo (name) select 'enter buildings' where exists (select 1 from building where version > 0)
      on conflict do nothing`.execute(db);
  },
};
