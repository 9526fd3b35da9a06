import type { OwnerSummary } from '../../../registry/owner-summary.ts';
import type { Text } from '../catalogue/catalogue.ts';

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
