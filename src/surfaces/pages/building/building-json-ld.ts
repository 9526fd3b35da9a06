import type { BuildingPage, SourcesEntry } from '../../../vocabulary/building-page.ts';
import type { Provenance } from '../../../vocabulary/canonical.ts';
import { SCALAR_FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import type { ExtractionMethod } from '../../../vocabulary/sources.ts';
import { hubPath } from '../area-navigation.ts';
import type { FieldValue } from '../format.ts';
import { safeLink } from '../html.ts';
import { areaCrumbs, breadcrumbList, type GraphNode } from '../json-ld.ts';
import { buildingLinks } from './citation.ts';
import { fieldLabel, inheritance, isToCome } from './figures.ts';
import { displayName } from './names.ts';
import type { ShownBuilding } from './shown-building.ts';

/** Fields that have a property of their own in schema.org. */
const SCHEMA_ORG_FIELDS: ReadonlySet<ScalarField> = new Set(['nameJa', 'nameEn', 'addressJa', 'postcode']);
const UNIT_CODES: Readonly<Record<string, string>> = { m: 'MTR', m2: 'MTK', '%': 'P1' };

/** UI-28: the building as a place, and its breadcrumbs. */
export function buildingJsonLd(shown: ShownBuilding): GraphNode[] {
  const { building, t, origin } = shown;
  const { prefecture, ward, machiAza } = building.location;
  const { page } = buildingLinks(building, origin);
  const crumbs = areaCrumbs(t, origin, [prefecture, ward, machiAza]);
  const name = displayName(building, t).text;
  return [placeOf(shown), breadcrumbList(page, [...crumbs, { name, url: page }])];
}

function placeOf(shown: ShownBuilding): GraphNode {
  const { building, t, origin } = shown;
  const { id, fields, location, aliases } = building;
  const name = displayName(building, t);
  const { prefecture, ward, machiAza, lat, lon } = location;
  const also = [name.also, ...aliases.map(({ value }) => value)].filter((text) => text !== undefined);
  const same = sameRecords(building).flatMap(({ sourceUrl }) => safeLink(sourceUrl) ?? []);
  const links = buildingLinks(building, origin);
  return {
    '@type': 'Place',
    '@id': links.id,
    identifier: id,
    ...(name.isKnown && { name: name.text }),
    ...(also.length > 0 && { alternateName: also }),
    url: links.page,
    address: {
      '@type': 'PostalAddress',
      addressCountry: 'JP',
      addressRegion: prefecture.nameJa,
      addressLocality: ward.nameJa,
      ...(fields.addressJa && { streetAddress: fields.addressJa.value }),
      ...(fields.postcode && { postalCode: fields.postcode.value }),
    },
    ...(lat !== null && lon !== null && { geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lon } }),
    containedInPlace: {
      '@type': 'Place',
      '@id': `${origin}${hubPath([prefecture, ward, machiAza])}`,
      name: machiAza.nameJa,
    },
    ...(same.length > 0 && { sameAs: same }),
    additionalProperty: SCALAR_FIELDS.filter((field) => !SCHEMA_ORG_FIELDS.has(field)).flatMap((field) => {
      const value = fields[field];
      return value === undefined ? [] : [propertyOf(shown, field, value)];
    }),
  };
}

/** UI-28: an estimate, a value of the complex and a planned completion say so. */
function propertyOf({ building: { fields }, t, today }: ShownBuilding, field: ScalarField, of: FieldValue): object {
  const { value, unit, estimated, inheritedFrom } = of;
  const isPlanned = isToCome(field, fields, today);
  const unitCode = unit === null ? undefined : UNIT_CODES[unit];
  const description = [
    inheritance(t, inheritedFrom) ?? (estimated ? t.building.estimated : undefined),
    isPlanned ? t.building.planned : undefined,
  ].filter((remark) => remark !== undefined);
  return {
    '@type': 'PropertyValue',
    propertyID: isPlanned ? PLANNED_PROPERTIES[field] : field,
    name: fieldLabel(t, field, fields, today),
    value,
    ...(unitCode === undefined ? unit !== null && { unitText: unit } : { unitCode }),
    ...(description.length > 0 && { description: description.join(t.building.semicolon) }),
  };
}

/** What is still to come is no completion. */
const PLANNED_PROPERTIES: Readonly<Partial<Record<ScalarField, string>>> = {
  yearBuilt: 'plannedYear',
  completionMonth: 'plannedMonth',
};

/** Values about a complex, or about a business inside the building. */
const NOT_ABOUT_BUILDING: ReadonlySet<ExtractionMethod> = new Set([
  'inherited-complex',
  'osm-business-tag',
  'poi-join',
]);

/**
 * UI-28: records of other databases about this building: those from which its outline or a value of the building itself is
 * published. Another record may describe the complex (CON-12) or a shop inside.
 */
function sameRecords({ sources, fields, aliases, assetTypes, footprint }: BuildingPage): SourcesEntry[] {
  const values = [...Object.values(fields), ...aliases, ...assetTypes, ...(footprint === null ? [] : [footprint])];
  const keyOf = ({ source, sourceRecordId }: Pick<Provenance, 'source' | 'sourceRecordId'>) =>
    `${source} ${sourceRecordId}`;
  const own = new Set(
    values.flatMap((value) =>
      value === undefined || NOT_ABOUT_BUILDING.has(value.provenance.extractionMethod) ? [] : [keyOf(value.provenance)],
    ),
  );
  return sources.filter((entry) => (entry.source === 'osm' || entry.source === 'wikidata') && own.has(keyOf(entry)));
}
