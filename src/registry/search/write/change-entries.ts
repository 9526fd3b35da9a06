import type { StoredText } from '../../../storage/compact/compact.ts';
import { batches, type Db, isAmong, listParameter, type Tx } from '../../../storage/storage.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import type { Canonical } from '../../../vocabulary/canonical.ts';
import { Areas } from '../../areas.ts';
import { decodeCanonical } from '../../canonical-codec.ts';
import { addLookupKeys, type LookupKeys, lookupKeysOf } from '../../lookup/lookup-keys.ts';
import { hasTodo } from '../../markers.ts';
import { decodeBitmap, encodeBitmaps } from '../format/bitmap-bytes.ts';
import { EMPTY_BITMAP, withDoc } from '../format/bitmaps.ts';
import {
  describeEntry,
  type EntryContent,
  type EntryDescription,
  type EntryPlace,
  ONLY_SET,
  PUBLISHED_FILTER,
  placeFiltersOf,
  type SearchEntry,
  toEntryContent,
  toEntryPlace,
  UNPUBLISHED,
} from '../format/entry.ts';
import { replaceSites } from '../format/segment-sites.ts';
import { loadSegments, newStamp, type Segment, segmentOf } from '../format/segments.ts';
import { ENTRIES_PER_NEW_SEGMENT, indexEntries, nextPosition } from './index-entries.ts';

/** A new version of a building, or only a new place of publication or site. */
export interface EntryChange {
  building: AssetKey;
  place: EntryPlace;
  content: EntryContent | null;
  /** As before if undefined. */
  description?: EntryDescription | undefined;
}

type Placed = EntryPlace & EntryDescription & Pick<SearchEntry, 'pos' | 'building'>;

const COLUMNS = [
  ...(['pos', 'building', 'prefecture', 'ward', 'area', 'uses', 'fields', 'owner', 'text'] as const),
  ...(['footprint', 'height', 'floors', 'built', 'flags', 'words', 'postcode', 'site', 'summary'] as const),
];

/**
 * Applies changes. A new version is appended and replaces the earlier entry. The segment of the earlier entry is not
 * rewritten: the entry is only removed from its filter of published entries. Returns how many entries were appended, from
 * position `first` on if it is given (WRK-04).
 */
export async function changeEntries(tx: Tx, changes: readonly EntryChange[], first?: number): Promise<number> {
  if (changes.length === 0) return 0;
  const before = await findPlaced(tx, changes);
  // Several processes may change the same segments at once.
  if (before.size > 0 && tx.engine === 'postgres') await tx.all('select pg_advisory_xact_lock(?)', [SEGMENTS_LOCK]);
  const segments = await loadSegments(tx);
  const filters = new FilterChanges(segments);
  const staleAreas = new Set<string>();
  const moves: { pos: number; site: SearchEntry['site'] }[] = [];
  const retold: { pos: number; summary: SearchEntry['summary'] }[] = [];
  const gone: number[] = [];
  const fresh: NewEntry[] = [];
  for (const { building, place, content, description } of changes) {
    const old = before.get(building);
    if (content === null && old !== undefined && description !== undefined) {
      const { site, summary } = description;
      if (!isSameSite(old.site, site)) moves.push({ pos: old.pos, site });
      if (old.summary !== summary) retold.push({ pos: old.pos, summary });
    }
    if (content === null && (old === undefined || old.area === place.area)) continue;
    if (old?.area != null) staleAreas.add(old.area);
    if (place.area !== null) staleAreas.add(place.area);
    if (content !== null) {
      fresh.push({ building, place, content, description });
      if (old === undefined) continue;
      gone.push(old.pos);
      filters.set(old.pos, [PUBLISHED_FILTER], false);
    } else if (old !== undefined) {
      filters.set(old.pos, placeFiltersOf(old), false);
      filters.set(old.pos, placeFiltersOf(place), true);
      // Only what is published has a summary.
      const changed = place.area === null ? { ...place, summary: null } : place;
      await tx.db.updateTable('search_entry').set(changed).where('pos', '=', old.pos).execute();
    }
  }
  await remove(tx, segments, gone);
  // SEA-08: results are read from the end, so of versions recorded at the same time the lowest ID is added last.
  fresh.sort((a, b) => b.building - a.building);
  if (fresh.length > 0) await putEntries(tx, fresh, first ?? (await nextPosition(tx)));
  await moveSites(tx, segments, moves);
  for (const { pos, summary } of retold) {
    await tx.db.updateTable('search_entry').set({ summary }).where('pos', '=', pos).execute();
  }
  await filters.apply(tx);
  await markAreasStale(tx, staleAreas);
  return fresh.length;
}

const SEGMENTS_LOCK = 7281007;

const isSameSite = (a: SearchEntry['site'], b: SearchEntry['site']) =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0;

/** FIT-07: a point may move without a new version. */
async function moveSites(
  tx: Tx,
  segments: readonly Segment[],
  moves: readonly { pos: number; site: SearchEntry['site'] }[],
): Promise<void> {
  for (const { pos, site } of moves) {
    await tx.db.updateTable('search_entry').set({ site }).where('pos', '=', pos).execute();
  }
  for (const [segment, some] of Map.groupBy(moves, ({ pos }) => segmentOf(segments, pos))) {
    if (segment === undefined) continue;
    const [row] = await tx.all<{ sites: Uint8Array }>('select sites from search_site where segment = ?', [segment.id]);
    if (row === undefined) continue;
    const changed = some.map(({ pos, site }) => ({ offset: pos - segment.first, site }));
    const sites = replaceSites(row.sites, segment.size, changed);
    await tx.db.updateTable('search_site').set({ sites }).where('segment', '=', segment.id).execute();
    await tx.db.updateTable('search_segment').set({ stamp: newStamp() }).where('id', '=', segment.id).execute();
  }
}

async function markAreasStale(tx: Tx, codes: Iterable<string>): Promise<void> {
  await tx.insertNew(
    'stale_area',
    ['area'],
    // In order, so that processes that mark the same areas at once do not wait for each other.
    [...codes].sort().map((code) => [code]),
  );
}

async function findPlaced(tx: Tx, changes: readonly EntryChange[]): Promise<Map<AssetKey, Placed>> {
  const rows = await tx.all<Placed>(
    `select pos, building, prefecture, ward, area, site, summary from search_entry where ${isAmong(tx, 'building')}`,
    [
      listParameter(
        tx,
        changes.map(({ building }) => building),
      ),
    ],
  );
  return new Map(rows.map((row) => [row.building, row]));
}

async function remove(tx: Tx, segments: readonly Segment[], gone: readonly number[]): Promise<void> {
  if (gone.length === 0) return;
  for (const batch of batches(gone)) await tx.db.deleteFrom('search_entry').where('pos', 'in', batch).execute();
  const dead = new Map<number, number>();
  for (const pos of gone) {
    const segment = segmentOf(segments, pos);
    if (segment !== undefined) dead.set(segment.id, (dead.get(segment.id) ?? segment.dead) + 1);
  }
  for (const [id, count] of dead) {
    await tx.db.updateTable('search_segment').set({ dead: count }).where('id', '=', id).execute();
  }
}

type NewEntry = EntryChange & { content: EntryContent };

const UNDESCRIBED: EntryDescription = { site: null, summary: null };

/** Stores entries from a position on; returns the next position. */
async function putEntries(tx: Tx, fresh: readonly NewEntry[], first: number): Promise<number> {
  let pos = first;
  const rows = fresh.map(({ building, place, content, description = UNDESCRIBED }) => {
    const entry: SearchEntry = { pos: pos++, building, ...place, ...content, ...description };
    return COLUMNS.map((column) => entry[column]);
  });
  await tx.insert('search_entry', COLUMNS, rows);
  return pos;
}

/** Collects changes of filters of indexed segments, so that each filter is written once. */
class FilterChanges {
  readonly #segments: readonly Segment[];
  readonly #changes = new Map<string, { segment: Segment; filter: string; docs: Map<number, boolean> }>();

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  set(pos: number, filters: readonly string[], present: boolean): void {
    const segment = segmentOf(this.#segments, pos);
    if (segment === undefined) return;
    for (const filter of filters) {
      const key = `${segment.id} ${filter}`;
      const change = this.#changes.get(key) ?? { segment, filter, docs: new Map<number, boolean>() };
      this.#changes.set(key, change);
      change.docs.set(pos - segment.first, present);
    }
  }

  async apply(tx: Tx): Promise<void> {
    for (const { segment, filter, docs } of this.#changes.values()) {
      const row = { segment: segment.id, filter };
      const [kept] = await tx.all<{ docs: Uint8Array }>(
        'select docs from search_filter where segment = ? and filter = ?',
        [segment.id, filter],
      );
      let set = (kept && decodeBitmap(kept.docs, ONLY_SET)) ?? EMPTY_BITMAP;
      for (const [doc, present] of docs) set = withDoc(set, doc, present, segment.size);
      const bytes = encodeBitmaps([{ name: ONLY_SET, docs: set }], segment.size);
      await tx.db
        .insertInto('search_filter')
        .values({ ...row, docs: bytes })
        .onConflict((oc) => oc.columns(['segment', 'filter']).doUpdateSet({ docs: bytes }))
        .execute();
    }
    const changed = new Set([...this.#changes.values()].map(({ segment }) => segment.id));
    for (const id of changed) {
      await tx.db.updateTable('search_segment').set({ stamp: newStamp() }).where('id', '=', id).execute();
    }
  }
}

/** Rebuilds all entries and the index from the current versions. Returns the buildings whose version cannot be read. */
export async function rebuildEntries(tx: Tx): Promise<AssetKey[]> {
  await removeAll(tx);
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
  const left: AssetKey[] = [];
  for (const batch of batches(order.map(({ id }) => id))) {
    const { entries, keys, unreadable } = await entriesFor(tx, areas, batch);
    left.push(...unreadable);
    next = await putEntries(tx, entries, next);
    await addLookupKeys(tx, keys);
    await markAreasStale(
      tx,
      entries.flatMap(({ place }) => place.area ?? []),
    );
    // After deleting all entries, finding the last position is slow: PostgreSQL still has the dead rows.
    if (next - indexed < ENTRIES_PER_NEW_SEGMENT) continue;
    await indexEntries(tx, ENTRIES_PER_NEW_SEGMENT);
    indexed = next;
  }
  return left;
}

/**
 * False if buildings are published but none has an entry: an earlier version left this state if its restore was killed
 * between transactions.
 */
export async function hasIndex(db: Db): Promise<boolean> {
  if (!(await hasTodo(db, 'enter buildings'))) return true;
  const any = async (table: 'page' | 'search_entry') =>
    (await db.selectFrom(table).select('building').limit(1).executeTakeFirst()) !== undefined;
  return (await any('search_entry')) || !(await any('page'));
}

const INDEX_TABLES = [
  ...(['search_entry', 'search_segment', 'search_posting', 'search_filter', 'search_sort', 'search_site'] as const),
  'lookup_key' as const,
];

async function removeAll(tx: Tx): Promise<void> {
  const summarised = await tx.db.selectFrom('area_summary').select('area').execute();
  await markAreasStale(
    tx,
    summarised.map(({ area }) => area),
  );
  for (const table of INDEX_TABLES) await tx.db.deleteFrom(table).execute();
}

interface RebuiltEntries {
  entries: NewEntry[];
  keys: LookupKeys[];
  /** One damaged version must not keep all other buildings from being found. */
  unreadable: AssetKey[];
}

async function entriesFor(tx: Tx, areas: Areas, ids: readonly AssetKey[]): Promise<RebuiltEntries> {
  const rows = await tx.db
    .selectFrom('building as b')
    .innerJoin('building_version as v', (join) =>
      join.onRef('v.building', '=', 'b.id').onRef('v.version', '=', 'b.version'),
    )
    .select(['b.id', 'b.state', 'b.area', 'v.canonical'])
    .where('b.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const rebuilt: RebuiltEntries = { entries: [], keys: [], unreadable: [] };
  for (const building of ids) {
    const row = byId.get(building);
    if (row === undefined) continue;
    const published = row.state === 'live' && row.area !== null;
    const canonical = tryDecode(row.canonical);
    if (canonical === undefined) {
      rebuilt.unreadable.push(building);
      continue;
    }
    const path = published ? areas.place(row.area as string) : undefined;
    const place = path === undefined ? UNPUBLISHED : toEntryPlace(path);
    const description = describeEntry(canonical, path);
    rebuilt.entries.push({ building, place, content: toEntryContent(canonical), description });
    if (published) rebuilt.keys.push({ building, keys: lookupKeysOf(canonical, areas) });
  }
  return rebuilt;
}

/** Undefined if it is damaged. */
function tryDecode(stored: StoredText): Canonical | undefined {
  try {
    return decodeCanonical(stored);
  } catch {
    return undefined;
  }
}
