import type { SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { mintId } from '../registry/buildings.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { CREATING_SOURCES } from '../vocabulary/sources.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import type { ReadRecord } from './read-portion.ts';

/** What of a record decides which building it speaks of. */
export type Subject = Pick<ReadRecord, 'building' | 'source' | 'area' | 'point' | 'retrievedAt' | 'rawPayloadRef'>;

export interface Match {
  building: AssetKey | null;
  reason: SourceRecord['reason'];
  /** Whether the building begins with this record. */
  creates: boolean;
  claimed: AssetKey | null;
  claimedAt: string | null;
}

/**
 * Which building a record speaks of. The one it names, the latest retrieval deciding where it named
 * several; else the one it spoke of before; else a new one, where its source creates buildings.
 */
export async function matchRecord(
  tx: Tx,
  areas: Areas,
  read: Subject,
  known: SourceRecord | undefined,
  exists: (id: AssetKey) => boolean,
): Promise<Match> {
  const { building, source } = read;
  const at = `${instantSortKey(read.retrievedAt)} ${read.rawPayloadRef}`;
  const held = known && { building: known.building, claimed: known.claimed, claimedAt: known.claimed_at };
  const superseded = held?.claimedAt != null && held.claimedAt > at;

  if (building !== null && !superseded) {
    const claim = { claimed: building, claimedAt: at };
    if (exists(building)) return { ...claim, building, reason: null, creates: false };
    if (CREATING_SOURCES.has(source)) return { ...claim, building, reason: null, creates: true };
    return { ...claim, building: null, reason: 'unmatched', creates: false };
  }
  const claim = { claimed: held?.claimed ?? null, claimedAt: held?.claimedAt ?? null };
  if (known !== undefined && (known.building !== null || known.claimed !== null)) {
    return { ...claim, building: known.building, reason: known.reason, creates: false };
  }
  if (!CREATING_SOURCES.has(source)) return { ...claim, building: null, reason: 'unmatched', creates: false };
  const prefecture = await prefectureOf(tx, areas, read);
  if (prefecture === undefined) return { ...claim, building: null, reason: 'unplaced', creates: false };
  return { ...claim, building: await mintId(tx, prefecture, exists), reason: null, creates: true };
}

async function prefectureOf(tx: Tx, areas: Areas, { area, point }: Subject): Promise<string | undefined> {
  const code = area ?? (point === null ? undefined : await areas.locate(tx.db, point));
  return code?.slice(0, 2);
}
