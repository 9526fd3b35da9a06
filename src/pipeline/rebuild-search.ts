import { refreshAreaSummaries } from '../registry/area-summaries.ts';
import { clearTodo, hasTodo } from '../registry/markers.ts';
import { rebuildEntries } from '../registry/search/write/change-entries.ts';
import { indexEntries } from '../registry/search/write/index-entries.ts';
import type { Tx } from '../storage/storage.ts';
import { asWriter, type Context } from './context.ts';

const AREAS_PER_TRANSACTION = 200;
/** A search looks through so many entries that are not indexed about as fast as through a segment. */
const LEFT_UNINDEXED = 256;

/** Entries are made again where they are missing: after an update of the program, or because all is to be made again. */
export async function enterBuildings({ storage, report }: Context): Promise<void> {
  if (!(await hasTodo(storage.db, 'enter buildings'))) return;
  report.stage('indexing');
  await storage.transaction(rebuildSearch);
}

/** The index and the summaries of areas, in one transaction: readers have the old ones until the new ones are complete. */
export async function rebuildSearch(tx: Tx): Promise<void> {
  await rebuildEntries(tx);
  await indexEntries(tx, LEFT_UNINDEXED);
  while (await refreshAreaSummaries(tx, AREAS_PER_TRANSACTION));
  await clearTodo(tx, 'enter buildings');
}

/** The same for whoever serves a database that an earlier version made. */
export async function enterBuildingsIfMissing(context: Context): Promise<void> {
  if (!(await hasTodo(context.storage.db, 'enter buildings'))) return;
  await asWriter(context, () => enterBuildings(context));
}

/** Indexes what was entered last, and makes the summaries of areas true again. */
export async function refreshSearch({ storage, report }: Context): Promise<void> {
  report.stage('indexing');
  await storage.transaction((tx) => indexEntries(tx, LEFT_UNINDEXED));
  while (await storage.transaction((tx) => refreshAreaSummaries(tx, AREAS_PER_TRANSACTION)));
}
