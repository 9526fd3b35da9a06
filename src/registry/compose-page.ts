import { type AssetKey, formatAssetId } from '../vocabulary/asset-id.ts';
import type { BuildingPage, SourcesEntry } from '../vocabulary/building-page.ts';
import type { Canonical, CanonicalField } from '../vocabulary/canonical.ts';
import type { ScalarField } from '../vocabulary/fields.ts';
import { measure, meshCodeOf } from '../vocabulary/geometry.ts';
import type { PlacePath } from './areas.ts';

export type HistoryEntry = BuildingPage['history'][number];

/** The finished record of a building (REC-01..12), but for what lies around it. */
export function composePage(
  building: AssetKey,
  canonical: Canonical,
  place: PlacePath,
  history: HistoryEntry[],
): Omit<BuildingPage, 'nearby'> {
  const id = formatAssetId(building);
  const { footprint, point, venues } = canonical;
  const fields = Object.fromEntries(
    (Object.entries(canonical.fields) as [ScalarField, CanonicalField][]).map(([name, field]) => [
      name,
      toFieldValue(field),
    ]),
  );
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
    geometry: footprint?.geometry ?? null,
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
      conflictsFlagged: Object.values(canonical.fields).filter((field) => field.conflict !== null).length,
    },
  };
}

function toFieldValue(field: CanonicalField) {
  const { value, unit, tier, provenance, conflict, estimated, inheritedFrom } = field;
  return {
    value,
    unit,
    tier,
    provenance,
    conflict: conflict && { value: conflict.value, unit: conflict.unit, source: conflict.provenance.source },
    estimated,
    ...(inheritedFrom === null ? {} : { inheritedFrom }),
  };
}

/** SRC-01..04: every source record consulted, and what each won. */
function composeSources(canonical: Canonical): SourcesEntry[] {
  const won = new Map<string, string[]>();
  const credit = (provenance: { source: string; sourceRecordId: string }, name: string) => {
    const key = `${provenance.source}:${provenance.sourceRecordId}`;
    const names = won.get(key);
    if (names === undefined) won.set(key, [name]);
    else if (!names.includes(name)) names.push(name);
  };
  for (const [name, field] of Object.entries(canonical.fields)) credit(field.provenance, name);
  for (const alias of canonical.aliases) credit(alias.provenance, 'aliases');
  for (const use of canonical.assetTypes) credit(use.provenance, 'assetTypes');
  return canonical.records.map(({ source, sourceRecordId, sourceUrl }) => ({
    source,
    sourceRecordId,
    sourceUrl,
    fields: won.get(`${source}:${sourceRecordId}`) ?? [],
  }));
}
