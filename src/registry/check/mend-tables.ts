import { sql } from 'kysely';
import { REFERENCES } from '../../storage/references.ts';
import type { Db, Tx } from '../../storage/storage.ts';
import { type AssetKey, prefectureOfAsset } from '../../vocabulary/asset-id.ts';
import { createBuildings, findExisting, markBuildingsStale } from '../buildings.ts';
import { boxOfBoundary } from './check-areas.ts';
import { identityAfter, lastEvents, lastMinted } from './check-identity.ts';

/** What can be found again, so that a row which names nothing is not needed. */
export const SWEPT = ['spot', 'meeting', 'link', 'lent', 'area_summary', 'reit_active'] as const;

/** Removes rows of these tables that name rows which do not exist. */
export async function sweepUnresolved(tx: Tx): Promise<void> {
  for (const { table, column, to, toColumn } of REFERENCES) {
    if (!SWEPT.some((swept) => swept === table)) continue;
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} is not null and not exists (
      select 1 from ${sql.table(to)} as u where ${sql.ref(`u.${toColumn}`)} = ${sql.ref(`${table}.${column}`)})`.execute(
      tx.db,
    );
  }
}

/** Sets the identity of a building to what the log says; makes a building that was lost again. */
export async function mendIdentity(tx: Tx, building: AssetKey): Promise<void> {
  if (!(await findExisting(tx.db, [building])).has(building)) {
    await createBuildings(tx, [building], (await wasMinted(tx.db, building)) ? 'minted' : 'named');
  }
  const event = (await lastEvents(tx.db, { from: building, to: building })).get(building);
  await tx.db.updateTable('building').set(identityAfter(event)).where('id', '=', building).execute();
  const { successor } = identityAfter(event);
  await markBuildingsStale(tx, successor === null ? [building] : [building, successor]);
}

/** Whether matching gave the building its ID: the number was assigned, and no record that names it could create it. */
async function wasMinted(db: Db, building: AssetKey): Promise<boolean> {
  const row = await db
    .selectFrom('minted')
    .select('last')
    .where('prefecture', '=', prefectureOfAsset(building))
    .executeTakeFirst();
  const naming = await db
    .selectFrom('source_record')
    .select('id')
    .where('claimed', '=', building)
    .limit(1)
    .executeTakeFirst();
  return naming === undefined && (row?.last ?? 0) >= building % 100_000_000;
}

/** Raises the last assigned numbers to those of the buildings. */
export async function mendMinted(tx: Tx): Promise<void> {
  const stored = new Map(
    (await tx.db.selectFrom('minted').selectAll().execute()).map(({ prefecture, last }) => [prefecture, last]),
  );
  for (const [prefecture, last] of await lastMinted(tx.db)) {
    if ((stored.get(prefecture) ?? 0) < last) await tx.upsert('minted', ['prefecture', 'last'], [[prefecture, last]]);
  }
}

/** Sets the boxes of boundaries, and adds slugs that are missing. */
export async function mendAreas(tx: Tx): Promise<void> {
  const rows = await tx.db.selectFrom('area').select(['code', 'parent', 'slug', 'boundary']).execute();
  for (const { code, parent, slug, boundary } of rows) {
    await tx.insertNew('area_slug', ['parent', 'slug', 'code'], [[parent ?? '', slug, code]]);
    let box: readonly (number | null)[];
    try {
      box = boundary === null ? [null, null, null, null] : boxOfBoundary(boundary);
    } catch {
      // Told as unreadable.
      continue;
    }
    const [west = null, south = null, east = null, north = null] = box;
    await tx.db.updateTable('area').set({ west, south, east, north }).where('code', '=', code).execute();
  }
}
