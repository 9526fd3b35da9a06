import { isAmong, listParameter, type Reads, type Tx } from '../storage/storage.ts';
import type { AreaLevel } from '../storage/tables.ts';
import type { AreaSummary, CountrySummary } from '../vocabulary/api-shapes.ts';
import { FIELD_NAMES, type Field } from '../vocabulary/fields.ts';
import { type FinishedResponse, tagOf } from './records.ts';
import { countFields } from './search/format/entry.ts';
import { positionsIn } from './search/read/search.ts';

type Coverage = Record<Field, number>;

export interface AreaSummaryRow {
  area: string;
  building_count: number;
  latest_recorded_at: string;
  coverage: string;
}

/** Updates the summaries of some stale machi-aza and of the areas around them. Returns false if none is left. */
export async function refreshAreaSummaries(tx: Tx, limit: number): Promise<boolean> {
  const stale = await tx.db.selectFrom('stale_area').select('area').orderBy('area').limit(limit).execute();
  if (stale.length === 0) return false;
  const codes = stale.map(({ area }) => area);
  await store(tx, codes, await summariseMachiAza(tx, codes));
  for (let children = codes; children.length > 0; ) {
    const parents = await parentsOf(tx, children);
    await store(tx, parents, await summariseParents(tx, parents));
    children = parents;
  }
  await tx.db.deleteFrom('stale_area').where('area', 'in', codes).execute();
  return true;
}

async function parentsOf(tx: Tx, codes: readonly string[]): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('area')
    .select('parent')
    .distinct()
    .where('code', 'in', codes)
    .where('parent', 'is not', null)
    .execute();
  return rows.map(({ parent }) => parent as string);
}

interface SummarisedEntry {
  pos: number;
  area: string;
  fields: number;
}

/** The summaries of the machi-aza that have published buildings, from their entries. */
export async function summariseMachiAza(reads: Reads, areas: readonly string[]): Promise<AreaSummaryRow[]> {
  const positions = await positionsIn(reads, areas);
  const entries = await reads.all<SummarisedEntry>(
    `select pos, area, fields from search_entry where ${isAmong(reads, 'pos')} order by pos desc`,
    [listParameter(reads, positions)],
  );
  const byArea = Map.groupBy(entries, ({ area }) => area);
  const latest = [...byArea.values()].map(([first]) => (first as SummarisedEntry).pos);
  const recorded = await reads.all<{ area: string; recorded_at: string }>(
    `select e.area, b.recorded_at from search_entry e join building b on b.id = e.building where ${isAmong(reads, 'e.pos')}`,
    [listParameter(reads, latest)],
  );
  return recorded.map(({ area, recorded_at }) => {
    const fields = (byArea.get(area) ?? []).map((entry) => entry.fields);
    const coverage = JSON.stringify(countFields(fields));
    return { area, building_count: fields.length, latest_recorded_at: recorded_at, coverage };
  });
}

async function summariseParents(tx: Tx, areas: readonly string[]): Promise<AreaSummaryRow[]> {
  const children = await tx.db
    .selectFrom('area_summary as s')
    .innerJoin('area as a', 'a.code', 's.area')
    .select(['s.area', 's.building_count', 's.latest_recorded_at', 's.coverage', 'a.parent'])
    .where('a.parent', 'in', areas)
    .execute();
  return [...Map.groupBy(children, ({ parent }) => parent as string)].map(([area, summaries]) =>
    summariseParent(area, summaries),
  );
}

/** The summary of an area from those of the areas inside. */
export function summariseParent(area: string, summaries: readonly Omit<AreaSummaryRow, 'area'>[]): AreaSummaryRow {
  const { buildingCount, latestRecordedAt, coverage } = sumSummaries(summaries);
  const counts = JSON.stringify(coverage);
  return { area, building_count: buildingCount, latest_recorded_at: latestRecordedAt as string, coverage: counts };
}

/** The sum of several summaries. */
function sumSummaries(summaries: readonly Omit<AreaSummaryRow, 'area'>[]): {
  buildingCount: number;
  latestRecordedAt: string | null;
  coverage: Coverage;
} {
  const coverage = Object.fromEntries(FIELD_NAMES.map((field) => [field, 0])) as Coverage;
  for (const summary of summaries) {
    const counts = JSON.parse(summary.coverage) as Coverage;
    for (const field of FIELD_NAMES) coverage[field] += counts[field] ?? 0;
  }
  const moments = summaries.map((summary) => summary.latest_recorded_at).sort();
  return {
    buildingCount: summaries.reduce((sum, summary) => sum + summary.building_count, 0),
    latestRecordedAt: moments.at(-1) ?? null,
    coverage,
  };
}

/** Marks every area that has a summary or should have one, so that all are counted again. */
export async function markAllAreasStale(tx: Tx): Promise<void> {
  const counted = await tx.db.selectFrom('area_summary').select('area').execute();
  const published = await tx.db
    .selectFrom('search_entry')
    .select('area')
    .distinct()
    .where('area', 'is not', null)
    .execute();
  const codes = [...new Set([...counted, ...published].map(({ area }) => area as string))];
  await tx.insertNew(
    'stale_area',
    ['area'],
    codes.map((code) => [code]),
  );
}

/** An area without a summary has nothing published. */
async function store(tx: Tx, areas: readonly string[], summaries: readonly AreaSummaryRow[]): Promise<void> {
  await tx.upsert(
    'area_summary',
    ['area', 'building_count', 'latest_recorded_at', 'coverage'],
    summaries.map((s) => [s.area, s.building_count, s.latest_recorded_at, s.coverage]),
  );
  const summarised = new Set(summaries.map(({ area }) => area));
  const empty = areas.filter((area) => !summarised.has(area));
  if (empty.length > 0) await tx.db.deleteFrom('area_summary').where('area', 'in', empty).execute();
}

interface AreaRow {
  code: string;
  level: AreaLevel;
  slug: string;
  nameJa: string;
  nameEn: string | null;
}

const AREA = 'a.code, a.level, a.slug, a.name_ja as "nameJa", a.name_en as "nameEn"';

/**
 * ARE-01: the summary of the area at these slugs, from the prefecture down; undefined if nothing is published there.
 */
export async function readAreaSummary(reads: Reads, slugs: readonly string[]): Promise<FinishedResponse | undefined> {
  // PostgreSQL rejects NUL in text, and no slug contains one.
  if (slugs.some((slug) => slug.includes('\0'))) return undefined;
  const chain: AreaRow[] = [];
  for (const slug of slugs) {
    const [area] = await reads.all<AreaRow>(
      `select ${AREA} from area_slug s join area a on a.code = s.code where s.parent = ? and s.slug = ?`,
      [chain.at(-1)?.code ?? '', slug],
    );
    if (area === undefined) return undefined;
    chain.push(area);
  }
  const area = chain.at(-1) as AreaRow;
  const [summary] = await reads.all<AreaSummaryRow>('select * from area_summary where area = ?', [area.code]);
  if (summary === undefined) return undefined;
  const path = `/japan/${chain.map(({ slug }) => slug).join('/')}`;
  const children = await reads.all<AreaRow & { buildingCount: number }>(
    `select ${AREA}, s.building_count as "buildingCount"
      from area a join area_summary s on s.area = a.code where a.parent = ? order by a.code`,
    [area.code],
  );
  const { code, level, slug, nameJa, nameEn } = area;
  const answer: AreaSummary = {
    area: { level, code, slug, nameJa, nameEn, path },
    buildingCount: summary.building_count,
    latestRecordedAt: summary.latest_recorded_at,
    children: children.map(({ slug, nameJa, nameEn, buildingCount }) => {
      return { slug, nameJa, nameEn, path: `${path}/${slug}`, buildingCount };
    }),
    coverage: JSON.parse(summary.coverage) as Coverage,
  };
  const body = Buffer.from(JSON.stringify(answer));
  return { etag: `"${tagOf(body)}"`, body };
}

interface PrefectureRow extends Omit<AreaSummaryRow, 'area'> {
  slug: string;
  nameJa: string;
  nameEn: string | null;
}

/** The summary of Japan, from those of its prefectures. */
export async function readCountry(reads: Reads): Promise<CountrySummary> {
  const rows = await reads.all<PrefectureRow>(
    `select a.slug, a.name_ja as "nameJa", a.name_en as "nameEn", s.building_count, s.latest_recorded_at, s.coverage
      from area a join area_summary s on s.area = a.code where a.parent is null order by a.code`,
    [],
  );
  const { buildingCount, latestRecordedAt, coverage } = sumSummaries(rows);
  const children = rows.map(({ slug, nameJa, nameEn, building_count }) => {
    return { slug, nameJa, nameEn, path: `/japan/${slug}`, buildingCount: building_count };
  });
  return { buildingCount, latestRecordedAt, children, coverage };
}
