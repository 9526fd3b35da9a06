import { type Static, Type } from 'typebox';
import { ASSET_ID_PATTERN } from './asset-id.ts';
import { CATEGORIES } from './categories.ts';
import { TIERS } from './evidence.ts';
import { FIELD_DESCRIPTIONS, FIELDS, type FieldDefinition, SCALAR_FIELDS, type ScalarField } from './fields.ts';
import { closed, Nullable, OneOf } from './schema.ts';
import { EXTRACTION_METHODS, SOURCES } from './sources.ts';

export const AssetIdSchema = Type.String({
  pattern: ASSET_ID_PATTERN,
  description: 'The public ID of a building: ASSET-JP-, the two-digit prefecture code, eight digits. Never reused.',
  examples: ['ASSET-JP-13-00000001'],
});
const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.', examples: ['2026-08-07T11:27:06Z'] });
const TierSchema = OneOf(TIERS, { description: 'What the value costs. Today every value is free.' });

const SOURCE_DESCRIPTION =
  'The source: osm (OpenStreetMap), plateau (Project PLATEAU city models), abr (Address Base Registry), estat ' +
  '(census areas), wikidata, nominatim (geocoding), edinet and jreit (disclosures of listed REITs), greenarchive and ' +
  'greenbuilding (environmental-plan registers of Tokyo), mankan (certified condominiums); dnk marks what the service ' +
  'computed itself.';

export const ProvenanceSchema = Type.Object(
  {
    source: OneOf(SOURCES, { description: SOURCE_DESCRIPTION }),
    sourceRecordId: Type.String({ description: 'The record inside the source.', examples: ['way/104390193'] }),
    sourceUrl: Type.String({ description: 'Where the value was taken from.' }),
    retrievedAt: Instant,
    extractionMethod: OneOf(EXTRACTION_METHODS, { description: 'How the value was read from the record.' }),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How far to trust it. Set per source and extraction method, not per value.',
      examples: [0.8],
    }),
  },
  { ...closed, description: 'Where a value comes from.' },
);

export const ConflictSchema = Type.Object(
  {
    value: Type.Union([Type.String(), Type.Number()], { description: 'The value of the losing candidate.' }),
    unit: Nullable(Type.String({ description: 'The unit of the value; null if it has none.' })),
    source: OneOf(SOURCES, { description: 'The source of the losing candidate.' }),
  },
  { ...closed, description: 'The best losing candidate whose value differs from the winner.' },
);

function valueSchema({ type }: FieldDefinition) {
  switch (type.kind) {
    case 'number':
      return Type.Number({ minimum: type.min, maximum: type.max });
    case 'integer':
      return Type.Integer({ minimum: type.min, maximum: type.max });
    case 'oneOf':
      return Type.String({ enum: [...type.values] });
    case 'postcode':
      return Type.String({ pattern: '^\\d{3}-\\d{4}$' });
    case 'month':
      return Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });
    case 'date':
      return Type.String({ format: 'date' });
    case 'text':
      return Type.String();
  }
}

const DisagreementSchema = Nullable(ConflictSchema);
export const EstimatedSchema = Type.Boolean({
  description: 'True if the service computed the value or inherited it from a complex.',
});

export const InheritedFromSchema = Type.Object(
  { nameJa: Nullable(Type.String()), nameEn: Nullable(Type.String()) },
  { ...closed, description: 'The complex from which the value is inherited; absent for other values.' },
);

function fieldValueSchema(field: ScalarField) {
  const definition: FieldDefinition = FIELDS[field];
  return Type.Object(
    {
      value: valueSchema(definition),
      unit: definition.unit === null ? Type.Null() : Type.Literal(definition.unit),
      tier: TierSchema,
      provenance: ProvenanceSchema,
      conflict: DisagreementSchema,
      estimated: EstimatedSchema,
      inheritedFrom: Type.Optional(InheritedFromSchema),
    },
    { ...closed, description: FIELD_DESCRIPTIONS[field] },
  );
}

export const FieldsSchema = Type.Object(
  Object.fromEntries(SCALAR_FIELDS.map((field) => [field, Type.Optional(fieldValueSchema(field))])),
  {
    ...closed,
    description:
      'The known values of the building, by field. A field that no source supplies is absent; clients must tolerate fields ' +
      'that are added later.',
  },
);

export const AssetTypeSchema = Type.Object(
  {
    value: Type.String({ description: 'The use as the winning source recorded it.', examples: ['train_station'] }),
    category: OneOf(CATEGORIES, { description: 'The category that the use resolves to; one entry per category.' }),
    tier: TierSchema,
    provenance: ProvenanceSchema,
  },
  closed,
);

export const AliasSchema = Type.Object(
  {
    value: Type.String({ description: 'Another name of the building, in any language.' }),
    tier: TierSchema,
    provenance: ProvenanceSchema,
  },
  closed,
);

export const AreaNameSchema = Type.Object(
  {
    code: Type.String({ description: 'The code of the area in the Address Base Registry.', examples: ['13101'] }),
    slug: Type.String({ description: 'The name of the area in paths and filters.', examples: ['chiyoda-ku'] }),
    nameJa: Type.String({ examples: ['千代田区'] }),
    nameEn: Nullable(Type.String({ examples: ['Chiyoda-ku'] })),
  },
  { ...closed, description: 'A prefecture, a ward or a machi-aza (a neighbourhood of an address).' },
);

export const LocationSchema = Type.Object(
  {
    lat: Nullable(Type.Number({ description: 'Latitude of the centre of the footprint, in degrees.' })),
    lon: Nullable(Type.Number({ description: 'Longitude of the centre of the footprint, in degrees.' })),
    meshCode: Nullable(Type.String({ pattern: '^\\d{8}$', description: 'JIS X 0410 third-order mesh cell.' })),
    prefecture: AreaNameSchema,
    ward: AreaNameSchema,
    machiAza: AreaNameSchema,
  },
  closed,
);

const PositionSchema = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });
const RingSchema = Type.Array(PositionSchema, { minItems: 4 });
export const PolygonSchema = Type.Object(
  { type: Type.Literal('Polygon'), coordinates: Type.Array(RingSchema) },
  { ...closed, description: 'GeoJSON: an outer ring, then the rings of its holes, each of [longitude, latitude].' },
);
export const MultiPolygonSchema = Type.Object(
  { type: Type.Literal('MultiPolygon'), coordinates: Type.Array(Type.Array(RingSchema)) },
  { ...closed, description: 'GeoJSON: several polygons.' },
);
export const GeometrySchema = Type.Union([PolygonSchema, MultiPolygonSchema], {
  description: 'The outline of the building as GeoJSON.',
});

export const FootprintSchema = Type.Object(
  {
    areaM2: Type.Number({ description: 'Measured from the outline, in square metres.' }),
    perimeterM: Type.Number({ description: 'Of the outer rings, in metres.' }),
    bbox: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'west, south, east, north' }),
    provenance: ProvenanceSchema,
  },
  closed,
);

export const SourcesEntrySchema = Type.Object(
  {
    source: OneOf(SOURCES, { description: SOURCE_DESCRIPTION }),
    sourceRecordId: Type.String({ description: 'The record inside the source.' }),
    sourceUrl: Type.String({ description: 'Where the record can be read.' }),
    fields: Type.Array(Type.String(), {
      description:
        'The fields whose published value is from this record, including aliases and assetTypes. Empty if it lost ' +
        'everything, or only supplied the outline.',
    }),
  },
  { ...closed, description: 'A source record that was consulted for the building.' },
);
export const SourcesSchema = Type.Array(SourcesEntrySchema);

export const VenueSchema = Type.Object(
  {
    nameJa: Nullable(Type.String()),
    nameEn: Nullable(Type.String()),
    category: Type.String({ description: 'The kind of venue, as the source states it.', examples: ['museum'] }),
    level: Nullable(Type.String({ description: 'The floor it is on.', examples: ['1'] })),
    provenance: ProvenanceSchema,
  },
  { ...closed, description: 'A place inside the building, such as a shop, a restaurant or a museum.' },
);

export const NearbySchema = Type.Object(
  {
    id: AssetIdSchema,
    path: Type.String({ description: 'The building page of the neighbour.' }),
    nameJa: Nullable(Type.String()),
    nameEn: Nullable(Type.String()),
    category: OneOf(CATEGORIES, { description: 'Its first use.' }),
    distanceM: Type.Number({ description: 'Between the centres, in metres.' }),
  },
  { ...closed, description: 'Another building close by.' },
);

export const HistorySchema = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    recordedAt: Instant,
    changedFields: Type.Array(Type.String(), {
      description: 'What changed since the previous version: fields, aliases, assetTypes, geometry, venues.',
    }),
  },
  {
    ...closed,
    description: 'One version of the record. Changed evidence makes a new version, even if the value stays the same.',
  },
);

/** ATT-01 */
export const AttributionSchema = Type.Object(
  {
    source: OneOf(SOURCES, { description: SOURCE_DESCRIPTION }),
    name: Type.String({ description: 'The name of the source.', examples: ['OpenStreetMap'] }),
    licence: Type.String({
      description: 'The licence or terms of its values. A proprietary source says so.',
      examples: ['ODbL 1.0'],
    }),
    licenceUrl: Type.String({ format: 'uri', description: 'Where the licence or the terms can be read.' }),
    credit: Type.String({
      description: 'What to show wherever values of the source are shown.',
      examples: ['© OpenStreetMap contributors'],
    }),
  },
  { ...closed, description: 'The licence of a source and the credit that it asks for.' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });
export const CountersSchema = Type.Object(
  {
    observations: count('Values that sources stated, winners and losers.'),
    sources: count('Entries of `sources`.'),
    fields: count('Published fields.'),
    aliases: count('Entries of `aliases`.'),
    venues: count('Entries of `venues`.'),
    versions: count('Entries of `history`.'),
    conflictsFlagged: count('Fields with a conflict; asset types are not counted.'),
  },
  closed,
);

/** REC-01: the record that every surface serves. */
export const BuildingPageSchema = Type.Object(
  {
    id: AssetIdSchema,
    path: Type.String({ description: 'The building page of this record.' }),
    assetTypes: Type.Array(AssetTypeSchema, { minItems: 1, description: 'What the building is used for.' }),
    fields: FieldsSchema,
    location: LocationSchema,
    aliases: Type.Array(AliasSchema, { description: 'Other names.' }),
    geometry: Nullable(GeometrySchema),
    footprint: Nullable(FootprintSchema),
    sources: SourcesSchema,
    venues: Type.Array(VenueSchema),
    nearby: Type.Array(NearbySchema, { maxItems: 8, description: 'Up to 8 within 500 m, nearest first.' }),
    history: Type.Array(HistorySchema, { minItems: 1, description: 'Newest first.' }),
    counters: CountersSchema,
    attribution: Type.Array(AttributionSchema, {
      description:
        'One entry for each source of a published field, use, alias, outline or venue, in the order of the list of sources; ' +
        'dnk for values that the registry computed.',
    }),
  },
  { ...closed, description: 'A building: each value with its source, its date and the best conflicting value.' },
);

export type BuildingPage = Static<typeof BuildingPageSchema>;
export type SourcesEntry = Static<typeof SourcesEntrySchema>;
export type Nearby = Static<typeof NearbySchema>;
export type Attribution = Static<typeof AttributionSchema>;
export type AreaName = Static<typeof AreaNameSchema>;

/** API-04: the body of every REST error. */
export const ApiProblemSchema = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status.', examples: [404] }),
    title: Type.String({ description: 'The name of the status.', examples: ['Not Found'] }),
    detail: Type.String({ description: 'Which part of the request failed; never the input itself.' }),
  },
  { ...closed, description: 'The body of every error.' },
);
export type ApiProblem = Static<typeof ApiProblemSchema>;
