import type { SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { findUnpublished, setAreas } from '../registry/buildings.ts';
import type { Storage, Tx } from '../storage/storage.ts';
import { type AssetKey, prefectureOf } from '../vocabulary/asset-id.ts';
import { placeOf } from './match-footprints.ts';
import { areasWithRegisters, recordsOfBuildings } from './spots.ts';
import { noteStaleRegisters } from './stale-matches.ts';
import { isCreating } from './survey-footprints.ts';

const BUILDINGS_PER_TRANSACTION = 1_000;

/**
 * Finds where new buildings stand before they are first published, if there are registers that may speak
 * of them: these are then part of their first version, and not a second one made a moment later.
 */
export async function placeNewBuildings(storage: Storage, areas: Areas): Promise<void> {
  const registered = await areasWithRegisters(storage.db);
  if (registered.size === 0) return;
  for (let after = -1; ; ) {
    const ids = await findUnpublished(storage.db, after, BUILDINGS_PER_TRANSACTION);
    if (ids.length === 0) return;
    await storage.transaction((tx) => placeSome(tx, areas, ids, registered));
    after = ids.at(-1) ?? after;
  }
}

async function placeSome(
  tx: Tx,
  areas: Areas,
  ids: readonly AssetKey[],
  registered: ReadonlySet<string>,
): Promise<void> {
  const groups = new Map<AssetKey, SourceRecord[]>();
  for (const record of (await recordsOfBuildings(tx.db, ids)).filter(isCreating)) {
    const building = record.building as AssetKey;
    const known = groups.get(building);
    if (known === undefined) groups.set(building, [record]);
    else known.push(record);
  }
  const placed = new Map<AssetKey, string>();
  for (const [building, records] of groups) {
    const area = await placeOf(tx, areas, records, prefectureOf(building));
    if (area !== undefined && registered.has(area)) placed.set(building, area);
  }
  await setAreas(tx, placed);
  await noteStaleRegisters(tx, placed.values());
}
