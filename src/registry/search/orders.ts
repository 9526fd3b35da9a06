import type { Reads } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import { type Docs, hasDoc, toBits, without } from './docs.ts';
import { listedName, readTexts, type SearchEntry } from './entry.ts';
import type { Segment } from './segments.ts';
import {
  BY_ID,
  compareNames,
  type Measure,
  NOTHING_SORTED,
  readSort,
  type Sort,
  type SortedDocs,
  type SortRow,
} from './sorts.ts';

/** What is wanted of one segment. */
export interface Part {
  segment: Segment;
  docs: Docs;
}

/** What is wanted: entries that no segment has, and parts of those that are. */
export interface Wanted {
  fresh: readonly SearchEntry[];
  parts: readonly Part[];
}

interface Head<K> {
  key: K;
  building: AssetKey;
}

/** Entries of one place in an order, one after the other. */
type Run<K> = AsyncIterator<Head<K>> | Iterator<Head<K>>;
type Compare<K> = (a: K, b: K) => number;

/** The first so many: by what is asked for, then by ID; those of which it is not known last. */
export async function takeInOrder(reads: Reads, wanted: Wanted, sort: Sort, count: number): Promise<AssetKey[]> {
  const orders = await readOrders(reads, sort);
  const first =
    sort === 'name' ? await takeByName(reads, wanted, orders, count) : await takeByMeasure(wanted, orders, sort, count);
  if (first.length >= count) return first;
  const rest = {
    fresh: wanted.fresh.filter((entry) => (sort === 'name' ? listedName(entry.text) === '' : entry[sort] === null)),
    parts: wanted.parts.map(({ segment, docs }) => {
      const known = orders.get(segment.id)?.docs ?? NOTHING_SORTED.docs;
      return { segment, docs: without(docs, toBits(known, segment.size)) };
    }),
  };
  return [...first, ...(await takeById(reads, rest, count - first.length))];
}

/** By the segment that each is of. */
export async function readOrders(reads: Reads, sort: string): Promise<Map<number, SortedDocs>> {
  const rows = await reads.all<SortRow & { segment: number }>(
    'select segment, docs, keys, buildings from search_sort where sort = ?',
    [sort],
  );
  return new Map(rows.map((row) => [row.segment, readSort(row)]));
}

type Orders = ReadonlyMap<number, SortedDocs>;

function takeByMeasure({ fresh, parts }: Wanted, orders: Orders, sort: Measure, count: number): Promise<AssetKey[]> {
  const known = fresh.filter((entry) => entry[sort] !== null);
  const heads = known.map((entry): Head<number> => ({ key: entry[sort] as number, building: entry.building }));
  const largestFirst: Compare<number> = (a, b) => b - a;
  const runs = parts.map((part) => runOf(part, orders, ({ keys }, i) => keys[i] as number));
  return merge([sortHeads(heads, largestFirst), ...runs], largestFirst, count);
}

async function takeById(reads: Reads, { fresh, parts }: Wanted, count: number): Promise<AssetKey[]> {
  const orders = await readOrders(reads, BY_ID);
  const heads = fresh.map(({ building }): Head<number> => ({ key: 0, building }));
  const alike: Compare<number> = () => 0;
  return merge([sortHeads(heads, alike), ...parts.map((part) => runOf(part, orders, () => 0))], alike, count);
}

function takeByName(reads: Reads, { fresh, parts }: Wanted, orders: Orders, count: number): Promise<AssetKey[]> {
  const heads = fresh
    .map(({ text, building }): Head<string> => ({ key: listedName(text), building }))
    .filter(({ key }) => key !== '');
  const runs = parts.map((part) => namesOf(reads, part, orders.get(part.segment.id) ?? NOTHING_SORTED));
  return merge([sortHeads(heads, compareNames), ...runs], compareNames, count);
}

function sortHeads<K>(heads: Head<K>[], compare: Compare<K>): Run<K> {
  return heads.sort((a, b) => compare(a.key, b.key) || a.building - b.building).values();
}

function* runOf(
  { segment, docs }: Part,
  orders: Orders,
  keyOf: (order: SortedDocs, i: number) => number,
): Generator<Head<number>> {
  const order = orders.get(segment.id) ?? NOTHING_SORTED;
  for (let i = 0; i < order.docs.length; i++) {
    if (hasDoc(docs, order.docs[i] as number)) yield { key: keyOf(order, i), building: order.buildings[i] as number };
  }
}

/** Names are not kept with their order: they are read as far as they are needed. */
const NAMES_AT_ONCE = 32;

async function* namesOf(reads: Reads, { segment, docs }: Part, order: SortedDocs): AsyncGenerator<Head<string>> {
  for (let at = 0; at < order.docs.length; ) {
    const some: number[] = [];
    for (; at < order.docs.length && some.length < NAMES_AT_ONCE; at++) {
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

/** The first of several runs that are each in order. */
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
