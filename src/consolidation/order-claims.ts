import type { Source } from '../vocabulary/sources.ts';
import type { Claim, Revision } from './current-claims.ts';
import { compareStrings } from './current-revision.ts';

/** The ranks of sources; a source without a rank does not compete (CON-16). */
export type SourceRank = ReadonlyMap<Source, number>;

export function rankOf(order: readonly Source[]): SourceRank {
  return new Map(order.map((source, index) => [source, index]));
}

/** The comparisons that order revisions, in order. */
export type OrderingStep = 'source' | 'newest' | 'payload' | 'record' | 'value';

type Comparison<T> = readonly [step: OrderingStep, compare: (a: T, b: T, rank: SourceRank) => number];

/**
 * CON-05: source precedence decides whatever the age; within one source the newest wins. The last comparisons only make
 * the order total, so that order of arrival does not matter (CON-17).
 */
const REVISION_STEPS: readonly Comparison<Revision>[] = [
  ['source', (a, b, rank) => (rank.get(a.provenance.source) ?? 0) - (rank.get(b.provenance.source) ?? 0)],
  ['newest', (a, b) => compareStrings(b.order, a.order)],
  ['payload', (a, b) => compareStrings(b.rawPayloadRef, a.rawPayloadRef)],
  ['record', (a, b) => compareStrings(a.provenance.sourceRecordId, b.provenance.sourceRecordId)],
];
const CLAIM_STEPS: readonly Comparison<Claim>[] = [
  ...REVISION_STEPS,
  ['value', (a, b) => compareValues(a.value, b.value)],
];

export function compareRevisions(rank: SourceRank): (a: Revision, b: Revision) => number {
  return comparisonOf(REVISION_STEPS, rank);
}

/** The competing claims, best first. */
export function orderClaims(claims: readonly Claim[], rank: SourceRank): Claim[] {
  const competing = claims.filter((claim) => rank.has(claim.provenance.source));
  return competing.length < 2 ? competing : competing.sort(comparisonOf(CLAIM_STEPS, rank));
}

/** The comparison that put the first revision before the second; undefined if none did. */
export function decidingStep(winner: Revision, loser: Revision, rank: SourceRank): OrderingStep | undefined {
  return REVISION_STEPS.find(([, compareBy]) => compareBy(winner, loser, rank) !== 0)?.[0];
}

function comparisonOf<T>(steps: readonly Comparison<T>[], rank: SourceRank): (a: T, b: T) => number {
  return (a, b) => {
    for (const [, compareBy] of steps) {
      const order = compareBy(a, b, rank);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareStrings(String(a), String(b));
}
