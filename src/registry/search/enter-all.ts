import { batches, type Db, type Tx } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import { Areas } from '../areas.ts';
import { decodeCanonical } from '../canonical-codec.ts';
import { hasTodo } from '../todo.ts';
import { markAreasStale, type NewEntry, putEntries } from './change-entries.ts';
import { toEntryContent, toEntryPlace, UNPUBLISHED } from './entry.ts';
import { indexEntries } from './index-entries.ts';
import { ENTRIES_PER_NEW_SEGMENT } from './segments.ts';

/** Makes every entry and the whole index anew from the versions in force. */
export async function rebuildEntries(tx: Tx): Promise<void> {
  await forgetAll(tx);
  const areas = await Areas.load(tx.db);
  const order = await tx.db
    .selectFrom('building')
    .select(['id'])
    .where('version', '>', 0)
    .orderBy('recorded_at')
    .orderBy('id', 'desc')
    .execute();
  let next = 1;
  let indexed = 1;
  for (const batch of batches(order.map(({ id }) => id))) {
    const entries = await entriesFor(tx, areas, batch);
    next = await putEntries(tx, entries, next);
    await markAreasStale(
      tx,
      entries.flatMap(({ place }) => place.area ?? []),
    );
    // Looking for the last position costs much where all entries were just deleted, whose rows PostgreSQL still has.
    if (next - indexed < ENTRIES_PER_NEW_SEGMENT) continue;
    await indexEntries(tx, ENTRIES_PER_NEW_SEGMENT);
    indexed = next;
  }
}

/**
 * False where buildings are published and none is entered. So the restore of an earlier version left it when it was
 * killed between its transactions.
 */
export async function hasIndex(db: Db): Promise<boolean> {
  if (!(await hasTodo(db, 'enter buildings'))) return true;
  const any = async (table: 'page' | 'search_entry') =>
    (await db.selectFrom(table).select('building').limit(1).executeTakeFirst()) !== undefined;
  return (await any('search_entry')) || !(await any('page'));
}

async function forgetAll(tx: Tx): Promise<void> {
  const summarised = await tx.db.selectFrom('area_summary').select('area').execute();
  await markAreasStale(
    tx,
    summarised.map(({ area }) => area),
  );
  for (const table of ['search_entry', 'search_segment', 'search_posting', 'search_filter', 'search_sort'] as const) {
    await tx.db.deleteFrom(table).execute();
  }
}

async function entriesFor(tx: Tx, areas: Areas, ids: readonly AssetKey[]): Promise<NewEntry[]> {
  const rows = await tx.db
    .selectFrom('building as b')
    .innerJoin('building_version as v', (join) =>
      join.onRef('v.building', '=', 'b.id').onRef('v.version', '=', 'b.version'),
    )
    .select(['b.id', 'b.state', 'b.area', 'v.canonical'])
    .where('b.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const published = row.state === 'live' && row.area !== null;
    return {
      building: id,
      place: published ? toEntryPlace(areas.place(row.area as string)) : UNPUBLISHED,
      content: toEntryContent(decodeCanonical(row.canonical)),
    };
  });
}
