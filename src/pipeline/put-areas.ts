import { type Line, linesOf, type Portion } from '../files/split-lines.ts';
import type { Areas } from '../registry/areas.ts';
import { markNewArea } from '../registry/new-areas.ts';
import { markBuildingsInTilesStale, markBuildingsOfAreaStale } from '../registry/stale.ts';
import type { AreaEntry } from '../sources/records/entry.ts';
import { readLine } from '../sources/records/read-line.ts';
import { batches, type Storage, type Tx } from '../storage/storage.ts';
import { boxOf, type Position } from '../vocabulary/geometry.ts';
import { meshTilesOf } from '../vocabulary/mesh.ts';
import type { Counts } from './context.ts';

interface ReadArea {
  line: number;
  entry: AreaEntry & { point?: Position | null; retrievedAt?: string };
}

/** Every area line has this key, plainly or behind an escape, and hardly another line does. */
const AREA_MARKS = ['"slug"', '\\u00'];

/**
 * Reads the area lines of a file ahead of all others, so that where a record stands does not hang on
 * the order of the lines. What is no area line, or a broken one, is left to the reading of the rest.
 */
export async function putAreas(
  storage: Storage,
  areas: Areas,
  portions: AsyncIterable<Portion>,
  counts: Counts,
  reject: (line: number, reason: string) => void,
): Promise<void> {
  let waiting: ReadArea[] = [];
  for await (const portion of portions) {
    if (!mayHaveArea(portion.bytes)) continue;
    const read = linesOf(portion)
      .filter(({ bytes }) => bytes !== undefined && mayHaveArea(bytes))
      .flatMap(readArea);
    if (read.length > 0) waiting.push(...(await putSome(storage, areas, read, counts, reject)));
  }
  // A child may stand before its parent: once more for as long as that helps, then as it is.
  for (let left = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < left; ) {
    left = waiting.length;
    waiting = await putSome(storage, areas, waiting, counts, reject);
  }
  for (const { line, entry } of waiting) {
    counts.read += 1;
    counts.rejected += 1;
    reject(line, `parent ${entry.parent} is not known: load its area line, in this file or before it`);
  }
}

function mayHaveArea(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return AREA_MARKS.some((mark) => buffer.includes(mark));
}

function readArea(line: Line): ReadArea[] {
  const read = readLine(line);
  return read.ok && read.value.kind === 'area' ? [{ line: line.number, entry: read.value }] : [];
}

async function putSome(
  storage: Storage,
  areas: Areas,
  read: readonly ReadArea[],
  counts: Counts,
  reject: (line: number, reason: string) => void,
): Promise<ReadArea[]> {
  const waiting: ReadArea[] = [];
  for (const batch of batches(read)) {
    await storage.transaction(async (tx) => {
      for (const area of batch) {
        const { parent } = area.entry;
        if (parent !== null && areas.get(parent) === undefined) waiting.push(area);
        else await putArea(tx, areas, area, counts, reject);
      }
    });
  }
  return waiting;
}

/** Keeps one area, and notes what follows from it. */
export async function putArea(
  tx: Tx,
  areas: Areas,
  { line, entry }: ReadArea,
  counts: Counts,
  reject: (line: number, reason: string) => void,
): Promise<void> {
  const { kind: _, notes: __, boundary, ...area } = entry;
  counts.read += 1;
  const outcome = await areas.put(tx, area, boundary);
  if (!outcome.ok) {
    counts.rejected += 1;
    reject(line, outcome.failure);
    return;
  }
  counts[outcome.value] += 1;
  if (outcome.value === 'changed') await markBuildingsOfAreaStale(tx, area.code);
  if (outcome.value === 'unchanged') return;
  await markNewArea(tx, area.code);
  // What lies in a boundary that is drawn anew may have stood elsewhere.
  if (boundary !== null) await markBuildingsInTilesStale(tx, meshTilesOf(boxOf(boundary)));
}
