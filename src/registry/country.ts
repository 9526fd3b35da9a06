import type { Reads } from '../storage/storage.ts';
import type { CountrySummary } from '../vocabulary/api-shapes.ts';
import { type AreaSummaryRow, addUp } from './area-summaries.ts';

interface PrefectureRow extends Omit<AreaSummaryRow, 'area'> {
  slug: string;
  nameJa: string;
  nameEn: string | null;
}

/** All Japan, from the summaries of its prefectures. */
export async function readCountry(reads: Reads): Promise<CountrySummary> {
  const rows = await reads.all<PrefectureRow>(
    `select a.slug, a.name_ja as "nameJa", a.name_en as "nameEn", s.building_count, s.latest_recorded_at, s.coverage
      from area a join area_summary s on s.area = a.code where a.parent is null order by a.code`,
    [],
  );
  const { buildingCount, latestRecordedAt, coverage } = addUp(rows);
  const children = rows.map(({ slug, nameJa, nameEn, building_count }) => {
    return { slug, nameJa, nameEn, path: `/japan/${slug}`, buildingCount: building_count };
  });
  return { buildingCount, latestRecordedAt, children, coverage };
}
