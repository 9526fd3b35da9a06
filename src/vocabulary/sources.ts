/** The closed lists of contract 2.5, and the confidence of each source. */
export const SOURCES = [
  'osm',
  'plateau',
  'abr',
  'estat',
  'wikidata',
  'nominatim',
  'edinet',
  'jreit',
  'greenarchive',
  'greenbuilding',
  'mankan',
  'dnk',
] as const;
export type Source = (typeof SOURCES)[number];

export const EXTRACTION_METHODS = [
  'osm-tag',
  'osm-business-tag',
  'wikidata-claim',
  'geocode-reverse',
  'area-lookup',
  'poi-join',
  'citygml',
  'disclosure-table',
  'commons-imageinfo',
  'inherited-complex',
  'computed',
] as const;
export type ExtractionMethod = (typeof EXTRACTION_METHODS)[number];

/** REC-09: confidence is set per source and extraction method. Other pairs are rejected. */
export const CONFIDENCE: Readonly<Record<Source, Readonly<Partial<Record<ExtractionMethod, number>>>>> = {
  osm: { 'osm-tag': 0.8, 'osm-business-tag': 0.7, 'poi-join': 0.7 },
  plateau: { citygml: 0.9 },
  abr: { 'area-lookup': 0.95 },
  estat: { 'area-lookup': 0.9 },
  wikidata: { 'wikidata-claim': 0.75, 'commons-imageinfo': 0.7, 'inherited-complex': 0.5 },
  nominatim: { 'geocode-reverse': 0.7 },
  edinet: { 'disclosure-table': 0.95 },
  jreit: { 'disclosure-table': 0.95 },
  greenarchive: { 'disclosure-table': 0.85 },
  greenbuilding: { 'disclosure-table': 0.85 },
  mankan: { 'disclosure-table': 0.85 },
  dnk: { computed: 0.5 },
};

/** CON-08: a planned completion still in the future, and a year inferred from a filing year. */
export const PLANNED_OR_INFERRED_CONFIDENCE = 0.6;

/** Only these sources create buildings; all others describe existing ones. */
export const CREATING_SOURCES: ReadonlySet<Source> = new Set(['osm', 'plateau']);

/** CON-09: registers and disclosures contribute only if a record matches exactly one existing building. */
export const REGISTERS: ReadonlySet<string> = new Set<Source>([
  'greenbuilding',
  'greenarchive',
  'mankan',
  'jreit',
  'edinet',
]);

export function isSource(text: string): text is Source {
  return (SOURCES as readonly string[]).includes(text);
}

export function isExtractionMethod(text: string): text is ExtractionMethod {
  return (EXTRACTION_METHODS as readonly string[]).includes(text);
}

export function confidenceOf(source: Source, method: ExtractionMethod): number | undefined {
  return CONFIDENCE[source][method];
}
