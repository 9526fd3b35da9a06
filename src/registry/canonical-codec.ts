import { expandText, type StoredText } from '../storage/compact/compact.ts';
import type {
  Candidate,
  Canonical,
  CanonicalEntry,
  CanonicalField,
  CanonicalUse,
  Provenance,
} from '../vocabulary/canonical.ts';
import { categoryOf } from '../vocabulary/categories.ts';
import type { ComplexName, Tier, VenueObservation } from '../vocabulary/evidence.ts';
import { FIELDS, type FieldScalar, type ScalarField } from '../vocabulary/fields.ts';
import type { AreaGeometry } from '../vocabulary/geometry.ts';

/** A value, the index of its provenance, and its tier unless free. */
type StoredCandidate = [value: FieldScalar, provenance: number, tier?: Tier];

interface StoredField {
  c: StoredCandidate[];
  /** The index of the conflicting candidate. */
  x?: number;
  e?: true;
  i?: ComplexName;
}

/** A stored version: every provenance once, every candidate of every field, best first. */
interface StoredCanonical {
  provenances: Provenance[];
  fields: Partial<Record<ScalarField, StoredField>>;
  aliases?: StoredCandidate[][];
  assetTypes: StoredCandidate[][];
  footprint?: [AreaGeometry, number][];
  venues?: (VenueObservation & { p: number })[];
  records: Canonical['records'];
  areas: string[];
  hintedAreas?: string[];
  municipalities?: string[];
  point: Canonical['point'];
  observations: number;
}

export function encodeCanonical(canonical: Canonical): string {
  const provenances: Provenance[] = [];
  const places = new Map<Provenance, number>();
  const ref = (provenance: Provenance): number => {
    let place = places.get(provenance);
    if (place === undefined) {
      place = provenances.push(provenance) - 1;
      places.set(provenance, place);
    }
    return place;
  };
  const candidate = ({ value, tier, provenance }: Candidate): StoredCandidate =>
    tier === 'free' ? [value, ref(provenance)] : [value, ref(provenance), tier];
  const entry = (e: CanonicalEntry) => [candidate(e), ...e.alternatives.map(candidate)];

  const fields: StoredCanonical['fields'] = {};
  for (const [name, field] of Object.entries(canonical.fields) as [ScalarField, CanonicalField][]) {
    const stored: StoredField = { c: entry(field) };
    if (field.conflict !== null) stored.x = 1 + field.alternatives.indexOf(field.conflict);
    if (field.estimated) stored.e = true;
    if (field.inheritedFrom !== null) stored.i = field.inheritedFrom;
    fields[name] = stored;
  }
  const stored: StoredCanonical = {
    provenances,
    fields,
    assetTypes: canonical.assetTypes.map(entry),
    records: canonical.records,
    areas: canonical.areas,
    point: canonical.point,
    observations: canonical.observations,
  };
  if (canonical.hintedAreas.length > 0) stored.hintedAreas = canonical.hintedAreas;
  if (canonical.municipalities.length > 0) stored.municipalities = canonical.municipalities;
  if (canonical.aliases.length > 0) stored.aliases = canonical.aliases.map(entry);
  if (canonical.footprint !== null) {
    const shapes = [canonical.footprint, ...canonical.footprint.alternatives];
    stored.footprint = shapes.map(({ geometry, provenance }) => [geometry, ref(provenance)]);
  }
  if (canonical.venues.length > 0) {
    stored.venues = canonical.venues.map(({ provenance, ...venue }) => ({ ...venue, p: ref(provenance) }));
  }
  return JSON.stringify(stored);
}

export function decodeCanonical(text: StoredText): Canonical {
  const stored = JSON.parse(expandText(text)) as StoredCanonical;
  const provenance = (place: number) => stored.provenances[place] as Provenance;
  const candidate = (unit: string | null, [value, place, tier = 'free']: StoredCandidate): Candidate => ({
    value,
    unit,
    tier,
    provenance: provenance(place),
  });
  const entry = (unit: string | null, candidates: readonly StoredCandidate[]): CanonicalEntry => {
    const [winner, ...alternatives] = candidates.map((c) => candidate(unit, c)) as [Candidate, ...Candidate[]];
    return { ...winner, alternatives };
  };

  const fields: Canonical['fields'] = {};
  for (const [name, { c, x, e, i }] of Object.entries(stored.fields) as [ScalarField, StoredField][]) {
    const decided = entry(FIELDS[name].unit, c);
    fields[name] = {
      ...decided,
      conflict: x === undefined ? null : (decided.alternatives[x - 1] as Candidate),
      estimated: e ?? false,
      inheritedFrom: i ?? null,
    };
  }
  const shapes = stored.footprint?.map(([geometry, place]) => ({ geometry, provenance: provenance(place) }));
  const [shape, ...otherShapes] = shapes ?? [];
  return {
    fields,
    aliases: (stored.aliases ?? []).map((candidates) => entry(null, candidates)),
    assetTypes: stored.assetTypes.map((candidates): CanonicalUse => {
      const use = entry(null, candidates);
      return { ...use, category: categoryOf(String(use.value)) };
    }),
    footprint: shape === undefined ? null : { ...shape, alternatives: otherShapes },
    venues: (stored.venues ?? []).map(({ p, ...venue }) => ({ ...venue, provenance: provenance(p) })),
    records: stored.records,
    areas: stored.areas,
    hintedAreas: stored.hintedAreas ?? [],
    municipalities: stored.municipalities ?? [],
    point: stored.point,
    observations: stored.observations,
  };
}
