import type { Source } from '../vocabulary/sources.ts';
import type { Claim, Revision } from './current-claims.ts';
import { compare } from './current-revision.ts';

/** A source's place in an order of precedence; undefined where it may not compete at all (CON-16). */
export type Rank = ReadonlyMap<Source, number>;

export function rankOf(order: readonly Source[]): Rank {
  return new Map(order.map((source, index) => [source, index]));
}

/**
 * CON-05: the precedence of the sources decides whatever the age; inside one source the newest wins.
 * The last comparisons only make the order total, so that any order of arrival ends alike (CON-17).
 */
export function compareRevisions(rank: Rank): (a: Revision, b: Revision) => number {
  return (a, b) =>
    (rank.get(a.provenance.source) ?? 0) - (rank.get(b.provenance.source) ?? 0) ||
    compare(b.order, a.order) ||
    compare(b.rawPayloadRef, a.rawPayloadRef) ||
    compare(a.provenance.sourceRecordId, b.provenance.sourceRecordId);
}

/** The claims that may compete, best first. */
export function inPrecedence(claims: readonly Claim[], rank: Rank): Claim[] {
  const competing = claims.filter((claim) => rank.has(claim.provenance.source));
  if (competing.length < 2) return competing;
  const byRevision = compareRevisions(rank);
  return competing.sort((a, b) => byRevision(a, b) || compareValues(a.value, b.value));
}

function compareValues(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
}
