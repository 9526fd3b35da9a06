import type { Candidate, Canonical, CanonicalEntry, CanonicalField, CanonicalVenue, Provenance } from './canonical.ts';
import { FIELD_NAMES, type ScalarField } from './fields.ts';

/**
 * CON-13, CON-14, CON-15: what differs between two versions of a building, including changes of evidence only. If
 * empty, there is no new version.
 */
export function changedFields(before: Canonical | undefined, after: Canonical): string[] {
  if (before === undefined) return presentFields(after);
  const changed: string[] = FIELD_NAMES.filter((name) => {
    if (name === 'aliases') return !sameInAnyOrder(before.aliases, after.aliases, isSameEntry, entryText);
    if (name === 'assetTypes') return !sameInAnyOrder(before.assetTypes, after.assetTypes, isSameEntry, entryText);
    return !isSameField(before.fields[name as ScalarField], after.fields[name as ScalarField]);
  });
  if (!isSameFootprint(before.footprint, after.footprint)) changed.push('geometry');
  if (!sameInOrder(before.venues, after.venues, isSameVenue)) changed.push('venues');
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

function isSameField(a: CanonicalField | undefined, b: CanonicalField | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    isSameCandidate(a, b) &&
    (a.conflict === null || b.conflict === null
      ? a.conflict === b.conflict
      : isSameCandidate(a.conflict, b.conflict)) &&
    a.estimated === b.estimated &&
    JSON.stringify(a.inheritedFrom) === JSON.stringify(b.inheritedFrom) &&
    sameInAnyOrder(a.alternatives, b.alternatives, isSameCandidate, candidateText)
  );
}

function isSameEntry(a: CanonicalEntry, b: CanonicalEntry): boolean {
  return isSameCandidate(a, b) && sameInAnyOrder(a.alternatives, b.alternatives, isSameCandidate, candidateText);
}

function isSameFootprint(a: Canonical['footprint'], b: Canonical['footprint']): boolean {
  if (a === null || b === null) return a === b;
  return isSameShape(a, b) && sameInAnyOrder(a.alternatives, b.alternatives, isSameShape, shapeText);
}

type Shape = { geometry: unknown; provenance: Provenance };

function isSameShape(a: Shape, b: Shape): boolean {
  return isSameProvenance(a.provenance, b.provenance) && JSON.stringify(a.geometry) === JSON.stringify(b.geometry);
}

function isSameVenue(a: CanonicalVenue, b: CanonicalVenue): boolean {
  return (
    a.nameJa === b.nameJa &&
    a.nameEn === b.nameEn &&
    a.category === b.category &&
    a.level === b.level &&
    isSameProvenance(a.provenance, b.provenance)
  );
}

function isSameCandidate(a: Candidate, b: Candidate): boolean {
  return a.value === b.value && a.unit === b.unit && a.tier === b.tier && isSameProvenance(a.provenance, b.provenance);
}

/** CON-14: computing a value again does not change it. */
function isSameProvenance(a: Provenance, b: Provenance): boolean {
  return (
    a.source === b.source &&
    a.sourceRecordId === b.sourceRecordId &&
    a.sourceUrl === b.sourceUrl &&
    (a.source === 'dnk' || a.retrievedAt === b.retrievedAt) &&
    a.extractionMethod === b.extractionMethod &&
    a.confidence === b.confidence
  );
}

function sameInOrder<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((item, i) => isSame(item, b[i] as T));
}

/** CON-13: order does not matter. Usually it is the same. */
function sameInAnyOrder<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T, b: T) => boolean,
  text: (item: T) => string,
): boolean {
  if (a.length !== b.length) return false;
  if (sameInOrder(a, b, isSame)) return true;
  return a.length > 1 && a.map(text).sort().join('\n') === b.map(text).sort().join('\n');
}

function entryText(entry: CanonicalEntry): string {
  return JSON.stringify([candidateText(entry), entry.alternatives.map(candidateText).sort()]);
}

function shapeText({ geometry, provenance }: Shape): string {
  return JSON.stringify([geometry, provenanceText(provenance)]);
}

function candidateText({ value, unit, tier, provenance }: Candidate): string {
  return JSON.stringify([value, unit, tier, provenanceText(provenance)]);
}

function provenanceText(provenance: Provenance): string {
  const { source, sourceRecordId, sourceUrl, retrievedAt, extractionMethod, confidence } = provenance;
  const when = source === 'dnk' ? null : retrievedAt;
  return JSON.stringify([source, sourceRecordId, sourceUrl, when, extractionMethod, confidence]);
}
