import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../vocabulary/building-page.ts';
import type { AreaFinder, FoundArea } from './area-finder.ts';
import { PUBLISHED } from './build-segment.ts';
import { findCandidates } from './candidates.ts';
import { countDocs, type Docs, decodeDocs, hasDoc, intersect, NO_DOCS, unite } from './docs.ts';
import { type EntryText, readTexts, type SearchEntry, toLine } from './entry.ts';
import { BEGINNING, gramOf, gramsOf, matches, planTerms, readTerms } from './grams.ts';
import { type IndexReads, readIndex } from './index-reads.ts';
import type { Part } from './orders.ts';
import { readRecords } from './search.ts';
import { endOfAll, loadSegments, type Segment } from './segments.ts';
import { aligned, BY_ID } from './sorts.ts';

/** SUG-01 */
const MOST_ROWS = 5;
/** Of areas above the buildings, while there are buildings. */
const MOST_AREAS = 2;

/** One row of what is suggested while somebody types. */
export interface SuggestRow {
  kind: 'building' | 'area';
  label: string;
  detail: string;
  path: string;
  /** Of an area: every published building in it (SUG-03). */
  count?: number;
}

/** SUG-02: the building of this ID, then what begins with all of the query, then what has every word of it. */
export async function suggest(reads: Reads, q: string, areaFinder: AreaFinder): Promise<SuggestRow[]> {
  const full = toLine(q);
  if (full === '' || full.includes('\0')) return [];
  const buildings = await suggestBuildings(reads, full);
  const count = buildings.all.length;
  const areas = await areaFinder.find(reads, full, readTerms(full), MOST_ROWS);
  const above = areas.beginning.slice(0, count > 0 ? MOST_AREAS : MOST_ROWS);
  const below = [...areas.beginning.slice(above.length), ...areas.having];
  const exact = buildings.all.slice(0, buildings.isExact ? 1 : 0);
  const others = buildings.all.slice(exact.length);
  const rows: (AssetKey | FoundArea)[] = [...exact, ...above, ...others, ...below];
  return describe(reads, rows.slice(0, MOST_ROWS));
}

/** The first five, by rank and then by ID. */
async function suggestBuildings(reads: Reads, full: string): Promise<{ all: AssetKey[]; isExact: boolean }> {
  const exact = await findPublished(reads, parseAssetId(full.toUpperCase()));
  const segments = await loadSegments(reads);
  const terms = readTerms(full);
  const tail = await reads.all<SearchEntry>('select * from search_entry where pos >= ? and area is not null', [
    endOfAll(segments),
  ]);
  const plan = planTerms(terms);
  const index = readIndex(reads);
  const start = gramOf(full, 0, Math.min(3, full.length));
  await index.expect(segments, [PUBLISHED], [start, ...gramsOf(plan)]);
  const having: Part[] = [];
  const beginning: Part[] = [];
  for (const segment of segments) {
    const allowed = () => index.filter(segment, PUBLISHED) ?? NO_DOCS;
    const { sure, maybe } = findCandidates(index, segment, plan, allowed);
    const docs = unite(sure, maybe, segment.size);
    having.push({ segment, docs });
    beginning.push({ segment, docs: intersect(docs, docsBeginning(index, segment, start)) });
  }
  const found = exact === undefined ? [] : [exact];
  const beginsWith = ({ text }: EntryText) => text.split('\n').some((value, i) => i !== 2 && value.startsWith(full));
  const hasEvery = ({ building, text }: EntryText) => matches(terms, building, text);
  for (const [parts, accept] of [
    [beginning, beginsWith],
    [having, hasEvery],
  ] as const) {
    const left = MOST_ROWS - found.length;
    if (left === 0) break;
    found.push(...(await lowest(reads, tail, parts, (row) => !found.includes(row.building) && accept(row), left)));
  }
  return { all: found, isExact: exact !== undefined };
}

async function findPublished(reads: Reads, building: AssetKey | undefined): Promise<AssetKey | undefined> {
  if (building === undefined) return undefined;
  const sql = 'select building from search_entry where building = ? and area is not null';
  return (await reads.all<{ building: AssetKey }>(sql, [building]))[0]?.building;
}

function docsBeginning(index: IndexReads, segment: Segment, start: number): Docs {
  const posting = index.posting(segment, start);
  return (posting && decodeDocs(posting, BEGINNING)) ?? NO_DOCS;
}

const LOOKS_AT_ONCE = 8;

/** The lowest IDs among what is accepted. */
async function lowest(
  reads: Reads,
  tail: readonly EntryText[],
  parts: readonly Part[],
  accept: (row: EntryText) => boolean,
  count: number,
): Promise<AssetKey[]> {
  const found = tail.filter(accept).map(({ building }) => building);
  const some = parts.filter(({ docs }) => countDocs(docs) > 0);
  const orders = await readIdOrders(reads, some);
  for (const { segment, docs } of some) {
    const order = orders.get(segment.id) ?? new Uint16Array(0);
    let accepted = 0;
    for (let at = 0; at < order.length && accepted < count; ) {
      const positions: number[] = [];
      for (; at < order.length && positions.length < LOOKS_AT_ONCE; at++) {
        if (hasDoc(docs, order[at] as number)) positions.push(segment.first + (order[at] as number));
      }
      for (const row of await readTexts(reads, positions)) {
        if (!accept(row)) continue;
        found.push(row.building);
        accepted += 1;
      }
    }
  }
  return found.sort((a, b) => a - b).slice(0, count);
}

async function readIdOrders(reads: Reads, parts: readonly Part[]): Promise<Map<number, Uint16Array>> {
  const ids = parts.map(({ segment }) => segment.id);
  const rows = await reads.all<{ segment: number; docs: Uint8Array }>(
    `select segment, docs from search_sort where sort = '${BY_ID}' and ${isAmong(reads, 'segment')}`,
    [listParameter(reads, ids)],
  );
  return new Map(rows.map(({ segment, docs }) => [segment, new Uint16Array(aligned(docs))]));
}

async function describe(reads: Reads, rows: readonly (AssetKey | FoundArea)[]): Promise<SuggestRow[]> {
  const buildings = rows.filter((row) => typeof row === 'number');
  const records = await readRecords(reads, buildings);
  const pages = new Map(
    records.map(({ body }, i) => [buildings[i], JSON.parse(Buffer.from(body).toString()) as BuildingPage]),
  );
  return rows.map((row): SuggestRow => {
    if (typeof row !== 'number') return { kind: 'area', ...row };
    const page = pages.get(row) as BuildingPage;
    const { nameJa, nameEn, addressJa } = page.fields;
    const { prefecture, ward, machiAza } = page.location;
    const place = [prefecture, ward, machiAza].map((area) => area.nameJa).join('');
    const label = String(nameJa?.value ?? nameEn?.value ?? formatAssetId(row));
    return { kind: 'building', label, detail: String(addressJa?.value ?? place), path: page.path };
  });
}
