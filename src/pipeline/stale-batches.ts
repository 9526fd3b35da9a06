import { staleBuildings } from '../registry/markers.ts';
import { latestRecordedAt } from '../registry/publish.ts';
import type { Db } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { laterThan } from '../vocabulary/time.ts';

const BUILDINGS_PER_TRANSACTION = 200;

/** Stale buildings in batches, each with the time of their new versions. */
export async function* staleIds(db: Db, now: () => string): AsyncGenerator<{ ids: AssetKey[]; recordedAt: string }> {
  let recordedAt = await latestRecordedAt(db);
  for (let after = -1; ; ) {
    const ids = await staleBuildings(db, after, BUILDINGS_PER_TRANSACTION);
    if (ids.length === 0) return;
    recordedAt = laterThan(recordedAt, now());
    yield { ids, recordedAt };
    after = ids[ids.length - 1] as AssetKey;
  }
}
