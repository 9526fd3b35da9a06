import { fieldPath, type Metric } from '../../vocabulary/reit-metrics.ts';
import { compareText } from './canonical-json.ts';
import type { AgreementField, AgreementStatus, MetricObservation } from './document.ts';
import {
  abstains,
  type Consensus,
  consensusKey,
  consensusOf,
  type Measure,
  type UnresolvedMeasure,
} from './measure.ts';

export const AGREEMENT_VERSION = 'agreement/1';

interface Agreement {
  status: AgreementStatus;
  value: Consensus | null;
}

const without = (status: AgreementStatus): Agreement => ({ status, value: null });

/**
 * Compares the values of the lineage heads. There is no majority, no rounding and no precedence.
 * AGR-01, AGR-02, AGR-03, AGR-04, AGR-05, AGR-06, AGR-07, AGR-08.
 */
export function agreeOn(values: readonly (Measure | null)[]): Agreement {
  if (values.some((value) => value?.state === 'unresolved')) return without('unresolved');
  const asserted = values.filter((value) => !abstains(value)) as Exclude<Measure, UnresolvedMeasure>[];
  const [first, ...others] = asserted.map(consensusOf);
  if (first === undefined) return without('missing');
  const key = consensusKey(first);
  if (others.some((other) => consensusKey(other) !== key)) return without('conflict');
  return { status: others.length === 0 ? 'singleSource' : 'agreed', value: joinInputs(first, others) };
}

/** REIT-13: a derived consensus lists the inputs of every observation that agrees. */
function joinInputs(first: Consensus, others: readonly Consensus[]): Consensus {
  if (first.state !== 'derived') return first;
  const inputs = [first, ...others].flatMap((value) => (value.state === 'derived' ? value.inputRevisionIds : []));
  return { ...first, inputRevisionIds: [...new Set(inputs)].sort(compareText) };
}

export function agreementField(metric: string, observations: readonly MetricObservation[]): AgreementField {
  const { status, value } = agreeOn(observations.map((observation) => observation.value));
  const sorted = [...observations].sort((a, b) => compareText(a.revisionId, b.revisionId));
  return { path: metric, status, value, observations: sorted };
}

/** What the lineage heads state about one holding in one period. */
export interface ObservationGroup {
  holdingId: string;
  periodId: string;
  observationsOf(metric: Metric): readonly MetricObservation[];
  agreementOn(metric: Metric): Agreement;
}

export function makeGroup(
  holdingId: string,
  periodId: string,
  byPath: ReadonlyMap<string, readonly MetricObservation[]>,
): ObservationGroup {
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

/** The observations that assert a value; those that abstain support nothing. */
export function assertedObservations(group: ObservationGroup, metric: Metric): MetricObservation[] {
  return group.observationsOf(metric).filter(({ value }) => !abstains(value));
}
