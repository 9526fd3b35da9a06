import type { Areas } from '../registry/areas.ts';
import { latestRecordedAt, publish } from '../registry/publish.ts';
import { recheckPublications } from '../reit/life/matched-buildings.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { laterThan } from '../vocabulary/time.ts';
import { consolidateBuildings } from './consolidate-buildings.ts';

/**
 * Publishes some buildings in the transaction that changed their identity, so that a reader of an ID sees either
 * the redirect or the record and never a 404 between the two. They stay marked as stale: the
 * run refreshes their neighbours.
 */
export async function publishNow(tx: Tx, areas: Areas, ids: readonly AssetKey[], now: string): Promise<void> {
  const recordedAt = laterThan(await latestRecordedAt(tx.db), now);
  await publish(tx, await consolidateBuildings(tx.db, areas, ids, recordedAt));
  await recheckPublications(tx, ids, () => now);
}
