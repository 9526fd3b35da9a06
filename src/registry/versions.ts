import type { StoredText } from '../storage/compact/compact.ts';
import type { Reads } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import { decodeCanonical } from './canonical-codec.ts';

/** A version of a building as it was recorded, with every candidate of every field. */
export interface StoredVersion {
  version: number;
  recordedAt: string;
  canonical: Canonical;
}

/** Up to `count` versions, the newest first, starting with version `from`. */
export async function readVersions(
  reads: Reads,
  building: AssetKey,
  from: number,
  count: number,
): Promise<StoredVersion[]> {
  const rows = await reads.all<{ version: number; recordedAt: string; canonical: StoredText }>(
    `select version, recorded_at as "recordedAt", canonical from building_version
      where building = ? and version <= ? order by version desc limit ?`,
    [building, from, count],
  );
  return rows.map(({ version, recordedAt, canonical }) => ({
    version,
    recordedAt,
    canonical: decodeCanonical(canonical),
  }));
}
