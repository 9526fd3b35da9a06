import { type Kysely, sql } from 'kysely';
import { areasOf, encodeChanges, type LoggedChange } from '../change-block.ts';
import type { Migration } from '../migrate.ts';

/** The log of changes. What is published already becomes its beginning: one `created` for each building. */
export const changes: Migration = {
  name: '0023-changes',
  async up(db, engine) {
    const [number, bytes] =
      engine === 'sqlite' ? [sql.raw('integer'), sql.raw('blob')] : [sql.raw('bigint'), sql.raw('bytea')];
    const end = sql.raw(engine === 'sqlite' ? ' without rowid' : '');
    const statements = [
      sql`create table change_block (last ${number} primary key, at text, body ${bytes} not null)`,
      sql`create table change_area (area text not null, last ${number} not null, primary key (area, last))${end}`,
      // With this default no row is rewritten: almost every building is published.
      sql`alter table building add column logged integer not null default 1`,
      sql`update building set logged = 2 where state = 'merged'`,
      sql`update building set logged = 0 where state = 'live'
        and not exists (select 1 from page p where p.building = building.id)`,
    ];
    for (const statement of statements) await statement.execute(db);
    if (engine === 'postgres') await sql`alter table change_block alter column body set storage external`.execute(db);
    await logPublished(db);
  },
};

const BUILDINGS_PER_BLOCK = 500;

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables of its own time, not today's
async function logPublished(db: Kysely<any>): Promise<void> {
  let last = 0;
  for (let after = -1; ; ) {
    const rows: { id: number; version: number; area: string | null }[] = await db
      .selectFrom('page as p')
      .innerJoin('building as b', 'b.id', 'p.building')
      .select(['b.id', 'b.version', 'b.area'])
      .where('p.building', '>', after)
      .orderBy('p.building')
      .limit(BUILDINGS_PER_BLOCK)
      .execute();
    if (rows.length === 0) return;
    after = rows[rows.length - 1]?.id as number;
    last += rows.length;
    const created = rows.map(
      ({ id, version, area }): LoggedChange => ({
        ...{ building: id, kind: 'created', version: Number(version), area, areaBefore: null, event: null },
      }),
    );
    await db
      .insertInto('change_block')
      .values({ last, at: null, body: encodeChanges(created) })
      .execute();
    const areas = await withAreasAbove(db, [...areasOf(created)]);
    if (areas.length === 0) continue;
    await db
      .insertInto('change_area')
      .values(areas.map((area) => ({ area, last })))
      .execute();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function withAreasAbove(db: Kysely<any>, codes: string[]): Promise<string[]> {
  const all = new Set<string>();
  for (let level = codes; level.length > 0; ) {
    for (const code of level) all.add(code);
    const rows: { parent: string }[] = await db
      .selectFrom('area')
      .select('parent')
      .distinct()
      .where('code', 'in', level)
      .where('parent', 'is not', null)
      .execute();
    level = rows.map(({ parent }) => parent);
  }
  return [...all].sort();
}
