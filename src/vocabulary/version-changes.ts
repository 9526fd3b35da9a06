import type {
  Candidate,
  Canonical,
  CanonicalEntry,
  CanonicalField,
  CanonicalGeometry,
  CanonicalVenue,
  Provenance,
} from './canonical.ts';
import { changedFields } from './changed-fields.ts';
import type { ScalarField } from './fields.ts';

/** `evidence`: what is published stays, but not where it comes from or what the losing sources say. */
type ChangeKind = 'value' | 'evidence' | 'added' | 'removed';

interface Change<F extends string, T> {
  field: F;
  kind: ChangeKind;
  before: T | null;
  after: T | null;
}

/** A change of one field between two versions; repeated fields and venues change as whole lists. */
export type VersionChange =
  | Change<ScalarField, CanonicalField>
  | Change<'aliases' | 'assetTypes', CanonicalEntry[]>
  | Change<'geometry', CanonicalGeometry>
  | Change<'venues', CanonicalVenue[]>;

/** UI-24: what differs between two versions, with both sides. Before the first version there was nothing. */
export function versionChanges(before: Canonical | undefined, after: Canonical): VersionChange[] {
  return changedFields(before, after).map((field) => {
    switch (field) {
      case 'aliases':
      case 'assetTypes':
        return change(field, listOf(before?.[field]), listOf(after[field]), publishedEntries);
      case 'geometry':
        return change(field, before?.footprint ?? null, after.footprint, ({ geometry }) => geometry);
      case 'venues':
        return change(field, listOf(before?.venues), listOf(after.venues), publishedVenues);
      default: {
        const name = field as ScalarField;
        return change(name, before?.fields[name] ?? null, after.fields[name] ?? null, publishedField);
      }
    }
  });
}

function change<F extends string, T>(
  field: F,
  before: T | null,
  after: T | null,
  published: (side: T) => unknown,
): Change<F, T> {
  return { field, kind: kindOf(before, after, published), before, after };
}

function kindOf<T>(before: T | null, after: T | null, published: (side: T) => unknown): ChangeKind {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  return JSON.stringify(published(before)) === JSON.stringify(published(after)) ? 'evidence' : 'value';
}

const listOf = <T>(list: T[] | undefined): T[] | null => (list === undefined || list.length === 0 ? null : list);

const publishedField = ({ value, unit, tier }: CanonicalField) => [value, unit, tier];
const publishedEntries = (entries: readonly CanonicalEntry[]) => entries.map(({ value, tier }) => [value, tier]).sort();
const publishedVenues = (venues: readonly CanonicalVenue[]) => venues.map(({ provenance: _, ...venue }) => venue);

/** What one source record says for a field: newly, no longer, or as before but read again. */
export type StatementChange =
  | { kind: 'stated'; after: Candidate }
  | { kind: 'withdrawn'; before: Candidate }
  | { kind: 'replaced' | 'readAgain'; before: Candidate; after: Candidate };

/** UI-24: how the statements behind a field differ, record by record, in the order of precedence. */
export function statementChanges(before: CanonicalField | null, after: CanonicalField | null): StatementChange[] {
  const earlier = candidatesOf(before);
  const later = candidatesOf(after);
  // Unchanged statements first, so that each value of a record with several is compared with itself.
  const gone = earlier.filter((old) => take(later, (now) => isSameStatement(old, now)) === undefined);
  const changes = later.map((now): StatementChange => {
    const same = (old: Candidate) => isSameRecord(old.provenance, now.provenance);
    const old = take(gone, (each) => same(each) && each.value === now.value) ?? take(gone, same);
    if (old === undefined) return { kind: 'stated', after: now };
    return { kind: old.value === now.value ? 'readAgain' : 'replaced', before: old, after: now };
  });
  return [...changes, ...gone.map((old): StatementChange => ({ kind: 'withdrawn', before: old }))];
}

/** The winner, then the others in the order of precedence. */
export const candidatesOf = (field: CanonicalField | null): Candidate[] =>
  field === null ? [] : [field, ...field.alternatives];

/** Removes and returns the first item that fits. */
function take<T>(items: T[], fits: (item: T) => boolean): T | undefined {
  const at = items.findIndex(fits);
  return at === -1 ? undefined : items.splice(at, 1)[0];
}

const isSameRecord = (a: Provenance, b: Provenance) => a.source === b.source && a.sourceRecordId === b.sourceRecordId;

/** CON-14: computing a value again does not change it. */
function isSameStatement(a: Candidate, b: Candidate): boolean {
  const text = ({ value, unit, tier, provenance }: Candidate) =>
    JSON.stringify([
      value,
      unit,
      tier,
      { ...provenance, retrievedAt: provenance.source !== 'dnk' && provenance.retrievedAt },
    ]);
  return text(a) === text(b);
}
