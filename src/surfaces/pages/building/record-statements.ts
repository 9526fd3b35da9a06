import type {
  Candidate,
  Canonical,
  CanonicalField,
  ConsultedRecord,
  Provenance,
} from '../../../vocabulary/canonical.ts';
import type { Field, ScalarField } from '../../../vocabulary/fields.ts';
import type { AreaGeometry } from '../../../vocabulary/geometry.ts';

/** UI-25: what became of a statement. */
type Outcome =
  | { kind: 'published' | 'agrees' }
  /** Another value is published. */
  | { kind: 'differs'; published: CanonicalField }
  /** It is about the complex, and the building has a value of its own. */
  | { kind: 'complex' }
  /** Another outline is published. */
  | { kind: 'otherOutline' };

/** One thing that a source record says about the building. */
export interface RecordStatement {
  said:
    | { field: Field; candidate: Candidate }
    | { field: 'geometry'; geometry: AreaGeometry }
    | { field: 'venues'; names: string[] };
  provenance: Provenance;
  outcome: Outcome;
}

const keyOf = ({ source, sourceRecordId }: Pick<ConsultedRecord, 'source' | 'sourceRecordId'>) =>
  `${source} ${sourceRecordId}`;

/** UI-25: the statements of every source record of a version, field by field. */
export class RecordStatements {
  readonly #byRecord = new Map<string, RecordStatement[]>();

  constructor(canonical: Canonical) {
    for (const [name, field] of Object.entries(canonical.fields) as [ScalarField, CanonicalField][]) {
      this.#add({ field: name, candidate: field }, field.provenance, { kind: 'published' });
      for (const candidate of field.alternatives) {
        this.#add({ field: name, candidate }, candidate.provenance, outcomeOf(candidate, field));
      }
    }
    for (const field of ['aliases', 'assetTypes'] as const) {
      for (const entry of canonical[field]) {
        this.#add({ field, candidate: entry }, entry.provenance, { kind: 'published' });
        for (const candidate of entry.alternatives) {
          this.#add({ field, candidate }, candidate.provenance, { kind: 'agrees' });
        }
      }
    }
    const { footprint } = canonical;
    if (footprint !== null) {
      this.#add({ field: 'geometry', geometry: footprint.geometry }, footprint.provenance, { kind: 'published' });
      for (const { geometry, provenance } of footprint.alternatives) {
        this.#add({ field: 'geometry', geometry }, provenance, { kind: 'otherOutline' });
      }
    }
    for (const { nameJa, nameEn, category, provenance } of canonical.venues) {
      this.#addVenue(nameJa ?? nameEn ?? category, provenance);
    }
  }

  of(record: Pick<ConsultedRecord, 'source' | 'sourceRecordId'>): readonly RecordStatement[] {
    return this.#byRecord.get(keyOf(record)) ?? [];
  }

  #add(said: RecordStatement['said'], provenance: Provenance, outcome: Outcome): void {
    const key = keyOf(provenance);
    const known = this.#byRecord.get(key);
    if (known === undefined) this.#byRecord.set(key, [{ said, provenance, outcome }]);
    else known.push({ said, provenance, outcome });
  }

  #addVenue(name: string, provenance: Provenance): void {
    const venues = this.#byRecord.get(keyOf(provenance))?.find(({ said }) => said.field === 'venues')?.said;
    if (venues !== undefined && 'names' in venues) venues.names.push(name);
    else this.#add({ field: 'venues', names: [name] }, provenance, { kind: 'published' });
  }
}

function outcomeOf(candidate: Candidate, field: CanonicalField): Outcome {
  if (candidate.value === field.value) return { kind: 'agrees' };
  const isOfComplex = candidate.provenance.extractionMethod === 'inherited-complex' && field.inheritedFrom === null;
  return isOfComplex ? { kind: 'complex' } : { kind: 'differs', published: field };
}
