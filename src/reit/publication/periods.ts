import type { Period } from './bundle.ts';
import { compareText } from './canonical-json.ts';
import type { AgreementField, Document } from './document.ts';

/** The oldest first, by the day on which they end; ordinals are the issuer's and may contradict the calendar. */
export function periodsInOrder(periods: readonly Period[]): Period[] {
  return periods.toSorted(
    (a, b) =>
      compareText(a.endDate, b.endDate) ||
      a.ordinal - b.ordinal ||
      compareText(a.startDate, b.startDate) ||
      compareText(a.id, b.id),
  );
}

interface PeriodFigures {
  period: Period;
  /** Whatever a source states, in the order of the document. */
  fields: AgreementField[];
}

/** The periods in which anything is stated of a holding, the oldest first: on every surface the last is the latest. */
export function periodsWithFigures(document: Document, holdingId: string): PeriodFigures[] {
  const groups = document.agreement?.groups.filter((group) => group.holdingId === holdingId) ?? [];
  const fieldsOf = new Map(groups.map(({ periodId, fields }) => [periodId, fields]));
  return periodsInOrder(document.periods)
    .map((period) => ({
      period,
      fields: fieldsOf.get(period.id)?.filter(({ status }) => status !== 'missing') ?? [],
    }))
    .filter(({ fields }) => fields.length > 0);
}

export function latestPeriod(document: Document, holdingId: string): Period | undefined {
  return periodsWithFigures(document, holdingId).at(-1)?.period;
}
