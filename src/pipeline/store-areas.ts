import type { Areas } from '../registry/areas.ts';
import { markBuildingsInTilesStale, markBuildingsOfAreaStale, markNewArea } from '../registry/markers.ts';
import type { AreaItem } from '../sources/adapter.ts';
import type { AreaDraft } from '../sources/draft.ts';
import { batches, type Storage, type Tx } from '../storage/storage.ts';
import { boxOf } from '../vocabulary/geometry.ts';
import { meshTilesOf } from '../vocabulary/mesh.ts';
import type { Counts } from './counts.ts';

/** The areas of a registry, with the counts and rejections of a file. */
interface AreaBatch {
  areas: Areas;
  counts: Counts;
  reject: (line: number, reason: string) => void;
}

/** Stores areas in any order: one that comes before its parent waits for it. */
export async function storeAreas(
  storage: Storage,
  items: AsyncIterable<AreaItem[]>,
  batchOf: (file: string) => AreaBatch,
): Promise<void> {
  let waiting: AreaItem[] = [];
  for await (const some of items) waiting.push(...(await storeWithParents(storage, some, batchOf)));
  for (let left = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < left; ) {
    left = waiting.length;
    waiting = await storeWithParents(storage, waiting, batchOf);
  }
  for (const { at, area } of waiting) {
    const { counts, reject } = batchOf(at.file);
    counts.read += 1;
    counts.rejected += 1;
    reject(at.line, `parent ${area.parent} is not known: load its area line, in this file or before it`);
  }
}

/** Stores the areas whose parent is stored; returns the others. */
async function storeWithParents(
  storage: Storage,
  items: readonly AreaItem[],
  batchOf: (file: string) => AreaBatch,
): Promise<AreaItem[]> {
  const waiting: AreaItem[] = [];
  for (const some of batches(items)) {
    await storage.transaction(async (tx) => {
      for (const item of some) {
        const { at, area } = item;
        const batch = batchOf(at.file);
        if (area.parent !== null && batch.areas.get(area.parent) === undefined) waiting.push(item);
        else await storeArea(tx, batch, at.line, area);
      }
    });
  }
  return waiting;
}

/** Stores one area, and marks the buildings and tiles that it changes. */
export async function storeArea(
  tx: Tx,
  { areas, counts, reject }: AreaBatch,
  line: number,
  draft: AreaDraft,
  retrievedAt?: string,
): Promise<void> {
  const { fallbackSlug, boundary = null, ...area } = draft;
  const isTaken = areas.isSlugTaken(area.parent, area.slug, area.code);
  if (isTaken || areas.get(area.code)?.slug === fallbackSlug) area.slug = fallbackSlug;
  counts.read += 1;
  const outcome = await areas.put(tx, retrievedAt === undefined ? area : { ...area, retrievedAt }, boundary);
  if (!outcome.ok) {
    counts.rejected += 1;
    reject(line, outcome.failure);
    return;
  }
  counts[outcome.value] += 1;
  if (outcome.value === 'changed') await markBuildingsOfAreaStale(tx, area.code);
  if (outcome.value === 'unchanged') return;
  await markNewArea(tx, area.code);
  // Buildings inside the new boundary may have been placed elsewhere.
  if (boundary !== null) await markBuildingsInTilesStale(tx, meshTilesOf(boxOf(boundary)));
}
