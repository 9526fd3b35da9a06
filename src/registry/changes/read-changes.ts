import { type ChangeKind, decodeChanges, type LoggedChange } from '../../storage/change-block.ts';
import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import { decodeChangedFields } from '../changed-fields-codec.ts';

/** LOG-03: a change, with what other tables say about it. */
export interface Change {
  /** Its place in the log: a reader that has seen it goes on from here. */
  cursor: number;
  recordedAt: string;
  kind: ChangeKind;
  building: AssetKey;
  version: number;
  /** The fields of the version that the change made; empty if it made none. */
  changedFields: string[];
  /** The machi-aza in which it was published before and after. */
  areaBefore: string | null;
  area: string | null;
  /** Where a merged or retired ID leads, and why. */
  into: AssetKey | null;
  reason: string | null;
}

/** A block of the log, with the number of its last change. */
interface ChangeBlock {
  last: number;
  at: string | null;
  body: Uint8Array;
}

/** The place of the last change; 0 if there is none. */
export async function readCursor(reads: Reads): Promise<number> {
  const [end] = await reads.all<{ last: number }>('select last from change_block order by last desc limit 1', []);
  return end?.last ?? 0;
}

/** The blocks with changes after a cursor, in order. */
export async function readBlocks(reads: Reads, after: number, limit: number): Promise<ChangeBlock[]> {
  return reads.all('select last, at, body from change_block where last > ? order by last limit ?', [after, limit]);
}

/** Up to `limit` changes after a cursor, oldest first. */
export async function readChanges(reads: Reads, after: number, limit: number): Promise<Change[]> {
  const found: (LoggedChange & { cursor: number; at: string | null })[] = [];
  for (let from = after; found.length < limit; ) {
    const blocks = await readBlocks(reads, from, BLOCKS_AT_ONCE);
    if (blocks.length === 0) break;
    for (const { last, at, body } of blocks) {
      const changes = decodeChanges(body);
      const first = last - changes.length + 1;
      found.push(
        ...changes.map((change, i) => ({ ...change, cursor: first + i, at })).filter(({ cursor }) => cursor > after),
      );
      from = last;
    }
  }
  return describe(reads, found.slice(0, limit));
}

const BLOCKS_AT_ONCE = 20;

async function describe(
  reads: Reads,
  found: readonly (LoggedChange & { cursor: number; at: string | null })[],
): Promise<Change[]> {
  const versions = await readVersionRows(
    reads,
    found.map(({ building }) => building),
  );
  const events = await readEvents(
    reads,
    found.flatMap(({ event }) => event ?? []),
  );
  return found.map(({ cursor, at, kind, building, version, area, areaBefore, event }) => {
    const made = versions.get(`${building} ${version}`);
    const made_at = made?.recorded_at ?? '';
    const isOfChange = kind !== 'merged' && kind !== 'retired' && (at === null || at === made_at);
    const { into_building: into = null, reason = null } = (event === null ? undefined : events.get(event)) ?? {};
    return {
      cursor,
      recordedAt: at ?? made_at,
      kind,
      building,
      version,
      changedFields: isOfChange && made !== undefined ? decodeChangedFields(made.changed_fields) : [],
      areaBefore,
      area,
      into,
      reason,
    };
  });
}

interface VersionRow {
  building: AssetKey;
  version: number;
  recorded_at: string;
  changed_fields: string;
}

async function readVersionRows(reads: Reads, buildings: readonly AssetKey[]): Promise<Map<string, VersionRow>> {
  const rows = await reads.all<VersionRow>(
    `select building, version, recorded_at, changed_fields from building_version where ${isAmong(reads, 'building')}`,
    [listParameter(reads, [...new Set(buildings)])],
  );
  return new Map(rows.map((row) => [`${row.building} ${row.version}`, row]));
}

interface EventRow {
  id: number;
  into_building: AssetKey | null;
  reason: string | null;
}

async function readEvents(reads: Reads, ids: readonly number[]): Promise<Map<number, EventRow>> {
  const rows = await reads.all<EventRow>(
    `select id, into_building, reason from identity_event where ${isAmong(reads, 'id')}`,
    [listParameter(reads, ids)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
