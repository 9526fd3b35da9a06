import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** How many buildings are published where, for maps of the whole country. */
export const meshCounts: Migration = {
  name: '0006-mesh-counts',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const clustered = sql.raw(engine === 'sqlite' ? 'without rowid' : '');
    const statements = [
      sql`create table mesh_count (
        mesh text primary key,
        count ${integer} not null,
        lat_sum ${integer} not null,
        lon_sum ${integer} not null
      ) ${clustered}`,
      sql`insert into mesh_count (mesh, count, lat_sum, lon_sum)
        select mesh, count(*), sum(round(lat * 1e7)), sum(round(lon * 1e7)) from building
        where mesh is not null and state = 'live' and area is not null group by mesh`,
      ...[6, 4].map(
        (digits) => sql`insert into mesh_count (mesh, count, lat_sum, lon_sum)
          select substr(mesh, 1, ${sql.lit(digits)}), sum(count), sum(lat_sum), sum(lon_sum) from mesh_count
          where length(mesh) = 8 group by substr(mesh, 1, ${sql.lit(digits)})`,
      ),
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
