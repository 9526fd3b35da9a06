import type { Candidate, Canonical, CanonicalEntry, CanonicalField, Provenance } from '../vocabulary/canonical.ts';
import { FIELD_NAMES, type ScalarField } from '../vocabulary/fields.ts';

/**
 * CON-13..15: what differs between two decisions about a building, evidence-only changes included.
 * Empty where nothing does, and then there is no new version.
 */
export function changedFields(before: Canonical | undefined, after: Canonical): string[] {
  if (before === undefined) return presentFields(after);
  const changed: string[] = FIELD_NAMES.filter((name) => {
    if (name === 'aliases') return differ(before.aliases, after.aliases, entriesText);
    if (name === 'assetTypes') return differ(before.assetTypes, after.assetTypes, entriesText);
    return differ(before.fields[name as ScalarField], after.fields[name as ScalarField], fieldText);
  });
  if (differ(before.footprint, after.footprint, footprintText)) changed.push('geometry');
  if (differ(before.venues, after.venues, JSON.stringify)) changed.push('venues');
  return changed;
}

function presentFields({ fields, aliases, footprint, venues }: Canonical): string[] {
  const present: string[] = FIELD_NAMES.filter((name) => {
    if (name === 'aliases') return aliases.length > 0;
    return name === 'assetTypes' || fields[name as ScalarField] !== undefined;
  });
  if (footprint !== null) present.push('geometry');
  if (venues.length > 0) present.push('venues');
  return present;
}

function differ<T>(before: T, after: T, text: (value: T) => string): boolean {
  return before !== after && text(before) !== text(after);
}

function fieldText(field: CanonicalField | undefined): string {
  if (field === undefined) return '';
  const { alternatives, conflict, estimated, inheritedFrom } = field;
  return JSON.stringify([
    candidateText(field),
    conflict === null ? null : candidateText(conflict),
    estimated,
    inheritedFrom,
    alternatives.map(candidateText).sort(),
  ]);
}

function entriesText(entries: readonly CanonicalEntry[]): string {
  return JSON.stringify(
    entries.map((entry) => JSON.stringify([candidateText(entry), entry.alternatives.map(candidateText).sort()])).sort(),
  );
}

function footprintText(footprint: Canonical['footprint']): string {
  if (footprint === null) return '';
  const text = (shape: { geometry: unknown; provenance: Provenance }) =>
    JSON.stringify([shape.geometry, provenanceText(shape.provenance)]);
  return JSON.stringify([text(footprint), footprint.alternatives.map(text).sort()]);
}

function candidateText({ value, unit, tier, provenance }: Candidate): string {
  return JSON.stringify([value, unit, tier, provenanceText(provenance)]);
}

/** CON-14: when the service computed a value again is no change of it. */
function provenanceText(provenance: Provenance): string {
  const { source, sourceRecordId, sourceUrl, retrievedAt, extractionMethod, confidence } = provenance;
  const when = source === 'dnk' ? null : retrievedAt;
  return JSON.stringify([source, sourceRecordId, sourceUrl, when, extractionMethod, confidence]);
}
