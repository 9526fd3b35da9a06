import type { Areas } from '../registry/areas.ts';
import { markAreasStale } from '../registry/publish.ts';
import { noteTodo } from '../registry/todo.ts';
import type { AreaEntry } from '../sources/records/parse-record-line.ts';
import { readLine } from '../sources/records/read-line.ts';
import type { Line } from '../sources/records/split-lines.ts';
import { batches, type Storage, type Tx } from '../storage/storage.ts';
import type { Counts } from './context.ts';

interface ReadArea {
  line: number;
  entry: AreaEntry;
}

/** Every area line has this key and hardly another line does: the others need not be parsed. */
const AREA_MARK = '"slug"';

/**
 * Reads the area lines of a file ahead of all others, so that where a record stands does not hang on
 * the order of the lines. Returns the numbers of the lines it took.
 */
export async function putAreas(
  storage: Storage,
  areas: Areas,
  chunks: AsyncIterable<Line[]>,
  counts: Counts,
  reject: (line: number, reason: string) => void,
): Promise<Set<number>> {
  const taken = new Set<number>();
  let waiting: ReadArea[] = [];
  for await (const lines of chunks) {
    const read = lines.filter((line) => line.bytes?.includes(AREA_MARK)).flatMap(readArea);
    for (const { line } of read) taken.add(line);
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
  return taken;
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

async function putArea(
  tx: Tx,
  areas: Areas,
  { line, entry }: ReadArea,
  counts: Counts,
  reject: (line: number, reason: string) => void,
): Promise<void> {
  const { kind: _, boundary, ...area } = entry;
  counts.read += 1;
  const outcome = await areas.put(tx, area, boundary);
  if (!outcome.ok) {
    counts.rejected += 1;
    reject(line, outcome.failure);
    return;
  }
  counts[outcome.value] += 1;
  if (outcome.value === 'changed') await markAreasStale(tx, [area.code]);
  if (outcome.value !== 'unchanged') await noteTodo(tx, 'new areas');
}
