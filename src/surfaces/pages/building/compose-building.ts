import type { BuildingPage, SourcesEntry } from '../../../vocabulary/building-page.ts';
import { SCALAR_FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { pluralise, shorten, withUnit } from '../format.ts';
import { type Html, html, safeLink } from '../html.ts';
import type { Page } from '../layout.ts';
import type { ReitHistories } from '../reit/publication-history.ts';
import { reitTab } from '../reit/reit-tab.ts';
import { buildingLinks } from './citation.ts';
import { buildingHeader, type Tab } from './header.ts';
import { displayName } from './names.ts';
import { overviewTab } from './overview.ts';
import { historyTab, sourcesTab, venuesTab } from './tabs.ts';

export function composeBuilding(
  t: Text,
  building: BuildingPage,
  tab: Tab,
  origin: string,
  reit: ReitHistories = [],
): Page {
  return {
    title: titleOf(building),
    description: describe(building),
    canonical: building.path,
    address: tab === 'overview' ? building.path : `${building.path}?tab=${tab}`,
    markdown: `${building.path}.md`,
    json: `/japan/api/v1/assets/${building.id}`,
    jsonLd: tab === 'overview' ? buildingJsonLd(building, origin) : undefined,
    section: 'buildings',
    hasMap: tab === 'overview',
    main: html`<article>${buildingHeader(building, tab)}${bodyOf(t, building, tab, origin, reit)}</article>`,
  };
}

function bodyOf(t: Text, building: BuildingPage, tab: Tab, origin: string, reit: ReitHistories): Html {
  switch (tab) {
    case 'overview':
      return overviewTab(building, origin);
    case 'venues':
      return venuesTab(building);
    case 'sources':
      return sourcesTab(building);
    case 'history':
      return historyTab(building);
    case 'reit':
      return reitTab(t, reit, building.id);
  }
}

function titleOf(building: BuildingPage): string {
  const { text, also, isKnown } = displayName(building);
  if (!isKnown) return `${text} ${building.id}`;
  return shorten(also === undefined ? text : `${text} (${also})`, 120);
}

/** For search results and link previews. */
function describe(building: BuildingPage): string {
  const { assetTypes, fields, location, counters } = building;
  const uses = assetTypes.map(({ category }) => CATEGORY_LABELS[category].en.toLowerCase()).join(', ');
  const { machiAza, ward, prefecture } = location;
  const place = [machiAza, ward, prefecture].map((area) => area.nameEn ?? area.nameJa).join(', ');
  const size = (['heightM', 'floorsAbove', 'yearBuilt'] as const).flatMap((name) => {
    const field = fields[name];
    return field === undefined ? [] : [`${SIZE_LABELS[name]} ${withUnit(name, field.value, field.unit)}`];
  });
  const evidence = `${pluralise(counters.fields, 'field')} from ${pluralise(counters.sources, 'source record')}.`;
  return shorten(`${[`${displayName(building).text}: ${uses} in ${place}`, ...size].join(', ')}. ${evidence}`, 300);
}

const SIZE_LABELS = { heightM: 'height', floorsAbove: 'floors', yearBuilt: 'built' } as const;

/** Fields that have a property of their own in schema.org. */
const SCHEMA_ORG_FIELDS: ReadonlySet<ScalarField> = new Set(['nameJa', 'nameEn', 'addressJa', 'postcode']);
const UNIT_CODES: Readonly<Record<string, string>> = { m: 'MTR', m2: 'MTK', '%': 'P1' };

function buildingJsonLd(building: BuildingPage, origin: string): object {
  const { id, fields, location, aliases } = building;
  const name = displayName(building);
  const { prefecture, ward, machiAza, lat, lon } = location;
  const also = [name.also, ...aliases.map(({ value }) => value)].filter((text) => text !== undefined);
  return {
    '@context': 'https://schema.org',
    '@type': 'Place',
    '@id': buildingLinks(building, origin).id,
    identifier: id,
    ...(name.isKnown && { name: name.text }),
    ...(also.length > 0 && { alternateName: also }),
    url: buildingLinks(building, origin).page,
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
    additionalProperty: SCALAR_FIELDS.filter((field) => !SCHEMA_ORG_FIELDS.has(field)).flatMap((field) => {
      const value = fields[field];
      if (value === undefined) return [];
      const unitCode = value.unit === null ? undefined : UNIT_CODES[value.unit];
      const unit = unitCode === undefined ? value.unit !== null && { unitText: value.unit } : { unitCode };
      return [{ '@type': 'PropertyValue', propertyID: field, value: value.value, ...unit }];
    }),
  };
}

/**
 * Records of other databases about this building. A Wikidata item may describe the complex instead (CON-12); it counts
 * only if a value of the building itself is published from it.
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
