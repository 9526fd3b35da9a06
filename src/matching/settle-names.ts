import { assignRecords, findStatements, recordsNamedForSeveral } from '../observations/source-records.ts';
import { markStale } from '../registry/buildings.ts';
import type { Storage } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { REGISTERS } from '../vocabulary/sources.ts';
import { findSurvivors } from './matching-run.ts';
import { namesOfRegister } from './record-rows.ts';

/** CON-09: a register's record that is named for several buildings is about one after all, once they are merged. */
export async function settleNames(storage: Storage): Promise<void> {
  const records = (await recordsNamedForSeveral(storage.db)).filter(({ source }) => REGISTERS.has(source));
  if (records.length === 0) return;
  await storage.transaction(async (tx) => {
    const stale = new Set<AssetKey>();
    for (const record of records) {
      const names = namesOfRegister(await findStatements(tx.db, [record.id]));
      const survivors = await findSurvivors(tx.db, names);
      const isOne = survivors.size === names.length && new Set(survivors.values()).size === 1;
      const building = isOne ? (names[0] as AssetKey) : null;
      if (building === record.building) continue;
      for (const touched of [record.building, building]) if (touched !== null) stale.add(touched);
      await assignRecords(tx, [{ id: record.id, building, reason: isOne ? null : 'ambiguous' }]);
    }
    await markStale(tx, stale);
  });
}
