import type { RecordEvidence } from '../../src/vocabulary/evidence.ts';
import type { Field, FieldScalar, ScalarField } from '../../src/vocabulary/fields.ts';
import type { Source } from '../../src/vocabulary/sources.ts';
import { CONTRACT_ORDER } from './contract-table.ts';
import { eligibleIn, valuesFor } from './naive-revisions.ts';
import type { FieldValue, Page } from './support.ts';

/** The rules of section 2.6 implemented literally, without regard to speed. */

interface Candidate {
  source: Source;
  sourceRecordId: string;
  value: FieldScalar;
  retrievedAt: string;
  moment: number;
  rawPayloadRef: string;
  isComplex: boolean;
}

/** Rule 1. */
function currentCandidates(record: RecordEvidence, field: Field): Candidate[] {
  const { source, sourceRecordId } = record;
  const eligible = eligibleIn(record, (line) =>
    valuesFor(field)(line).map((value) => ({ value, isComplex: line.complex !== null })),
  );
  return eligible.map(({ value: { value, isComplex }, retrievedAt, moment, rawPayloadRef }) => ({
    ...{ source, sourceRecordId, value, retrievedAt, moment, rawPayloadRef, isComplex },
  }));
}

/** Rule 3: the newest candidate of the first source that has any; several only if they have the same age. */
function best(field: Field, candidates: readonly Candidate[]): Candidate[] {
  for (const source of CONTRACT_ORDER[field]) {
    const own = candidates.filter((candidate) => candidate.source === source);
    const newest = Math.max(...own.map((candidate) => candidate.moment));
    if (own.length > 0) return own.filter((candidate) => candidate.moment === newest);
  }
  return [];
}

/** How a published scalar field violates the contract, or undefined. */
export function faultInField(field: ScalarField, page: Page, evidence: readonly RecordEvidence[]): string | undefined {
  const published = page.fields[field];
  const all = evidence.flatMap((record) => currentCandidates(record, field));
  const own = all.filter((c) => !c.isComplex && CONTRACT_ORDER[field].includes(c.source as never));
  if (field === 'appraisalDate') return faultInAppraisalDate(page, evidence, own);
  if (own.length > 0) {
    return faultInWinner(published, best(field, own)) ?? faultInConflict(field, published as FieldValue, own);
  }
  if (field === 'yearBuilt' || field === 'architect') {
    const inherited = all.filter((c) => c.isComplex);
    if (inherited.length > 0) {
      return (
        faultInInherited(published, best('architect', inherited)) ??
        faultInConflict('architect', published as FieldValue, inherited)
      );
    }
  }
  if (field === 'gfaM2') return faultInComputed(page);
  return published === undefined ? undefined : 'published without a candidate';
}

function faultInWinner(published: FieldValue | undefined, allowed: readonly Candidate[]): string | undefined {
  if (published === undefined) return 'not published';
  if (published.estimated) return 'estimated';
  return isOneOf(published, allowed) ? undefined : `won by ${JSON.stringify(published)}`;
}

function isOneOf({ value, provenance }: FieldValue, allowed: readonly Candidate[]): boolean {
  return allowed.some(
    (c) =>
      c.value === value &&
      c.source === provenance.source &&
      c.sourceRecordId === provenance.sourceRecordId &&
      c.retrievedAt === provenance.retrievedAt,
  );
}

/** Rule 4. */
function faultInConflict(field: Field, { value, conflict }: FieldValue, own: readonly Candidate[]): string | undefined {
  const differing = best(
    field,
    own.filter((candidate) => candidate.value !== value),
  );
  if (conflict === null) return differing.length === 0 ? undefined : 'has no conflict, though a loser differs';
  const isRight = differing.some((c) => c.value === conflict.value && c.source === conflict.source);
  return isRight ? undefined : `has the wrong conflict ${JSON.stringify(conflict)}`;
}

/** Rule 8: the date of the record that won the amount, if it is from the same payload. */
function faultInAppraisalDate(page: Page, evidence: readonly RecordEvidence[], dates: Candidate[]): string | undefined {
  const { appraisalValueJpy: amount, appraisalDate: published } = page.fields;
  const winner = evidence.find(
    ({ source, sourceRecordId }) =>
      source === amount?.provenance.source && sourceRecordId === amount.provenance.sourceRecordId,
  );
  const payload = winner && currentCandidates(winner, 'appraisalValueJpy')[0]?.rawPayloadRef;
  const paired = dates.filter(
    (date) =>
      date.source === winner?.source && date.sourceRecordId === winner.sourceRecordId && date.rawPayloadRef === payload,
  );
  if (paired.length === 0) return published === undefined ? undefined : 'dated without a date of its own';
  // The date has the retrieval time of the amount, even if it was seen before.
  const fetched = paired.map((candidate) => ({ ...candidate, retrievedAt: amount?.provenance.retrievedAt ?? '' }));
  return faultInWinner(published, fetched) ?? faultInConflict('appraisalDate', published as FieldValue, dates);
}

/** Rule 9. */
function faultInComputed({ fields }: Page): string | undefined {
  const { footprintM2, floorsAbove, floorsBelow, gfaM2 } = fields;
  if (footprintM2 === undefined || floorsAbove === undefined) {
    return gfaM2 === undefined ? undefined : 'computed from nothing';
  }
  const expected = Number(footprintM2.value) * (Number(floorsAbove.value) + Number(floorsBelow?.value ?? 0));
  if (gfaM2 === undefined) return 'not computed';
  const isRight =
    Math.abs(Number(gfaM2.value) - expected) < 1e-6 &&
    gfaM2.estimated &&
    gfaM2.conflict === null &&
    gfaM2.provenance.source === 'dnk' &&
    gfaM2.provenance.extractionMethod === 'computed';
  return isRight ? undefined : `computed as ${JSON.stringify(gfaM2)}`;
}

/** Rule 10. */
function faultInInherited(published: FieldValue | undefined, allowed: readonly Candidate[]): string | undefined {
  if (published === undefined) return 'not inherited';
  const isRight =
    isOneOf(published, allowed) &&
    published.estimated &&
    published.inheritedFrom !== undefined &&
    published.provenance.extractionMethod === 'inherited-complex';
  return isRight ? undefined : `inherited as ${JSON.stringify(published)}`;
}
