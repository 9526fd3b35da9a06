import { findBuildings, findMembers } from '../registry/buildings.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { recordsOfBuildings, spotsOf } from './spots.ts';
import { noteStaleMatches, noteStaleRegisters, noteStaleTiles } from './stale-matches.ts';

/** Has everything matched again that may go to another building when the identity of these changes. */
export async function noteAround(tx: Tx, ids: readonly AssetKey[]): Promise<void> {
  const buildings = [...(await findBuildings(tx.db, ids)).values()];
  await noteStaleRegisters(
    tx,
    buildings.flatMap((building) => building.area ?? []),
  );
  const members = await findMembers(
    tx.db,
    buildings.map((building) => building.id),
  );
  const records = await recordsOfBuildings(tx.db, [...members.keys()]);
  const spots = await spotsOf(
    tx.db,
    records.map((record) => record.id),
  );
  await noteStaleTiles(
    tx,
    records.flatMap(({ id, tile }) => [...(tile === null ? [] : [tile]), ...(spots.get(id) ?? [])]),
  );
  await noteStaleMatches(
    tx,
    records.map((record) => record.id),
  );
}
