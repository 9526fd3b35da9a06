import { type Kysely, sql } from 'kysely';
import type { Migration } from '../migrate.ts';

const REGISTERS = ['greenbuilding', 'greenarchive', 'mankan', 'jreit', 'edinet'];
const NAMES_NONE = -1;
const NAMES_SEVERAL = -2;

/**
 * Every statement keeps the building that its line named, so that which building a record is about follows
 * from all of its lines and not from their order. A register's record has one row from now on (CON-09).
 */
export const namedRecords: Migration = {
  name: '0013-named-records',
  async up(db, engine) {
    const integer = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
    const statements = [
      sql`alter table statement add column claimed ${integer} not null default ${sql.lit(NAMES_NONE)}`,
      sql`update statement set claimed = (select r.claimed from source_record r where r.id = statement.record)
        where record in (select id from source_record where claimed <> ${sql.lit(NAMES_NONE)})`,
      sql`alter table building add column minted ${integer} not null default 0`,
      sql`update building set minted = 1
        where building.id % 100000000 <= (
          select m.last from minted m where cast(m.prefecture as ${integer}) = building.id / 100000000
        ) and not exists (
          select 1 from source_record r where r.claimed = building.id and r.source in ('osm', 'plateau')
        )`,
      sql`create index source_record_named_for_several on source_record (id) where claimed = ${sql.lit(NAMES_SEVERAL)}`,
      // What is retired is asked for with every record that is counted.
      sql`create index building_retired on building (id) where state = 'retired'`,
    ];
    for (const statement of statements) await statement.execute(db);
    await foldRegisters(db);
    await setAsideUnnamed(db);
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables of its own time, not today's
type Old = Kysely<any>;

interface Row {
  id: number;
  building: number | null;
}

interface Said {
  retrieved_at: string;
  raw_payload_ref: string;
  claimed: number;
}

/** Makes one row of those that a register's record had for each building it was named for. */
async function foldRegisters(db: Old): Promise<void> {
  const keys: { key: string }[] = await db
    .selectFrom('source_record')
    .select('key')
    .where('source', 'in', REGISTERS)
    .groupBy('key')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute();
  for (const { key } of keys) {
    const rows: Row[] = await db
      .selectFrom('source_record')
      .select(['id', 'building'])
      .where('key', '=', key)
      .orderBy('id')
      .execute();
    const [kept, ...others] = rows as [Row, ...Row[]];
    const ids = others.map((row) => row.id);
    await db.updateTable('statement').set({ record: kept.id }).where('record', 'in', ids).execute();
    await forget(db, ids);
    await db.deleteFrom('source_record').where('id', 'in', ids).execute();
    const said: Said[] = await db
      .selectFrom('statement')
      .select(['retrieved_at', 'raw_payload_ref', 'claimed'])
      .where('record', '=', kept.id)
      .execute();
    await db
      .updateTable('source_record')
      .set(await decide(db, said))
      .where('id', '=', kept.id)
      .execute();
    for (const building of new Set(rows.flatMap((row) => row.building ?? []))) {
      await sql`insert into stale_building (building) values (${building}) on conflict do nothing`.execute(db);
    }
  }
}

/** What the latest fetch that names a building says. */
async function decide(db: Old, said: readonly Said[]): Promise<Record<string, unknown>> {
  const orderOf = ({ retrieved_at, raw_payload_ref }: Said) =>
    `${String(Date.parse(retrieved_at)).padStart(16, '0')} ${raw_payload_ref}`;
  const naming = said.filter(({ claimed }) => claimed >= 0);
  const last = naming.map(orderOf).sort().at(-1);
  const named = [...new Set(naming.filter((one) => orderOf(one) === last).map(({ claimed }) => claimed))];
  const [only, another] = named as [number, number | undefined];
  if (another !== undefined) return { claimed: NAMES_SEVERAL, building: null, reason: 'ambiguous' };
  const exists = await db.selectFrom('building').select('id').where('id', '=', only).executeTakeFirst();
  return exists === undefined
    ? { claimed: only, building: null, reason: 'unmatched' }
    : { claimed: only, building: only, reason: null };
}

/** Lines without a name, of a record that others name for several buildings. */
async function setAsideUnnamed(db: Old): Promise<void> {
  const rows: { id: number }[] = await db
    .selectFrom('source_record')
    .select('id')
    .where('claimed', '=', NAMES_NONE)
    .where(
      'key',
      'in',
      db
        .selectFrom('source_record')
        .select('key')
        .where('claimed', '>=', 0)
        .groupBy('key')
        .having((eb) => eb.fn.countAll(), '>', 1),
    )
    .execute();
  for (const { id } of rows) {
    await forget(db, [id]);
    await db
      .updateTable('source_record')
      .set({ claimed: NAMES_SEVERAL, building: null, reason: 'ambiguous', tile: null, lat: null, lon: null })
      .where('id', '=', id)
      .execute();
    await db.updateTable('statement').set({ claimed: NAMES_NONE }).where('record', '=', id).execute();
  }
}

async function forget(db: Old, ids: readonly number[]): Promise<void> {
  for (const table of ['spot', 'link', 'lent', 'stale_match', 'meeting']) {
    await db.deleteFrom(table).where('record', 'in', ids).execute();
  }
  await db.deleteFrom('meeting').where('other', 'in', ids).execute();
}
