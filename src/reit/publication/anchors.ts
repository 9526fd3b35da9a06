import { type Static, Type } from 'typebox';
import type { Canonical } from '../../vocabulary/canonical.ts';
import type { FieldScalar, ScalarField } from '../../vocabulary/fields.ts';
import { closed, Nullable, OneOf } from '../../vocabulary/schema.ts';
import type { Source } from '../../vocabulary/sources.ts';
import { canonicalJson, sha256 } from './canonical-json.ts';

const LIFECYCLES = ['live', 'merged', 'retired'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** The values of a building that a match was reviewed against, without their provenance. */
export const AnchorsSchema = Type.Object(
  {
    buildingId: Type.String(),
    lifecycle: OneOf(LIFECYCLES),
    areaPath: Nullable(Type.String({ description: 'The path of its machi-aza.' })),
    centroid: Nullable(Type.Object({ lat: Type.Number(), lon: Type.Number() }, closed)),
    footprintHash: Nullable(Type.String()),
    floorsAbove: Nullable(Type.Number()),
    completion: Nullable(Type.String({ description: 'The month, else the year.' })),
    nameJa: Nullable(Type.String()),
    addressJa: Nullable(Type.String()),
  },
  closed,
);
export type Anchors = Static<typeof AnchorsSchema>;

/** A building as the registry publishes it. */
interface AnchoredBuilding {
  buildingId: string;
  lifecycle: Lifecycle;
  areaPath: string | null;
  canonical: Pick<Canonical, 'fields' | 'footprint' | 'point'>;
}

/** REIT-10: REIT data must not confirm or suspend its own match. Computed values follow from the others. */
const NOT_ANCHORING: ReadonlySet<Source> = new Set(['jreit', 'edinet', 'dnk']);

export function anchorsOf({ buildingId, lifecycle, areaPath, canonical }: AnchoredBuilding): Anchors {
  const { fields, footprint, point } = canonical;
  const text = (field: ScalarField) => asText(independentValue(fields, field));
  const floors = independentValue(fields, 'floorsAbove');
  return {
    buildingId,
    lifecycle,
    areaPath,
    centroid: point && { lat: round5(point[1]), lon: round5(point[0]) },
    footprintHash: footprint && `sha256:${sha256(canonicalJson(footprint.geometry))}`,
    floorsAbove: typeof floors === 'number' ? floors : null,
    completion: text('completionMonth') ?? text('yearBuilt'),
    nameJa: text('nameJa'),
    addressJa: text('addressJa'),
  };
}

export function anchorHash(anchors: Anchors): string {
  return `sha256:${sha256(canonicalJson(anchors))}`;
}

/** The names of the anchors that differ, for a reviewer to check. */
export function changedAnchors(before: Anchors, after: Anchors): (keyof Anchors)[] {
  return (Object.keys(before) as (keyof Anchors)[]).filter(
    (name) => canonicalJson(before[name]) !== canonicalJson(after[name]),
  );
}

/**
 * The best candidate of a field that does not come from a REIT disclosure. A value inherited from a complex does not count:
 * it disappears as soon as a disclosure has the field (CON-12).
 */
function independentValue(fields: Canonical['fields'], name: ScalarField): FieldScalar | null {
  const field = fields[name];
  if (field === undefined) return null;
  const candidates = [field, ...field.alternatives];
  const independent = candidates.find(
    ({ provenance }) => !NOT_ANCHORING.has(provenance.source) && provenance.extractionMethod !== 'inherited-complex',
  );
  return independent?.value ?? null;
}

const asText = (value: FieldScalar | null): string | null => (value === null ? null : String(value));

/** Five decimals are about a metre. Adding 0 turns −0 into 0. */
function round5(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5 + 0;
}
