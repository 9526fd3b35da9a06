import type { BuildingPage, SourcesEntry } from '../../../vocabulary/building-page.ts';
import { SCALAR_FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import { safeLink } from '../links.ts';
import { addressesOf } from './cite.ts';
import { nameOf } from './names.ts';

/** What schema.org has no property for. */
const OWN_PROPERTY: ReadonlySet<ScalarField> = new Set(['nameJa', 'nameEn', 'addressJa', 'postcode']);
const UNIT_CODES: Readonly<Record<string, string>> = { m: 'MTR', m2: 'MTK', '%': 'P1' };

/** The building in the words of schema.org. */
export function buildingJsonLd(building: BuildingPage, origin: string): object {
  const { id, fields, location, aliases } = building;
  const name = nameOf(building);
  const { prefecture, ward, machiAza, lat, lon } = location;
  const also = [name.also, ...aliases.map(({ value }) => value)].filter((text) => text !== undefined);
  return {
    '@context': 'https://schema.org',
    '@type': 'Place',
    '@id': addressesOf(building, origin).id,
    identifier: id,
    ...(name.isKnown && { name: name.text }),
    ...(also.length > 0 && { alternateName: also }),
    url: addressesOf(building, origin).page,
    address: {
      '@type': 'PostalAddress',
      addressCountry: 'JP',
      addressRegion: prefecture.nameJa,
      addressLocality: ward.nameJa,
      ...(fields.addressJa && { streetAddress: fields.addressJa.value }),
      ...(fields.postcode && { postalCode: fields.postcode.value }),
    },
    ...(lat !== null && lon !== null && { geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lon } }),
    containedInPlace: { '@type': 'Place', name: machiAza.nameJa },
    sameAs: sameRecords(building).flatMap(({ sourceUrl }) => safeLink(sourceUrl) ?? []),
    additionalProperty: SCALAR_FIELDS.filter((field) => !OWN_PROPERTY.has(field)).flatMap((field) => {
      const value = fields[field];
      if (value === undefined) return [];
      const unitCode = value.unit === null ? undefined : UNIT_CODES[value.unit];
      const unit = unitCode === undefined ? value.unit !== null && { unitText: value.unit } : { unitCode };
      return [{ '@type': 'PropertyValue', propertyID: field, value: value.value, ...unit }];
    }),
  };
}

/**
 * Records of other databases that are of this very building. An item of Wikidata may be of its complex (CON-12), and only
 * a published value of the building's own tells that it is not.
 */
function sameRecords({ sources, fields, aliases, assetTypes }: BuildingPage): SourcesEntry[] {
  const own = [...Object.values(fields), ...aliases, ...assetTypes]
    .flatMap((value) => (value === undefined ? [] : [value.provenance]))
    .filter(({ source, extractionMethod }) => source === 'wikidata' && extractionMethod !== 'inherited-complex');
  const items = new Set(own.map(({ sourceRecordId }) => sourceRecordId));
  return sources.filter(
    ({ source, sourceRecordId }) => source === 'osm' || (source === 'wikidata' && items.has(sourceRecordId)),
  );
}
