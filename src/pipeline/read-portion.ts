import { hash } from 'node:crypto';
import { type Line, linesOf, type Portion } from '../files/split-lines.ts';
import { tilesOf } from '../matching/locate-records.ts';
import { findKnownLines, recordKey } from '../observations/source-records.ts';
import { encodeBody } from '../observations/statement-codec.ts';
import type { MergeEntry, RecordEntry } from '../sources/records/entry.ts';
import { isBlank, readLine } from '../sources/records/read-line.ts';
import type { Db } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { centroidOf, type Position } from '../vocabulary/geometry.ts';
import type { Source } from '../vocabulary/sources.ts';

/** A record, ready to be kept. */
export interface ReadRecord {
  kind: 'record';
  line: number;
  hash: string;
  source: Source;
  key: string;
  building: AssetKey | null;
  area: string | null;
  point: Position | null;
  /** That its shape touches, the one of its centre first. */
  tiles: number[];
  links: string[];
  retrievedAt: string;
  rawPayloadRef: string;
  body: string;
}

export type ReadLine = (
  | ReadRecord
  | { kind: 'known'; line: number; hash: string; record: number }
  | { kind: 'area'; line: number; hash: string }
  | { kind: 'merge'; line: number; hash: string; entry: MergeEntry }
  | { kind: 'rejected'; line: number; hash: string; reason: string }
) & {
  /** What was removed from its texts, for whoever watches. */
  notes?: string[];
};

const HASH_LENGTH = 22;

/** Reads some lines: those that are not known already parsed and checked, under the hash that knows them again. */
export async function readPortion(db: Db, portion: Portion): Promise<ReadLine[]> {
  const lines = linesOf(portion).filter((line) => !isBlank(line));
  const hashes = lines.map(({ bytes }) => (bytes === undefined ? '' : shortHash(bytes)));
  const known = await findKnownLines(db, hashes);
  return lines.map((line, i) => {
    const hash = hashes[i] as string;
    const record = known.get(hash);
    if (record === undefined) return read(line, hash);
    return { kind: 'known', line: line.number, hash, record };
  });
}

function read(line: Line, hash: string): ReadLine {
  const at = { line: line.number, hash };
  const entry = readLine(line);
  if (!entry.ok) return { ...at, kind: 'rejected', reason: entry.failure };
  const { notes } = entry.value;
  const noted = notes === undefined ? {} : { notes };
  if (entry.value.kind === 'area') return { ...at, ...noted, kind: 'area' };
  if (entry.value.kind === 'merge') return { ...at, ...noted, kind: 'merge', entry: entry.value };
  return { ...toReadRecord(entry.value, at), ...noted };
}

export function toReadRecord(
  entry: RecordEntry,
  at: { line: number; hash: string },
  body = encodeBody(entry.statement),
): ReadRecord {
  const { source, sourceRecordId, building, statement } = entry;
  const { geometry, links = [] } = statement;
  const point = geometry === null ? null : centroidOf(geometry);
  return {
    ...at,
    kind: 'record',
    source,
    key: recordKey(source, sourceRecordId),
    building,
    area: statement.area,
    point,
    tiles: point === null ? [] : tilesOf(point, geometry),
    links,
    retrievedAt: statement.retrievedAt,
    rawPayloadRef: statement.rawPayloadRef,
    body,
  };
}

export function shortHash(content: Uint8Array | string): string {
  return hash('sha256', content, 'base64url').slice(0, HASH_LENGTH);
}
