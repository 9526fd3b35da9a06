import type { Reads } from '../../../storage/storage.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import { type Bitmap, countDocs, exclude, hasBit, hasDoc, toBits, toList } from '../format/bitmaps.ts';
import { listedName, readTexts, type SearchEntry } from '../format/entry.ts';
import { compareNames, ID_ORDER, type Segment, type Sort, type SortedMeasure } from '../format/segments.ts';
import type { SegmentCache, SegmentOrder, SegmentOrders } from './index-reads.ts';

/** The matches in one segment. */
export interface SegmentMatches {
  segment: Segment;
  docs: Bitmap;
}

/** Matches among the unindexed entries and in segments. */
export interface Matches<Fresh = SearchEntry> {
  fresh: readonly Fresh[];
  parts: readonly SegmentMatches[];
}

interface Head<K> {
  key: K;
  building: AssetKey;
}

/** Entries of one segment, in order. */
type Run<K> = AsyncIterator<Head<K>> | Iterator<Head<K>>;
type Compare<K> = (a: K, b: K) => number;

/** The first `count` matches, by the requested sort and then by ID; those without a value come last. */
export async function takeInOrder(
  reads: Reads,
  cache: SegmentCache,
  matches: Matches,
  sort: Sort,
  count: number,
): Promise<AssetKey[]> {
  // Every entry of an order is looked up, which is faster in a bitmap than in a list.
  const parts = matches.parts.map(({ segment, docs }) => ({ segment, docs: toBits(docs, segment.size) }));
  const wanted: Matches = { fresh: matches.fresh, parts };
  const orders = await cache.orders(reads, segmentsOf(wanted), sort);
  const first =
    sort === 'name' ? await takeByName(reads, wanted, orders, count) : await takeByMeasure(wanted, orders, sort, count);
  if (first.length >= count) return first;
  const rest = {
    fresh: wanted.fresh.filter((entry) => (sort === 'name' ? listedName(entry.text) === '' : entry[sort] === null)),
    parts: wanted.parts.map(({ segment, docs }) => {
      return { segment, docs: exclude(docs, toBits(orderOf(orders, segment).docs, segment.size)) };
    }),
  };
  return [...first, ...(await takeById(reads, cache, rest, count - first.length))];
}

const segmentsOf = ({ parts }: Matches) => parts.map(({ segment }) => segment);
const orderOf = (orders: SegmentOrders, { id }: Segment) => orders.get(id) as SegmentOrder;

function takeByMeasure(
  { fresh, parts }: Matches,
  orders: SegmentOrders,
  sort: SortedMeasure,
  count: number,
): Promise<AssetKey[]> {
  const known = fresh.filter((entry) => entry[sort] !== null);
  const heads = known.map((entry): Head<number> => ({ key: entry[sort] as number, building: entry.building }));
  const largestFirst: Compare<number> = (a, b) => b - a;
  const runs = parts.map((part) => runOf(part, orders, ({ keys }, i) => keys[i] as number));
  return merge([sortHeads(heads, largestFirst), ...runs], largestFirst, count);
}

async function takeById(reads: Reads, cache: SegmentCache, wanted: Matches, count: number): Promise<AssetKey[]> {
  const { fresh, parts } = wanted;
  const orders = await cache.orders(reads, segmentsOf(wanted), ID_ORDER);
  const heads = fresh.map(({ building }): Head<number> => ({ key: 0, building }));
  const alike: Compare<number> = () => 0;
  return merge([sortHeads(heads, alike), ...parts.map((part) => runOf(part, orders, () => 0))], alike, count);
}

/** OGC-08: the first `count` matches after a building, by ID. Looks only at buildings after it. */
export async function takeAfter(
  reads: Reads,
  cache: SegmentCache,
  { fresh, parts }: Matches<Pick<SearchEntry, 'building'>>,
  after: AssetKey,
  count: number,
): Promise<AssetKey[]> {
  const orders = await cache.orders(
    reads,
    parts.map(({ segment }) => segment),
    ID_ORDER,
  );
  const heads = fresh.filter(({ building }) => building > after).map(({ building }) => ({ key: 0, building }));
  const alike: Compare<number> = () => 0;
  const runs = parts.map((part) => runAfter(part, orderOf(orders, part.segment), after));
  return merge([sortHeads(heads, alike), ...runs], alike, count);
}

/** Up to so many matches in a segment are sorted; of more, the order of the segment is walked. */
const FEW_IN_SEGMENT = 1_024;

function* runAfter({ segment, docs }: SegmentMatches, order: SegmentOrder, after: AssetKey): Generator<Head<number>> {
  const { buildingOf } = order;
  const matches = countDocs(docs);
  if (matches <= FEW_IN_SEGMENT) {
    const buildings = Float64Array.from(toList(docs, matches), (doc) => buildingOf[doc] as number);
    for (const building of buildings.filter((each) => each > after).sort()) yield { key: 0, building };
    return;
  }
  const wanted = toBits(docs, segment.size);
  let [low, high] = [0, order.docs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((buildingOf[order.docs[middle] as number] as number) <= after) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < order.docs.length; i++) {
    const doc = order.docs[i] as number;
    if (hasBit(wanted, doc)) yield { key: 0, building: buildingOf[doc] as number };
  }
}

function takeByName(
  reads: Reads,
  { fresh, parts }: Matches,
  orders: SegmentOrders,
  count: number,
): Promise<AssetKey[]> {
  const heads = fresh
    .map(({ text, building }): Head<string> => ({ key: listedName(text), building }))
    .filter(({ key }) => key !== '');
  const runs = parts.map((part) => namesOf(reads, part, orderOf(orders, part.segment)));
  return merge([sortHeads(heads, compareNames), ...runs], compareNames, count);
}

function sortHeads<K>(heads: Head<K>[], compare: Compare<K>): Run<K> {
  return heads.sort((a, b) => compare(a.key, b.key) || a.building - b.building).values();
}

function* runOf(
  { segment, docs }: SegmentMatches,
  orders: SegmentOrders,
  keyOf: (order: SegmentOrder, i: number) => number,
): Generator<Head<number>> {
  const order = orderOf(orders, segment);
  for (let i = 0; i < order.docs.length; i++) {
    const doc = order.docs[i] as number;
    if (hasDoc(docs, doc)) yield { key: keyOf(order, i), building: order.buildingOf[doc] as number };
  }
}

/** Names are not stored with their order. They are read as needed, few at first. */
const NAMES_AT_FIRST = 2;
const NAMES_AT_ONCE = 64;

async function* namesOf(
  reads: Reads,
  { segment, docs }: SegmentMatches,
  order: SegmentOrder,
): AsyncGenerator<Head<string>> {
  let most = NAMES_AT_FIRST;
  for (let at = 0; at < order.docs.length; most = Math.min(most * 2, NAMES_AT_ONCE)) {
    const some: number[] = [];
    for (; at < order.docs.length && some.length < most; at++) {
      if (hasDoc(docs, order.docs[at] as number)) some.push(segment.first + (order.docs[at] as number));
    }
    const rows = await readTexts(reads, some);
    const byPosition = new Map(rows.map((row) => [row.pos, row]));
    for (const pos of some) {
      const row = byPosition.get(pos);
      if (row === undefined) throw new Error('a published entry is not there');
      yield { key: listedName(row.text), building: row.building };
    }
  }
}

/** Merges sorted runs and returns the first `count`. */
async function merge<K>(runs: readonly Run<K>[], compare: Compare<K>, count: number): Promise<AssetKey[]> {
  const heads: { run: Run<K>; head: Head<K> }[] = [];
  for (const run of runs) {
    const { value, done } = await run.next();
    if (!done) heads.push({ run, head: value });
  }
  const taken: AssetKey[] = [];
  while (taken.length < count && heads.length > 0) {
    let best = 0;
    for (let i = 1; i < heads.length; i++) {
      const [a, b] = [(heads[i] as (typeof heads)[0]).head, (heads[best] as (typeof heads)[0]).head];
      const order = compare(a.key, b.key) || a.building - b.building;
      if (order < 0) best = i;
    }
    const first = heads[best] as (typeof heads)[0];
    taken.push(first.head.building);
    const { value, done } = await first.run.next();
    if (done) heads.splice(best, 1);
    else first.head = value;
  }
  return taken;
}
