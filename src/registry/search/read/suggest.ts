import type { Reads } from '../../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { findSurvivor, parseWholeId } from '../../identity.ts';
import { parseBody, readRecords } from '../../records.ts';
import { decodeBitmap } from '../format/bitmap-bytes.ts';
import { type Bitmap, countDocs, EMPTY_BITMAP, hasDoc, intersect, unite } from '../format/bitmaps.ts';
import { type EntryText, normaliseLine, PUBLISHED_FILTER, readTexts, type SearchEntry } from '../format/entry.ts';
import { gramOf, matchesTerms, PREFIX, plannedGrams, planTerms, readTerms } from '../format/grams.ts';
import { ID_ORDER, indexedEnd, loadSegments, type Segment } from '../format/segments.ts';
import type { AreaFinder, SuggestedArea } from './area-finder.ts';
import { type Candidates, findCandidates } from './find-candidates.ts';
import { type IndexReads, readIndex, type SegmentCache, type SegmentOrder } from './index-reads.ts';
import type { SegmentMatches } from './take-in-order.ts';

/** SUG-01 */
const MAX_ROWS = 5;
/** Areas above the buildings whose names begin with the query, if there are any. */
const MAX_AREAS = 2;

/** A suggestion. */
export interface SuggestRow {
  kind: 'building' | 'area';
  label: string;
  detail: string;
  path: string;
  /** For a building: the name or ID that matched, if it is not the label (UI-40). */
  matched?: string;
  /** For an area: its English name and those of the areas that contain it, if known (UI-40). */
  labelEn?: string;
  detailEn?: string;
  /** For an area: the published buildings in it (SUG-03). */
  count?: number;
}

/**
 * SUG-02: the building with this ID or its survivor (ID-04), then names of buildings and areas that begin with the query,
 * then values that contain every word of it.
 */
export async function suggest(
  reads: Reads,
  q: string,
  areaFinder: AreaFinder,
  cache: SegmentCache,
): Promise<SuggestRow[]> {
  const full = normaliseLine(q);
  if (full === '' || full.includes('\0')) return [];
  const buildings = await suggestBuildings(reads, full, cache, MAX_ROWS);
  const areas = await areaFinder.find(reads, full, readTerms(full), MAX_ROWS);
  const [exact, beginning, having] = buildings;
  const above = areas.beginning.slice(0, beginning.length > 0 ? MAX_AREAS : MAX_ROWS);
  const rows: (AssetKey | SuggestedArea)[] = [
    ...[...exact, ...above, ...beginning],
    ...[...areas.beginning.slice(above.length), ...having, ...areas.having],
  ];
  return describe(reads, rows.slice(0, MAX_ROWS), full);
}

/** RCN-08: the IDs of the buildings that `suggest` would offer, without areas. */
export async function suggestIds(reads: Reads, q: string, most: number, cache: SegmentCache): Promise<string[]> {
  const full = normaliseLine(q);
  if (full === '' || full.includes('\0')) return [];
  return (await suggestBuildings(reads, full, cache, most)).flat().map(formatAssetId);
}

/** The first ones, by ID within each rank: the building with this ID, names that begin with the query, the others. */
async function suggestBuildings(reads: Reads, full: string, cache: SegmentCache, most: number): Promise<Ranked> {
  const key = parseWholeId(full);
  const exact = await findPublished(reads, key === undefined ? undefined : await findSurvivor(reads, key));
  const found: Ranked = [exact === undefined ? [] : [exact], [], []];
  const question = await toSuggestQuery(reads, full, cache);
  for (const [i, rank] of [beginningWith, havingEvery].entries()) {
    const taken = found.flat();
    const left = most - taken.length;
    if (left > 0) found[i + 1] = await lowest(reads, cache, question, rank(question), new Set(taken), left);
  }
  return found;
}

type Ranked = [exact: AssetKey[], beginning: AssetKey[], having: AssetKey[]];

interface SuggestQuery {
  full: string;
  terms: readonly string[];
  segments: readonly Segment[];
  /** Unindexed entries. */
  tail: readonly SearchEntry[];
  /** For a segment: entries that contain every term, and entries that may begin with the query. */
  having: (segment: Segment) => Candidates;
  beginning: (segment: Segment) => Bitmap;
}

/** The candidates of every segment, and the check for those that the index is not sure about. */
interface Rank {
  parts: readonly (SegmentMatches & { sure: Bitmap })[];
  accept: (row: EntryText) => boolean;
}

async function toSuggestQuery(reads: Reads, full: string, cache: SegmentCache): Promise<SuggestQuery> {
  const segments = await loadSegments(reads);
  const terms = readTerms(full);
  const tail = await reads.all<SearchEntry>('select * from search_entry where pos >= ? and area is not null', [
    indexedEnd(segments),
  ]);
  const [plan, whole] = [planTerms(terms), planTerms([full])];
  const index = readIndex(reads, cache);
  const start = gramOf(full, 0, Math.min(GRAM, full.length));
  await index.prefetch(segments, [PUBLISHED_FILTER], [start, ...plannedGrams(plan), ...plannedGrams(whole)]);
  const published = (segment: Segment) => index.filter(segment, PUBLISHED_FILTER) ?? EMPTY_BITMAP;
  return {
    full,
    terms,
    segments,
    tail,
    having: (segment) => findCandidates(index, segment, plan, () => published(segment)),
    beginning(segment) {
      const docs = intersect(docsBeginning(index, segment, start), published(segment));
      if (full.length <= GRAM || countDocs(docs) === 0) return docs;
      const { sure, maybe } = findCandidates(index, segment, whole, () => docs);
      return unite(sure, maybe, segment.size);
    },
  };
}

/** If the query is a single gram, the index is certain. */
function beginningWith({ full, segments, beginning }: SuggestQuery): Rank {
  const parts = segments.map((segment) => {
    const docs = beginning(segment);
    return { segment, docs, sure: full.length <= GRAM ? docs : EMPTY_BITMAP };
  });
  return { parts, accept: ({ text }) => text.split('\n').some((value, i) => i !== 2 && value.startsWith(full)) };
}

function havingEvery({ terms, segments, having }: SuggestQuery): Rank {
  const parts = segments.map((segment) => {
    const { sure, maybe } = having(segment);
    return { segment, docs: unite(sure, maybe, segment.size), sure };
  });
  return { parts, accept: ({ building, text }) => matchesTerms(terms, building, text) };
}

async function findPublished(reads: Reads, building: AssetKey | undefined): Promise<AssetKey | undefined> {
  if (building === undefined) return undefined;
  const sql = 'select building from search_entry where building = ? and area is not null';
  return (await reads.all<{ building: AssetKey }>(sql, [building]))[0]?.building;
}

function docsBeginning(index: IndexReads, segment: Segment, start: number): Bitmap {
  const posting = index.posting(segment, start);
  return (posting && decodeBitmap(posting, PREFIX)) ?? EMPTY_BITMAP;
}

/** The length of the longest gram. */
const GRAM = 3;
const LOOKS_AT_ONCE = 8;

/** The lowest IDs of a rank, except those already taken. */
async function lowest(
  reads: Reads,
  cache: SegmentCache,
  { tail }: SuggestQuery,
  { parts, accept }: Rank,
  taken: ReadonlySet<AssetKey>,
  count: number,
): Promise<AssetKey[]> {
  let found: AssetKey[] = [];
  const add = (buildings: readonly AssetKey[]) => {
    const others = buildings.filter((building) => !taken.has(building));
    found = [...found, ...others].sort((a, b) => a - b).slice(0, count);
  };
  /** Higher IDs cannot be among the lowest. */
  const ceiling = () => (found.length === count ? (found.at(-1) as AssetKey) : Number.POSITIVE_INFINITY);
  add(tail.filter(accept).map(({ building }) => building));
  const some = parts.filter(({ docs }) => countDocs(docs) > 0);
  const orders = await cache.orders(
    reads,
    some.map(({ segment }) => segment),
    ID_ORDER,
  );
  for (const { segment, docs, sure } of some) {
    const { docs: order, buildingOf } = orders.get(segment.id) as SegmentOrder;
    const unsure: number[] = [];
    const look = async () => {
      const rows = await readTexts(reads, unsure.splice(0));
      add(rows.filter(accept).map(({ building }) => building));
    };
    for (const offset of order) {
      const building = buildingOf[offset] as AssetKey;
      if (building >= ceiling()) break;
      if (!hasDoc(docs, offset)) continue;
      if (hasDoc(sure, offset)) add([building]);
      else if (unsure.push(segment.first + offset) === LOOKS_AT_ONCE) await look();
    }
    if (unsure.length > 0) await look();
  }
  return found;
}

async function describe(
  reads: Reads,
  rows: readonly (AssetKey | SuggestedArea)[],
  full: string,
): Promise<SuggestRow[]> {
  const buildings = rows.filter((row) => typeof row === 'number');
  const records = await readRecords(reads, buildings);
  const pages = new Map(records.map(({ body }, i) => [buildings[i], parseBody<BuildingPage>(body)]));
  return rows.map((row): SuggestRow => {
    if (typeof row !== 'number') return { kind: 'area', ...row };
    const page = pages.get(row) as BuildingPage;
    const { nameJa, nameEn, addressJa } = page.fields;
    const { prefecture, ward, machiAza } = page.location;
    const place = [prefecture, ward, machiAza].map((area) => area.nameJa).join('');
    const label = String(nameJa?.value ?? nameEn?.value ?? formatAssetId(row));
    const matched = matchedName(page, full);
    return {
      ...{ kind: 'building', label, detail: String(addressJa?.value ?? place), path: page.path },
      ...(matched !== undefined && matched !== label && { matched }),
    };
  });
}

/** UI-40: the name or ID through which a building was found; undefined if its address is all that matched. */
function matchedName({ id, fields, aliases }: BuildingPage, full: string): string | undefined {
  const names = [fields.nameJa?.value, fields.nameEn?.value, ...aliases.map(({ value }) => value)]
    .filter((value) => value !== undefined)
    .map(String);
  const terms = readTerms(full);
  const hasEvery = (text: string) => terms.every((term) => normaliseLine(text).includes(term));
  const name = names.find((text) => normaliseLine(text).startsWith(full)) ?? names.find(hasEvery);
  if (name !== undefined || hasEvery(String(fields.addressJa?.value ?? ''))) return name;
  // Otherwise the query is part of its ID, or the ID of a building that it replaced.
  const key = parseWholeId(full);
  return key === undefined ? id : formatAssetId(key);
}
