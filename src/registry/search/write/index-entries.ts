import { sql } from 'kysely';
import type { Reads, Tx } from '../../../storage/storage.ts';
import { MAX_SEGMENT_SIZE } from '../format/bitmaps.ts';
import type { IndexedEntry } from '../format/entry.ts';
import { buildSites } from '../format/segment-sites.ts';
import {
  buildSorts,
  indexedEnd,
  loadSegments,
  newStamp,
  postingKey,
  type Segment,
  segmentEnd,
} from '../format/segments.ts';
import { buildFilters, buildPostings } from './build-postings.ts';

const ROWS_AT_ONCE = 2_000;

/** Indexes entries that no segment has yet, if there are at least `least`, and merges segments. */
export async function indexEntries(tx: Tx, least: number, sizes = SEGMENT_SIZES): Promise<void> {
  let segments = await loadSegments(tx);
  const end = indexedEnd(segments);
  const top = await lastPosition(tx);
  if (top < end || top + 1 - end < least) return;
  for (let first = end; first <= top; first += sizes.most) {
    segments = [...segments, await build(tx, segments, first, Math.min(sizes.most, top + 1 - first))];
  }
  await mergeSegments(tx, segments, sizes);
}

async function mergeSegments(tx: Tx, all: readonly Segment[], sizes: SegmentSizes): Promise<void> {
  for (let segments = all; ; ) {
    const some = chooseMerge(segments, sizes);
    if (some === undefined) return;
    const rest = segments.filter((segment) => !some.includes(segment));
    const merged = await merge(tx, rest, some, sizes);
    segments = (merged === undefined ? rest : [...rest, merged]).sort((a, b) => a.first - b.first);
  }
}

async function lastPosition(reads: Reads): Promise<number> {
  const [row] = await reads.all<{ top: number | null }>('select max(pos) as top from search_entry', []);
  return row?.top ?? 0;
}

async function build(tx: Tx, segments: readonly Segment[], first: number, size: number): Promise<Segment> {
  const segment = await buildSegment(tx, { id: freeId(segments), first, size });
  await tx.db.insertInto('search_segment').values(segment).execute();
  return segment;
}

/** The ID and the positions of a segment that is not built yet. */
export type SegmentPlan = Pick<Segment, 'id' | 'first' | 'size'>;

/** Stores everything of a segment except the row that makes it visible, which is returned. */
export async function buildSegment(tx: Tx, { id, first, size }: SegmentPlan): Promise<Segment> {
  // A run of several processes may have been killed before it made the segment visible.
  await removeSegment(tx, id);
  const entries = await readIndexed(tx, first, size);
  let rows: unknown[][] = [];
  for (const [gram, docs] of buildPostings(entries, size)) {
    rows.push([postingKey(id, gram), docs]);
    if (rows.length < ROWS_AT_ONCE) continue;
    await tx.insert('search_posting', ['key', 'docs'], rows);
    rows = [];
  }
  if (rows.length > 0) await tx.insert('search_posting', ['key', 'docs'], rows);
  const filters = buildFilters(entries, size).map(([filter, docs]) => [id, filter, docs]);
  await tx.insert('search_filter', ['segment', 'filter', 'docs'], filters);
  const sorts = buildSorts(entries).map(({ sort, docs, keys, buildings }) => [id, sort, docs, keys, buildings]);
  await tx.insert('search_sort', ['segment', 'sort', 'docs', 'keys', 'buildings'], sorts);
  await tx.insert('search_site', ['segment', 'sites'], [[id, buildSites(entries)]]);
  return { id, first, size, dead: size - entries.length, stamp: newStamp() };
}

/**
 * WRK-04: where entries that several processes appended at positions given in advance become the next segments: as `indexEntries`
 * would have built them after each addition. `added` has the number of entries of each, whose positions start at `first`.
 */
export async function planSegments(
  tx: Tx,
  first: number,
  end: number,
  added: readonly number[],
  least = ENTRIES_PER_NEW_SEGMENT,
): Promise<SegmentPlan[]> {
  const count = added.reduce((sum, more) => sum + more, 0);
  if (count < end - first) await renumber(tx, first, end);
  const segments = await loadSegments(tx);
  const plans: SegmentPlan[] = [];
  let next = indexedEnd(segments);
  let top = first;
  for (const more of added) {
    top += more;
    if (top - next < least) continue;
    for (; next < top; next += SEGMENT_SIZES.most) {
      const size = Math.min(SEGMENT_SIZES.most, top - next);
      plans.push({ id: freeId([...segments, ...plans]), first: next, size });
    }
    next = top;
  }
  return plans;
}

/** Makes built segments visible, together, and merges segments, as `indexEntries` does if it builds any. */
export async function addSegments(tx: Tx, built: readonly Segment[], sizes = SEGMENT_SIZES): Promise<void> {
  if (built.length === 0) return;
  await tx.db.insertInto('search_segment').values(built).execute();
  await mergeSegments(tx, await loadSegments(tx), sizes);
}

/** The position of the next entry. */
export async function nextPosition(reads: Reads): Promise<number> {
  return Math.max((await lastPosition(reads)) + 1, indexedEnd(await loadSegments(reads)));
}

/** IDs of removed segments are reused: a key has only 15 bits for them. */
function freeId(segments: readonly Pick<Segment, 'id'>[]): number {
  const taken = new Set(segments.map(({ id }) => id));
  let id = 1;
  while (taken.has(id)) id += 1;
  return id;
}

/** The entries of a range of positions. */
export async function readIndexed(reads: Reads, first: number, size: number): Promise<IndexedEntry[]> {
  const entries: IndexedEntry[] = [];
  for (let from = first; from < first + size; from += ROWS_AT_ONCE) {
    const rows = await reads.all<IndexedEntry>(
      `select pos - ? as "offset", building, prefecture, ward, area, uses, fields, text,
          footprint, height, floors, built, flags, words, site
        from search_entry where pos >= ? and pos < ? order by pos`,
      [first, from, Math.min(from + ROWS_AT_ONCE, first + size)],
    );
    entries.push(...rows);
  }
  return entries;
}

/** Replaces adjacent segments by one; by none if they are empty. */
async function merge(
  tx: Tx,
  rest: readonly Segment[],
  some: readonly Segment[],
  { most }: SegmentSizes,
): Promise<Segment | undefined> {
  for (const { id } of some) await removeSegment(tx, id);
  const [oldest, newest] = [some[0] as Segment, some.at(-1) as Segment];
  if (some.length === 1) return undefined;
  const span = segmentEnd(newest) - oldest.first;
  if (span <= most) return build(tx, rest, oldest.first, span);
  return build(tx, rest, oldest.first, await renumber(tx, oldest.first, segmentEnd(newest)));
}

async function removeSegment(tx: Tx, id: number): Promise<void> {
  const [from, to] = [postingKey(id, 0), postingKey(id + 1, 0)];
  await tx.db.deleteFrom('search_posting').where('key', '>=', from).where('key', '<', to).execute();
  await tx.db.deleteFrom('search_filter').where('segment', '=', id).execute();
  await tx.db.deleteFrom('search_sort').where('segment', '=', id).execute();
  await tx.db.deleteFrom('search_site').where('segment', '=', id).execute();
  await tx.db.deleteFrom('search_segment').where('id', '=', id).execute();
}

/** Renumbers the entries between two positions without gaps; returns how many there are. */
async function renumber(tx: Tx, first: number, end: number): Promise<number> {
  // Negative first, so that no position is taken twice.
  await sql`update search_entry set pos = -ranked.next
    from (select pos as old, ${sql.lit(first)} - 1 + row_number() over (order by pos) as next
      from search_entry where pos >= ${sql.lit(first)} and pos < ${sql.lit(end)}) as ranked
    where search_entry.pos = ranked.old`.execute(tx.db);
  const { numUpdatedRows } = await tx.db
    .updateTable('search_entry')
    .set((eb) => ({ pos: eb.neg(eb.ref('pos')) }))
    .where('pos', '<', 0)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The sizes of segments, and when they are merged. */
export interface SegmentSizes {
  /** Maximum entries of a segment, at most MAX_SEGMENT_SIZE. */
  most: number;
  /** Size limits of small and medium segments; larger ones are not merged by size. */
  grades: readonly [small: number, middling: number];
  /** How many segments of one grade are merged. */
  fanIn: number;
}

export const SEGMENT_SIZES: SegmentSizes = {
  most: MAX_SEGMENT_SIZE / 2,
  grades: [4_000, MAX_SEGMENT_SIZE / 4],
  fanIn: 8,
};
/** New entries that make a segment while more follow, large enough not to be merged again. */
export const ENTRIES_PER_NEW_SEGMENT = 32_000;

const liveIn = (segments: readonly Segment[]) => segments.reduce((sum, { size, dead }) => sum + size - dead, 0);

/**
 * The adjacent segments to merge next, if any: eight of one grade, so that an entry is indexed only a few times and a
 * search reads few segments; or two that have lost most of their entries.
 */
export function chooseMerge(
  segments: readonly Segment[],
  { most, grades, fanIn }: SegmentSizes,
): readonly Segment[] | undefined {
  const empty = segments.find((segment) => liveIn([segment]) === 0);
  if (empty !== undefined) return [empty];
  for (const grade of grades) {
    const run = segments.slice(segments.findLastIndex(({ size }) => size >= grade) + 1);
    if (run.length >= fanIn) return fitting(run, most);
  }
  for (let i = 1; i < segments.length; i++) {
    const pair = segments.slice(i - 1, i + 1);
    if (liveIn(pair) <= most / 2 && liveIn(pair) * 2 <= pair.reduce((sum, { size }) => sum + size, 0)) return pair;
  }
  return undefined;
}

/** As many as fit into one, from the oldest; at least two, since none is larger than half of the maximum. */
function fitting(run: readonly Segment[], most: number): readonly Segment[] {
  return run.filter((_, i) => liveIn(run.slice(0, i + 1)) <= most);
}
