import { markAllAreasStale, refreshAreaSummaries } from '../registry/area-summaries.ts';
import { clearTodo, hasTodo } from '../registry/markers.ts';
import { rebuildEntries } from '../registry/search/write/change-entries.ts';
import { indexEntries } from '../registry/search/write/index-entries.ts';
import type { Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import { asWriter, type Context } from './context.ts';

const AREAS_PER_TRANSACTION = 200;
/** A search scans so many unindexed entries about as fast as a segment. */
const LEFT_UNINDEXED = 256;

/** Rebuilds the search index if it is marked, by an update of the program or by `republish --all`. */
export async function enterBuildings({ storage, report }: Context): Promise<void> {
  if (!(await hasTodo(storage.db, 'enter buildings'))) return;
  report.stage('indexing');
  for (const building of await storage.transaction(rebuildSearch)) {
    report.remarked(formatAssetId(building), 'its current version is damaged, so search does not find it', true);
  }
}

/**
 * Rebuilds the index and the area summaries in one transaction; readers see the old ones until it commits. Returns the
 * buildings whose version cannot be read.
 */
export async function rebuildSearch(tx: Tx): Promise<AssetKey[]> {
  const unreadable = await rebuildEntries(tx);
  await indexEntries(tx, LEFT_UNINDEXED);
  while (await refreshAreaSummaries(tx, AREAS_PER_TRANSACTION));
  await clearTodo(tx, 'enter buildings');
  return unreadable;
}

/** Counts every area again in one transaction. */
export async function recountAreas(tx: Tx): Promise<void> {
  await markAllAreasStale(tx);
  while (await refreshAreaSummaries(tx, AREAS_PER_TRANSACTION));
}

/** Rebuilds the index of a database of an earlier version before it is served. */
export async function enterBuildingsIfMissing(context: Context): Promise<void> {
  if (!(await hasTodo(context.storage.db, 'enter buildings'))) return;
  await asWriter(context, () => enterBuildings(context));
}

/** Indexes the latest entries and updates the area summaries. */
export async function refreshSearch({ storage, report }: Context): Promise<void> {
  report.stage('indexing');
  await storage.transaction((tx) => indexEntries(tx, LEFT_UNINDEXED));
  while (await storage.transaction((tx) => refreshAreaSummaries(tx, AREAS_PER_TRANSACTION)));
}
