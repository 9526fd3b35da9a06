import { splitFieldPath } from '../../vocabulary/reit-metrics.ts';
import type { Document } from './document.ts';
import { periodsInOrder } from './periods.ts';

/** Which figures of a publication are wanted; undefined means all. */
export interface FigureFilter {
  metrics: readonly string[] | undefined;
  /** How many of the newest periods. */
  periods: number | undefined;
}

/**
 * FIT-20: the figures of the wanted metrics and periods, with the evidence that they refer to. Everything else stays.
 */
export function restrictDocument(document: Document, { metrics, periods }: FigureFilter): Document {
  const newest = periodsInOrder(document.periods).slice(periods === undefined ? 0 : -periods);
  const ids = new Set(newest.map(({ id }) => id));
  const isWantedMetric = (metric: string) => metrics === undefined || metrics.includes(metric);
  const isWanted = (path: string) => {
    const field = splitFieldPath(path);
    return field !== undefined && ids.has(field.periodId) && isWantedMetric(field.metric);
  };
  const { agreement } = document;
  return {
    ...document,
    periods: document.periods.filter(({ id }) => ids.has(id)),
    sourceRevisions: document.sourceRevisions.map((revision) => ({
      ...revision,
      fields: Object.fromEntries(Object.entries(revision.fields).filter(([path]) => isWanted(path))),
    })),
    // A check without inputs could not be made for want of figures.
    financialChecks: document.financialChecks.filter(
      ({ inputs }) => inputs.length === 0 || inputs.some(({ path }) => isWanted(path)),
    ),
    fieldCitations: document.fieldCitations.filter(({ path }) => isWanted(path)),
    ...(agreement !== undefined && {
      agreement: {
        ...agreement,
        groups: agreement.groups
          .filter(({ periodId }) => ids.has(periodId))
          .map((group) => ({ ...group, fields: group.fields.filter(({ path }) => isWantedMetric(path)) })),
      },
    }),
  };
}
