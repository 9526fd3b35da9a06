import type { Source } from '../vocabulary/sources.ts';
import type { Claim, Revision } from './current-claims.ts';
import { compareStrings } from './current-revision.ts';

/** A source's place in an order of precedence; undefined where it may not compete at all (CON-16). */
export type SourceRank = ReadonlyMap<Source, number>;

export function rankOf(order: readonly Source[]): SourceRank {
  return new Map(order.map((source, index) => [source, index]));
}

/** What can put one revision before another, in the order in which it is asked. */
export type OrderingStep = 'source' | 'newest' | 'payload' | 'record' | 'value';

type Comparison<T> = readonly [step: OrderingStep, compare: (a: T, b: T, rank: SourceRank) => number];

/**
 * CON-05: the precedence of the sources decides whatever the age; inside one source the newest wins.
 * The last comparisons only make the order total, so that any order of arrival ends alike (CON-17).
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

/** The claims that may compete, best first. */
export function orderClaims(claims: readonly Claim[], rank: SourceRank): Claim[] {
  const competing = claims.filter((claim) => rank.has(claim.provenance.source));
  return competing.length < 2 ? competing : competing.sort(comparisonOf(CLAIM_STEPS, rank));
}

/** Which comparison put the first of two revisions before the second; undefined where none did. */
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
