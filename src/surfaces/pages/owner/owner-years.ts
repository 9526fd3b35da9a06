import type { OwnerSummary } from '../../../registry/owner-summary.ts';
import type { Text } from '../catalogue/catalogue.ts';

/** The years of completed buildings, and how many are planned: in all, and among those with a floor area. */
export function yearsOf({ byYear }: Pick<OwnerSummary, 'byYear'>, thisYear: number) {
  const built = byYear.filter(({ year }) => year <= thisYear);
  const planned = byYear.filter(({ year }) => year > thisYear);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    first: built[0]?.year,
    last: built.at(-1)?.year,
    known: sum(built.map(({ count }) => count)),
    planned: sum(planned.map(({ count }) => count)),
    plannedWithArea: sum(planned.map(({ withFloorArea }) => withFloorArea)),
  };
}

/** A sum of estimates is worth few digits. */
const TOTAL_DIGITS = 3;
export const roundedTotal = ({ totalM2 }: OwnerSummary['floorArea']): number =>
  Number(totalM2.toPrecision(TOTAL_DIGITS));

/** Buildings by decade, oldest first; years still to come are planned (UI-20). */
export function decadesOf(
  t: Text,
  byYear: OwnerSummary['byYear'],
  thisYear: number,
): { label: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { year, count } of byYear) {
    const label = year > thisYear ? t.owner.planned : t.owner.decade(Math.floor(year / 10) * 10);
    counts.set(label, (counts.get(label) ?? 0) + count);
  }
  return [...counts].map(([label, count]) => ({ label, count }));
}
