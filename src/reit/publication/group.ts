import { fieldPath, type Metric } from '../../vocabulary/reit-metrics.ts';
import { type Agreement, agreeOn } from './agreement.ts';
import type { MetricObservation } from './document.ts';
import { abstains } from './measure.ts';

/** What the heads say of one holding in one period. */
export interface Group {
  holdingId: string;
  periodId: string;
  observationsOf(metric: Metric): readonly MetricObservation[];
  agreementOn(metric: Metric): Agreement;
}

export function makeGroup(
  holdingId: string,
  periodId: string,
  byPath: ReadonlyMap<string, readonly MetricObservation[]>,
): Group {
  const agreements = new Map<Metric, Agreement>();
  const observationsOf = (metric: Metric) => byPath.get(fieldPath(holdingId, periodId, metric)) ?? [];
  return {
    holdingId,
    periodId,
    observationsOf,
    agreementOn(metric) {
      let agreement = agreements.get(metric);
      if (agreement === undefined) {
        agreement = agreeOn(observationsOf(metric).map(({ value }) => value));
        agreements.set(metric, agreement);
      }
      return agreement;
    },
  };
}

/** Those who say something: abstainers support nothing. */
export function assertedBy(group: Group, metric: Metric): MetricObservation[] {
  return group.observationsOf(metric).filter(({ value }) => !abstains(value));
}
