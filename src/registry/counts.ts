import type { Db } from '../storage/storage.ts';
import type { PlacedBy } from '../storage/tables.ts';

export interface RegistryCounts {
  areas: number;
  buildings: { live: number; merged: number; retired: number };
  published: number;
  /** Published buildings by what located them (PLC-03). */
  placedBy: Map<PlacedBy | null, number>;
  sourceRecords: number;
  statements: number;
  versions: number;
  stale: number;
}

/** The figures of `tatemono status`. */
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
  const placings = await db
    .selectFrom('building')
    .select(['placed_by', (eb) => eb.fn.countAll().as('n')])
    .where('state', '=', 'live')
    .where('area', 'is not', null)
    .groupBy('placed_by')
    .execute();
  return {
    areas: await count('area'),
    buildings,
    published: await count('page'),
    placedBy: new Map(placings.map(({ placed_by, n }) => [placed_by, Number(n)])),
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
