import type { Db } from '../storage/storage.ts';

export interface RegistryCounts {
  areas: number;
  buildings: { live: number; merged: number; retired: number };
  published: number;
  sourceRecords: number;
  statements: number;
  versions: number;
  stale: number;
}

/** What `tatemono status` shows. */
export async function countRegistry(db: Db): Promise<RegistryCounts> {
  const count = async (
    table: 'area' | 'page' | 'source_record' | 'statement' | 'building_version' | 'stale_building',
  ) =>
    Number(
      (
        await db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const buildings = { live: 0, merged: 0, retired: 0 };
  const states = await db
    .selectFrom('building')
    .select(['state', (eb) => eb.fn.countAll().as('n')])
    .groupBy('state')
    .execute();
  for (const { state, n } of states) buildings[state] = Number(n);
  return {
    areas: await count('area'),
    buildings,
    published: await count('page'),
    sourceRecords: await count('source_record'),
    statements: await count('statement'),
    versions: await count('building_version'),
    stale: await count('stale_building'),
  };
}

export async function isEmpty(db: Db): Promise<boolean> {
  const any = async (table: 'building' | 'area' | 'source_record') =>
    (await db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .limit(1)
      .executeTakeFirst()) !== undefined;
  return !((await any('building')) || (await any('area')) || (await any('source_record')));
}
