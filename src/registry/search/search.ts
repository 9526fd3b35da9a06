import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { LAST_PAGE, PAGE_SIZE, type SearchQuery, TOTAL_CAP } from '../../vocabulary/api-shapes.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import { CATEGORIES, readAskedUse } from '../../vocabulary/categories.ts';
import { type FinishedResponse, finishPage, type PageRow, tagOf } from '../records.ts';
import { wordKey } from './entry.ts';
import { type EntryQuery, type FoundEntries, findEntries } from './find.ts';
import { readTerms } from './grams.ts';

/**
 * One page of the buildings that match, as the finished envelope.
 * SEA-01, SEA-02, SEA-03, SEA-04, SEA-05, SEA-06, SEA-07, SEA-08, SEA-09, SEA-10, SEA-11.
 */
export async function searchPage(reads: Reads, query: SearchQuery): Promise<FinishedResponse> {
  // As a bigint it is written with all its digits, whatever its size.
  const page = BigInt(query.page ?? 1);
  const question = await readQuestion(reads, query);
  const counted = question !== undefined && question.terms.length > 0;
  const found = question === undefined ? NOTHING : await findPage(reads, question, page, counted);
  const totalCapped = counted && found.total > TOTAL_CAP;
  const parts: Uint8Array[] = [Buffer.from('{"items":[')];
  for (const [i, record] of (await readRecords(reads, found.buildings)).entries()) {
    if (i > 0) parts.push(COMMA);
    parts.push(record.body);
  }
  const total = totalCapped ? TOTAL_CAP : found.total;
  parts.push(Buffer.from(`],"page":${page},"total":${total},"totalCapped":${totalCapped}}`));
  const body = Buffer.concat(parts);
  return { etag: `"${tagOf(body)}"`, body };
}

const COMMA = Buffer.from(',');
const NOTHING: FoundEntries = { total: 0, buildings: [] };

function findPage(reads: Reads, question: EntryQuery, page: bigint, counted: boolean): Promise<FoundEntries> {
  return findEntries(reads, question, {
    offset: page > LAST_PAGE ? 0 : (Number(page) - 1) * PAGE_SIZE,
    limit: page > LAST_PAGE ? 0 : PAGE_SIZE,
    cap: counted ? TOTAL_CAP : Number.MAX_SAFE_INTEGER,
  });
}

/** Undefined where a filter names what does not exist: nothing can match. */
async function readQuestion(reads: Reads, query: SearchQuery): Promise<EntryQuery | undefined> {
  const areas = await areasBySlug(reads, query);
  if (areas !== undefined && areas.codes.length === 0) return undefined;
  const question: EntryQuery = { terms: readTerms(query.q ?? ''), areas, use: undefined };
  if (!query.type) return question;
  const asked = readAskedUse(query.type);
  if ('category' in asked) return { ...question, use: CATEGORIES.indexOf(asked.category) };
  return { ...question, word: wordKey(asked.word) };
}

interface AreaRow {
  code: string;
  parent: string | null;
  grandparent: string | null;
}

/** The areas of the lowest level that is asked for, inside those of the levels above it that are. */
export async function areasBySlug(
  reads: Reads,
  query: Readonly<Partial<Record<'prefecture' | 'ward' | 'machiAza', string | undefined>>>,
): Promise<EntryQuery['areas']> {
  const named = async (slug: string, level: string): Promise<AreaRow[]> => {
    // A text in PostgreSQL has no NUL, and no slug has one.
    if (slug.includes('\0')) return [];
    return reads.all<AreaRow>(
      `select s.code, a.parent, p.parent as grandparent from area_slug s
        join area a on a.code = s.code left join area p on p.code = a.parent where s.slug = ? and a.level = ?`,
      [slug, level],
    );
  };
  let areas: EntryQuery['areas'];
  let prefectures: string[] | undefined;
  if (query.prefecture) {
    prefectures = (await named(query.prefecture, 'prefecture')).map(({ code }) => code);
    areas = { level: 'prefecture', codes: prefectures };
  }
  let wards: string[] | undefined;
  if (query.ward) {
    const rows = await named(query.ward, 'ward');
    wards = rows.filter(({ parent }) => prefectures?.includes(parent ?? '') ?? true).map(({ code }) => code);
    areas = { level: 'ward', codes: wards };
  }
  if (query.machiAza) {
    const rows = (await named(query.machiAza, 'machiAza')).filter(
      ({ parent, grandparent }) => wards?.includes(parent ?? '') ?? prefectures?.includes(grandparent ?? '') ?? true,
    );
    areas = { level: 'area', codes: rows.map(({ code }) => code) };
  }
  return areas;
}

/** Whole records in the order of their buildings. */
export async function readRecords(reads: Reads, buildings: readonly AssetKey[]): Promise<FinishedResponse[]> {
  if (buildings.length === 0) return [];
  const rows = await reads.all<PageRow & { building: AssetKey }>(
    `select p.building, p.etag, p.body, n.etag as "tailEtag", n.body as tail
      from page p left join nearby n on n.building = p.building where ${isAmong(reads, 'p.building')}`,
    [listParameter(reads, buildings)],
  );
  const byBuilding = new Map(rows.map((row) => [row.building, finishPage(row)]));
  return buildings.map((building) => {
    const record = byBuilding.get(building);
    if (record === undefined) throw new Error('a published entry has no page');
    return record;
  });
}
