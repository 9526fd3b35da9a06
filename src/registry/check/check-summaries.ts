import { type Db, isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import type { Difference } from '../../vocabulary/difference.ts';
import { type AreaSummaryRow, summariseMachiAza, summariseParent } from '../area-summaries.ts';

/** The codes of all prefectures; `null` stands for summaries that belong to none. */
export async function listPrefectures(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('area').select('code').where('level', '=', 'prefecture').orderBy('code').execute();
  return rows.map(({ code }) => code);
}

/** VRF-06: how the summaries of a prefecture and of the areas inside differ from what their entries give. */
export async function checkSummaries(reads: Reads, prefecture: string): Promise<Difference[]> {
  const found: Difference[] = [];
  const wards: AreaSummaryRow[] = [];
  for (const ward of await childrenOf(reads, prefecture)) {
    const machiAza = await childrenOf(reads, ward);
    const summaries = await summariseMachiAza(reads, machiAza);
    found.push(...(await compareSummaries(reads, machiAza, summaries)));
    const own = summaries.length === 0 ? [] : [summariseParent(ward, summaries)];
    found.push(...(await compareSummaries(reads, [ward], own)));
    wards.push(...own);
  }
  const own = wards.length === 0 ? [] : [summariseParent(prefecture, wards)];
  found.push(...(await compareSummaries(reads, [prefecture], own)));
  return found;
}

async function childrenOf(reads: Reads, parent: string): Promise<string[]> {
  const rows = await reads.all<{ code: string }>('select code from area where parent = ? order by code', [parent]);
  return rows.map(({ code }) => code);
}

const COLUMNS = ['building_count', 'latest_recorded_at', 'coverage'] as const;

async function compareSummaries(
  reads: Reads,
  areas: readonly string[],
  expected: readonly AreaSummaryRow[],
): Promise<Difference[]> {
  const stored = await reads.all<AreaSummaryRow>(`select * from area_summary where ${isAmong(reads, 'area')}`, [
    listParameter(reads, areas),
  ]);
  const found: Difference[] = [];
  const add = (kind: Difference['kind'], row: string, detail: string | null = null) =>
    found.push({ kind, table: 'area_summary', row, detail, remedy: { by: 'summarising' } });
  const left = new Map(expected.map((row) => [row.area, row]));
  for (const row of stored) {
    const summary = left.get(row.area);
    left.delete(row.area);
    if (summary === undefined) {
      add('extra', row.area);
      continue;
    }
    const wrong = COLUMNS.filter((column) => row[column] !== summary[column]);
    if (wrong.length > 0) add('differs', row.area, wrong.join(', '));
  }
  for (const area of left.keys()) add('missing', area);
  return found;
}
