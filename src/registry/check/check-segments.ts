import type { Reads } from '../../storage/storage.ts';
import { type Difference, describeDamage } from '../../vocabulary/difference.ts';
import { decodePositions, encodeBitmaps, type NamedBitmap } from '../search/format/bitmap-bytes.ts';
import { toList } from '../search/format/bitmaps.ts';
import { type IndexedEntry, PUBLISHED_FILTER } from '../search/format/entry.ts';
import { buildSites, replaceSites } from '../search/format/segment-sites.ts';
import { buildSorts, postingKey, type Segment, type SortRow, segmentEnd } from '../search/format/segments.ts';
import { buildFilters, buildPostings } from '../search/write/build-postings.ts';
import { readIndexed } from '../search/write/index-entries.ts';

const ROWS_AT_ONCE = 2_000;

type Report = (kind: Difference['kind'], table: string, row: string, detail?: string) => void;

/** VRF-05: how the index of a segment differs from what its entries give. */
export async function checkSegment(reads: Reads, segment: Segment): Promise<Difference[]> {
  const { id, first, size, dead } = segment;
  const found: Difference[] = [];
  const report: Report = (kind, table, row, detail) =>
    found.push({
      kind,
      table,
      row: `segment ${id}${row === '' ? '' : `, ${row}`}`,
      detail: detail ?? null,
      remedy: { by: 'indexing' },
    });
  const entries = await readIndexed(reads, first, size);
  if (dead !== size - entries.length) report('differs', 'search_segment', '', 'number of replaced entries');
  const live = new LiveDocs(entries, size);
  await checkPostings(reads, segment, entries, live, report);
  await checkFilters(reads, segment, entries, live, report);
  await checkSorts(reads, segment, entries, live, report);
  await checkSites(reads, segment, entries, live, report);
  return found;
}

/** An entry that was replaced stays in the index of its segment, except among the published ones. */
class LiveDocs {
  readonly #size: number;
  readonly #live: Uint8Array;
  readonly #areAll: boolean;

  constructor(entries: readonly IndexedEntry[], size: number) {
    this.#size = size;
    this.#live = new Uint8Array(size);
    for (const { offset } of entries) this.#live[offset] = 1;
    this.#areAll = entries.length === size;
  }

  has(doc: number): boolean {
    return this.#live[doc] === 1;
  }

  /** The offsets of replaced entries. */
  dead(): number[] {
    return [...this.#live.keys()].filter((doc) => !this.has(doc));
  }

  /** Named sets without replaced entries; undefined if none is left. Throws if the bytes are damaged. */
  sets(bytes: Uint8Array): Uint8Array | undefined {
    if (this.#areAll) return isEmptySet(bytes) ? undefined : bytes;
    const all: NamedBitmap[] = [];
    const live: NamedBitmap[] = [];
    for (let name = 0; name < NAMES; name++) {
      const set = decodePositions(bytes, name);
      if (set === undefined) continue;
      const { positions } = set;
      const docs = toList(set.docs);
      const kept = [...docs.keys()].filter((i) => this.has(docs[i] as number));
      const isPlaced = positions.length > 0;
      all.push(isPlaced ? { name, docs, positions } : { name, docs });
      if (kept.length === 0) continue;
      const some = Uint16Array.from(kept, (i) => docs[i] as number);
      live.push(
        isPlaced
          ? { name, docs: some, positions: Uint8Array.from(kept, (i) => positions[i] as number) }
          : { name, docs: some },
      );
    }
    if (!isEqual(encodeBitmaps(all, this.#size), bytes)) throw new Error('its bytes are damaged');
    return live.length === 0 ? undefined : encodeBitmaps(live, this.#size);
  }
}

/** Sets are named by three bits. */
const NAMES = 8;

/** A filter that lost its last entry. */
const isEmptySet = (bytes: Uint8Array) => bytes.length === 4 && bytes.every((byte) => byte === 0);

const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

interface Posting {
  gram: number;
  docs: Uint8Array;
}

async function checkPostings(
  reads: Reads,
  { id, size }: Segment,
  entries: readonly IndexedEntry[],
  live: LiveDocs,
  report: Report,
): Promise<void> {
  const table = 'search_posting';
  const nameOf = (gram: number) => `gram ${gram.toString(16).padStart(12, '0')}`;
  const postings = readPostings(reads, id);
  let next = await nextStored();
  for (const [gram, docs] of buildPostings(entries, size)) {
    while (next !== undefined && next.gram < gram) {
      report('extra', table, nameOf(next.gram));
      next = await nextStored();
    }
    if (next?.gram !== gram) {
      report('missing', table, nameOf(gram));
      continue;
    }
    if (!isEqual(next.docs, docs)) report('differs', table, nameOf(gram));
    next = await nextStored();
  }
  for (; next !== undefined; next = await nextStored()) report('extra', table, nameOf(next.gram));

  /** The next stored posting with an entry that was not replaced. */
  async function nextStored(): Promise<Posting | undefined> {
    for (;;) {
      const row = await postings.next();
      if (row.done === true) return undefined;
      const { gram, docs } = row.value;
      try {
        const kept = live.sets(docs);
        if (kept !== undefined) return { gram, docs: kept };
      } catch (error) {
        report('unreadable', table, nameOf(gram), describeDamage(error));
      }
    }
  }
}

/** By gram. */
async function* readPostings(reads: Reads, segment: number): AsyncGenerator<Posting> {
  const base = postingKey(segment, 0);
  const end = postingKey(segment + 1, 0);
  for (let from = base; ; ) {
    // A key has more bits than a number.
    const rows = await reads.all<Posting>(
      `select key - ? as gram, docs from search_posting where key >= ? and key < ? order by key limit ${ROWS_AT_ONCE}`,
      [base, from, end],
    );
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    from = postingKey(segment, Number(rows.at(-1)?.gram) + 1);
  }
}

async function checkFilters(
  reads: Reads,
  { id, size }: Segment,
  entries: readonly IndexedEntry[],
  live: LiveDocs,
  report: Report,
): Promise<void> {
  const table = 'search_filter';
  const expected = new Map(buildFilters(entries, size));
  const rows = await reads.all<{ filter: string; docs: Uint8Array }>(
    'select filter, docs from search_filter where segment = ?',
    [id],
  );
  for (const { filter, docs } of rows) {
    const built = expected.get(filter);
    expected.delete(filter);
    try {
      const kept = filter === PUBLISHED_FILTER && !isEmptySet(docs) ? docs : live.sets(docs);
      if (built === undefined && kept === undefined) continue;
      if (built === undefined) report('extra', table, `filter ${filter}`);
      else if (kept === undefined || !isEqual(kept, built)) report('differs', table, `filter ${filter}`);
    } catch (error) {
      report('unreadable', table, `filter ${filter}`, describeDamage(error));
    }
  }
  for (const filter of expected.keys()) report('missing', table, `filter ${filter}`);
}

async function checkSorts(
  reads: Reads,
  { id }: Segment,
  entries: readonly IndexedEntry[],
  live: LiveDocs,
  report: Report,
): Promise<void> {
  const table = 'search_sort';
  const expected = new Map(buildSorts(entries).map((row) => [row.sort, row]));
  const rows = await reads.all<SortRow>('select sort, docs, keys, buildings from search_sort where segment = ?', [id]);
  for (const row of rows) {
    const built = expected.get(row.sort);
    expected.delete(row.sort);
    if (built === undefined) report('extra', table, `order ${row.sort}`);
    else if (!isSameOrder(row, built, live)) report('differs', table, `order ${row.sort}`);
  }
  for (const sort of expected.keys()) report('missing', table, `order ${sort}`);
}

/** Whether two orders are the same, without replaced entries in the first. */
function isSameOrder(stored: SortRow, built: SortRow, live: LiveDocs): boolean {
  const count = stored.docs.length / SHORT;
  const hasKeys = stored.keys.length > 0;
  if (!Number.isInteger(count) || stored.buildings.length !== count * LONG) return false;
  if (hasKeys && stored.keys.length !== count * LONG) return false;
  const docs = Buffer.from(stored.docs.buffer, stored.docs.byteOffset, stored.docs.byteLength);
  const kept = Array.from({ length: count }, (_, i) => i).filter((i) => live.has(docs.readUInt16LE(i * SHORT)));
  const pick = (bytes: Uint8Array, width: number) =>
    Buffer.concat(kept.map((i) => bytes.subarray(i * width, (i + 1) * width)));
  return (
    isEqual(pick(stored.docs, SHORT), built.docs) &&
    isEqual(hasKeys ? pick(stored.keys, LONG) : stored.keys, built.keys) &&
    isEqual(pick(stored.buildings, LONG), built.buildings)
  );
}

const [SHORT, LONG] = [2, 8];

async function checkSites(
  reads: Reads,
  { id, size }: Segment,
  entries: readonly IndexedEntry[],
  live: LiveDocs,
  report: Report,
): Promise<void> {
  const rows = await reads.all<{ sites: Uint8Array }>('select sites from search_site where segment = ?', [id]);
  const [row] = rows;
  if (row === undefined) return report('missing', 'search_site', '');
  try {
    const gone = live.dead().map((offset) => ({ offset, site: null }));
    const kept = gone.length === 0 ? row.sites : replaceSites(row.sites, size, gone);
    if (!isEqual(kept, buildSites(entries))) report('differs', 'search_site', '');
  } catch (error) {
    report('unreadable', 'search_site', '', describeDamage(error));
  }
}

/** VRF-05: segments that overlap, entries between them, and parts of segments that do not exist. */
export async function checkIndex(reads: Reads, segments: readonly Segment[]): Promise<Difference[]> {
  const found: Difference[] = [];
  const report = (kind: Difference['kind'], table: string, row: string, detail: string | null = null) =>
    found.push({ kind, table, row, detail, remedy: { by: 'indexing' } });
  let end = 1;
  for (const segment of segments) {
    const row = `segment ${segment.id}`;
    if (segment.first < end) report('differs', 'search_segment', row, 'it overlaps the one before it');
    const [left] = await reads.all('select pos from search_entry where pos >= ? and pos < ? limit 1', [
      end,
      segment.first,
    ]);
    if (left !== undefined) report('differs', 'search_segment', row, 'entries before it are in no segment');
    end = Math.max(end, segmentEnd(segment));
  }
  const known = new Set(segments.map(({ id }) => id));
  for (const table of ['search_filter', 'search_sort', 'search_site'] as const) {
    const rows = await reads.all<{ segment: number }>(`select distinct segment from ${table} order by segment`, []);
    for (const { segment } of rows) if (!known.has(segment)) report('extra', table, `segment ${segment}`);
  }
  let next = 0n;
  for (const id of [...known].sort((a, b) => a - b)) {
    if (await hasPosting(reads, next, postingKey(id, 0))) report('extra', 'search_posting', `before segment ${id}`);
    next = postingKey(id + 1, 0);
  }
  if (await hasPosting(reads, next, MAX_KEY)) report('extra', 'search_posting', 'after the last segment');
  return found;
}

const MAX_KEY = 2n ** 63n - 1n;

async function hasPosting(reads: Reads, from: bigint, to: bigint): Promise<boolean> {
  const rows = await reads.all('select 1 as one from search_posting where key >= ? and key < ? limit 1', [from, to]);
  return rows.length > 0;
}

/**
 * VRF-05: the order of results: buildings in the order in which they were recorded, and of those that were recorded
 * together the lowest ID last.
 */
export async function checkOrder(reads: Reads): Promise<Difference[]> {
  for (let [after, before] = [0, { recorded_at: '', building: Number.POSITIVE_INFINITY }]; ; ) {
    const rows = await reads.all<{ pos: number; building: number; recorded_at: string | null }>(
      `select e.pos, e.building, b.recorded_at from search_entry e join building b on b.id = e.building
        where e.pos > ? order by e.pos limit ${ROWS_AT_ONCE}`,
      [after],
    );
    for (const { pos, building, recorded_at } of rows) {
      const at = recorded_at ?? '';
      const isAfter = at > before.recorded_at || (at === before.recorded_at && building < before.building);
      if (!isAfter) {
        return [
          {
            kind: 'differs',
            table: 'search_entry',
            row: `position ${pos}`,
            detail: 'order',
            remedy: { by: 'indexing' },
          },
        ];
      }
      before = { recorded_at: at, building };
      after = pos;
    }
    if (rows.length < ROWS_AT_ONCE) return [];
  }
}
