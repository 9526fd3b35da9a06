import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { mintId } from '../registry/buildings.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { CREATING_SOURCES } from '../vocabulary/sources.ts';
import type { ReadRecord } from './read-portion.ts';

/** What of a record decides which building it speaks of. */
export type Subject = Pick<ReadRecord, 'building' | 'source' | 'area' | 'point'>;

export interface Match {
  /** The row it continues. */
  known?: SourceRecord;
  building: AssetKey | null;
  claimed: AssetKey;
  reason: SourceRecord['reason'];
  /** Whether the building begins with this record. */
  creates: boolean;
}

/**
 * Which building a record speaks of: the one it names; else the one it spoke of before; else a new
 * one, where its source creates buildings. Named for several buildings, it speaks of each.
 */
export async function matchRecord(
  tx: Tx,
  areas: Areas,
  read: Subject,
  rows: readonly SourceRecord[],
  exists: (id: AssetKey) => boolean,
): Promise<Match> {
  const { building, source } = read;
  if (building !== null) {
    const known = rows.find((row) => row.claimed === building) ?? rows.find((row) => row.building === building);
    if (known !== undefined && known.building !== null) return stays(known);
    const found = { ...(known && { known }), claimed: building };
    if (exists(building)) return { ...found, building, reason: null, creates: false };
    if (CREATING_SOURCES.has(source)) return { ...found, building, reason: null, creates: true };
    return { ...found, building: null, reason: 'unmatched', creates: false };
  }
  const unnamed = rows.find((row) => row.claimed === NAMES_NONE);
  const [only, another] = rows;
  if (unnamed === undefined && only !== undefined) {
    if (another === undefined) return stays(only);
    return { building: null, claimed: NAMES_NONE, reason: 'ambiguous', creates: false };
  }
  if (unnamed !== undefined && unnamed.building !== null) return stays(unnamed);
  const found = { ...(unnamed && { known: unnamed }), claimed: NAMES_NONE };
  if (!CREATING_SOURCES.has(source)) return { ...found, building: null, reason: 'unmatched', creates: false };
  const prefecture = await prefectureOf(tx, areas, read);
  if (prefecture === undefined) return { ...found, building: null, reason: 'unplaced', creates: false };
  return { ...found, building: await mintId(tx, prefecture, exists), reason: null, creates: true };
}

function stays(known: SourceRecord): Match {
  const { building, claimed, reason } = known;
  return { known, building, claimed, reason, creates: false };
}

async function prefectureOf(tx: Tx, areas: Areas, { area, point }: Subject): Promise<string | undefined> {
  const code = area ?? (point === null ? undefined : await areas.locate(tx.db, point));
  return code?.slice(0, 2);
}
