import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { BuildingPage, SourcesEntry } from '../vocabulary/building-page.ts';
import type { Canonical, CanonicalField, Provenance } from '../vocabulary/canonical.ts';
import type { ScalarField } from '../vocabulary/fields.ts';
import { measure, windRings } from '../vocabulary/geometry.ts';
import { meshCodeOf } from '../vocabulary/mesh.ts';
import type { PlacePath } from './areas.ts';

export type HistoryEntry = BuildingPage['history'][number];

/**
 * The finished record of a building, without its neighbours.
 * REC-01, REC-02, REC-03, REC-04, REC-05, REC-06, REC-07, REC-08, REC-09, REC-10, REC-11, REC-12.
 */
export function composePage(
  building: AssetKey,
  canonical: Canonical,
  place: PlacePath,
  history: HistoryEntry[],
): Omit<BuildingPage, 'nearby'> {
  const id = formatAssetId(building);
  const { footprint, point, venues } = canonical;
  const fields: Record<string, ReturnType<typeof toFieldValue>> = {};
  let conflicts = 0;
  for (const name in canonical.fields) {
    const field = canonical.fields[name as ScalarField] as CanonicalField;
    fields[name] = toFieldValue(field);
    if (field.conflict !== null) conflicts += 1;
  }
  const sources = composeSources(canonical);
  return {
    id,
    path: `${place.path}/${id}`,
    assetTypes: canonical.assetTypes.map(({ value, category, tier, provenance }) => ({
      value: String(value),
      category,
      tier,
      provenance,
    })),
    fields,
    location: {
      lat: point?.[1] ?? null,
      lon: point?.[0] ?? null,
      meshCode: point === null ? null : meshCodeOf(point),
      prefecture: place.prefecture,
      ward: place.ward,
      machiAza: place.machiAza,
    },
    aliases: canonical.aliases.map(({ value, tier, provenance }) => ({ value: String(value), tier, provenance })),
    // Only here, so that the versions, anchors and matches that rest on a shape do not depend on its winding.
    geometry: footprint && windRings(footprint.geometry),
    footprint: footprint === null ? null : { ...measure(footprint.geometry), provenance: footprint.provenance },
    sources,
    venues,
    history,
    counters: {
      observations: canonical.observations,
      sources: sources.length,
      fields: Object.keys(canonical.fields).length,
      aliases: canonical.aliases.length,
      venues: venues.length,
      versions: history.length,
      conflictsFlagged: conflicts,
    },
  };
}

function toFieldValue({ value, unit, tier, provenance, conflict, estimated, inheritedFrom }: CanonicalField) {
  const loser = conflict && { value: conflict.value, unit: conflict.unit, source: conflict.provenance.source };
  if (inheritedFrom === null) return { value, unit, tier, provenance, conflict: loser, estimated };
  return { value, unit, tier, provenance, conflict: loser, estimated, inheritedFrom };
}

/** SRC-01, SRC-02, SRC-03, SRC-04: every source record consulted, and what each won. */
function composeSources(canonical: Canonical): SourcesEntry[] {
  const won: [Provenance, string][] = [];
  for (const name in canonical.fields) {
    won.push([(canonical.fields[name as ScalarField] as CanonicalField).provenance, name]);
  }
  for (const alias of canonical.aliases) won.push([alias.provenance, 'aliases']);
  for (const use of canonical.assetTypes) won.push([use.provenance, 'assetTypes']);
  return canonical.records.map(({ source, sourceRecordId, sourceUrl }) => {
    const fields: string[] = [];
    for (const [provenance, name] of won) {
      if (provenance.sourceRecordId !== sourceRecordId || provenance.source !== source) continue;
      if (!fields.includes(name)) fields.push(name);
    }
    return { source, sourceRecordId, sourceUrl, fields };
  });
}
