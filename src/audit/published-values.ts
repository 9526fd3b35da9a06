import type { Explainer, Reason } from '../consolidation/explain.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Candidate, Canonical, CanonicalField, ConsultedRecord, Provenance } from '../vocabulary/canonical.ts';
import type { Statement } from '../vocabulary/evidence.ts';
import type { Field, ScalarField } from '../vocabulary/fields.ts';
import { type AreaGeometry, measure } from '../vocabulary/geometry.ts';

/** What can be audited: every field, footprints and venues. */
export type AuditedField = Field | 'footprint' | 'venues';

interface ShownValue {
  text: string;
  provenance: Provenance;
}

/** One published value of a building. */
export interface PublishedValue extends ShownValue {
  building: AssetKey;
  kind: AuditedField;
  alternatives: ShownValue[];
  /** The values it was computed from. */
  inputs: PublishedValue[];
  /** The value as it may be written in the source. */
  needles: string[];
  /** Whether a statement has this value. */
  isStatedBy(statement: Statement): boolean;
  explain(explainer: Explainer): Reason;
}

export function publishedValues(building: AssetKey, canonical: Canonical): PublishedValue[] {
  const { fields, aliases, assetTypes, footprint, venues, records } = canonical;
  const values: PublishedValue[] = [];
  for (const [name, field] of Object.entries(fields) as [ScalarField, CanonicalField][]) {
    values.push(fieldValue(building, name, field, fields));
  }
  for (const [kind, entries] of [['aliases', aliases] as const, ['assetTypes', assetTypes] as const]) {
    for (const entry of entries) {
      values.push({
        ...candidateValue(building, kind, entry, entry.alternatives),
        inputs: entry.provenance.source === 'dnk' ? records.map((record) => withoutUse(building, record)) : [],
        explain: (explainer) => explainer.ofEntry(kind, entry),
      });
    }
  }
  if (footprint !== null) {
    const { geometry, provenance, alternatives } = footprint;
    const json = JSON.stringify(geometry);
    values.push({
      building,
      kind: 'footprint',
      text: describeShape(geometry),
      provenance,
      alternatives: alternatives.map((other) => ({ ...other, text: describeShape(other.geometry) })),
      inputs: [],
      needles: [],
      isStatedBy: (statement) => JSON.stringify(statement.geometry) === json,
      explain: (explainer) => explainer.ofFootprint(footprint),
    });
  }
  for (const { provenance, ...venue } of venues) {
    const json = JSON.stringify(venue);
    const names = [venue.nameJa, venue.nameEn].flatMap((name) => name ?? []);
    values.push({
      building,
      kind: 'venues',
      text: [...names, venue.category, venue.level === null ? '' : `level ${venue.level}`].filter(Boolean).join(', '),
      provenance,
      alternatives: [],
      inputs: [],
      needles: names,
      isStatedBy: ({ venues: all }) => all.some((other) => JSON.stringify({ ...venue, ...other }) === json),
      explain: (explainer) => explainer.ofVenue(provenance),
    });
  }
  return values;
}

/** A consulted record without a use, which explains a building of use `unknown`. */
function withoutUse(building: AssetKey, record: ConsultedRecord): PublishedValue {
  return {
    building,
    kind: 'assetTypes',
    text: 'none stated',
    provenance: { ...record, retrievedAt: '', extractionMethod: 'computed', confidence: 0 },
    alternatives: [],
    inputs: [],
    needles: [],
    isStatedBy: ({ observations }) => observations.every(({ field }) => field !== 'assetTypes'),
    explain: () => ({ ok: true, text: 'the record was consulted' }),
  };
}

function fieldValue(
  building: AssetKey,
  name: ScalarField,
  field: CanonicalField,
  fields: Canonical['fields'],
): PublishedValue {
  const value = candidateValue(building, name, field, field.alternatives);
  const from = field.provenance.source === 'dnk' ? GFA_FROM : [];
  const inputs = from.flatMap((input) => {
    const stated = fields[input];
    return stated === undefined ? [] : fieldValue(building, input, stated, fields);
  });
  return { ...value, inputs, explain: (explainer) => explainer.ofField(name, field) };
}

/** CON-11. */
const GFA_FROM = ['footprintM2', 'floorsAbove', 'floorsBelow'] as const;

function candidateValue(
  building: AssetKey,
  kind: Field,
  winner: Candidate,
  alternatives: readonly Candidate[],
): Omit<PublishedValue, 'explain'> {
  const { value, provenance } = winner;
  return {
    building,
    kind,
    text: textOf(winner),
    provenance,
    alternatives: alternatives.map((other) => ({ text: textOf(other), provenance: other.provenance })),
    inputs: [],
    needles: [String(value)],
    isStatedBy: ({ observations }) => observations.some((o) => o.field === kind && o.value === value),
  };
}

const textOf = ({ value, unit }: Candidate): string => (unit === null ? String(value) : `${value} ${unit}`);

/** A shape in one line: its size and first positions. */
function describeShape(geometry: AreaGeometry): string {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const rings = polygons.flat();
  const points = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  const some = (rings[0] ?? []).slice(0, 3).map(([lon, lat]) => `${lon} ${lat}`);
  const shape = `${polygons.length} polygon${polygons.length === 1 ? '' : 's'}, ${points} points`;
  return `${shape}, ${measure(geometry).areaM2} m2: ${some.join(', ')}, …`;
}
