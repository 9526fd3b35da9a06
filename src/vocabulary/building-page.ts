import { type Static, Type } from 'typebox';
import { ASSET_ID_PATTERN } from './asset-id.ts';
import { CATEGORIES } from './categories.ts';
import { TIERS } from './evidence.ts';
import { FIELDS, type FieldDefinition, SCALAR_FIELDS, type ScalarField } from './fields.ts';
import { EXTRACTION_METHODS, SOURCES } from './sources.ts';

const closed = { additionalProperties: false } as const;
const Nullable = <S extends ReturnType<typeof Type.Unsafe> | object>(schema: S) => Type.Union([schema, Type.Null()]);
const OneOf = <const V extends readonly string[]>(values: V, options = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });

export const AssetIdSchema = Type.String({
  pattern: ASSET_ID_PATTERN,
  description: 'The public ID of a building: ASSET-JP-, the two-digit prefecture code, eight digits. Never reused.',
  examples: ['ASSET-JP-13-00000001'],
});
const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const TierSchema = OneOf(TIERS, { description: 'What the value costs. Today every value is free.' });

export const ProvenanceSchema = Type.Object(
  {
    source: OneOf(SOURCES, { description: 'Who said it; dnk marks what the service computed itself.' }),
    sourceRecordId: Type.String({ description: 'The record inside the source.' }),
    sourceUrl: Type.String({ description: 'Where the value was taken from.' }),
    retrievedAt: Instant,
    extractionMethod: OneOf(EXTRACTION_METHODS),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Set per source and extraction method.' }),
  },
  closed,
);

export const ConflictSchema = Type.Object(
  {
    value: Type.Union([Type.String(), Type.Number()]),
    unit: Nullable(Type.String()),
    source: OneOf(SOURCES),
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

function fieldValueSchema(field: ScalarField) {
  const definition: FieldDefinition = FIELDS[field];
  return Type.Object(
    {
      value: valueSchema(definition),
      unit: definition.unit === null ? Type.Null() : Type.Literal(definition.unit),
      tier: TierSchema,
      provenance: ProvenanceSchema,
      conflict: Nullable(ConflictSchema),
      estimated: Type.Boolean({ description: 'True where the service computed the value instead of reading it.' }),
      inheritedFrom: Type.Optional(
        Type.Object({ nameJa: Nullable(Type.String()), nameEn: Nullable(Type.String()) }, closed),
      ),
    },
    closed,
  );
}

export const FieldsSchema = Type.Object(
  Object.fromEntries(SCALAR_FIELDS.map((field) => [field, Type.Optional(fieldValueSchema(field))])),
  closed,
);

export const AssetTypeSchema = Type.Object(
  {
    value: Type.String({ description: 'The use as the winning source recorded it.' }),
    category: OneOf(CATEGORIES),
    tier: TierSchema,
    provenance: ProvenanceSchema,
  },
  closed,
);

const AliasSchema = Type.Object({ value: Type.String(), tier: TierSchema, provenance: ProvenanceSchema }, closed);

const AreaNameSchema = Type.Object(
  { code: Type.String(), slug: Type.String(), nameJa: Type.String(), nameEn: Nullable(Type.String()) },
  closed,
);

const LocationSchema = Type.Object(
  {
    lat: Nullable(Type.Number()),
    lon: Nullable(Type.Number()),
    meshCode: Nullable(Type.String({ pattern: '^\\d{8}$', description: 'JIS X 0410 third-order mesh cell.' })),
    prefecture: AreaNameSchema,
    ward: AreaNameSchema,
    machiAza: AreaNameSchema,
  },
  closed,
);

const PositionSchema = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });
const RingSchema = Type.Array(PositionSchema, { minItems: 4 });
const GeometrySchema = Type.Union([
  Type.Object({ type: Type.Literal('Polygon'), coordinates: Type.Array(RingSchema) }, closed),
  Type.Object({ type: Type.Literal('MultiPolygon'), coordinates: Type.Array(Type.Array(RingSchema)) }, closed),
]);

const FootprintSchema = Type.Object(
  {
    areaM2: Type.Number(),
    perimeterM: Type.Number(),
    bbox: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'west, south, east, north' }),
    provenance: ProvenanceSchema,
  },
  closed,
);

export const SourcesEntrySchema = Type.Object(
  {
    source: OneOf(SOURCES),
    sourceRecordId: Type.String(),
    sourceUrl: Type.String(),
    fields: Type.Array(Type.String(), { description: 'The fields this record won; may be empty.' }),
  },
  closed,
);
export const SourcesSchema = Type.Array(SourcesEntrySchema);

const VenueSchema = Type.Object(
  {
    nameJa: Nullable(Type.String()),
    nameEn: Nullable(Type.String()),
    category: Type.String(),
    level: Nullable(Type.String()),
    provenance: ProvenanceSchema,
  },
  closed,
);

const NearbySchema = Type.Object(
  {
    id: AssetIdSchema,
    path: Type.String(),
    nameJa: Nullable(Type.String()),
    nameEn: Nullable(Type.String()),
    category: OneOf(CATEGORIES),
    distanceM: Type.Number(),
  },
  closed,
);

const HistorySchema = Type.Object(
  { version: Type.Integer({ minimum: 1 }), recordedAt: Instant, changedFields: Type.Array(Type.String()) },
  closed,
);

const count = () => Type.Integer({ minimum: 0 });
const CountersSchema = Type.Object(
  {
    observations: count(),
    sources: count(),
    fields: count(),
    aliases: count(),
    venues: count(),
    versions: count(),
    conflictsFlagged: count(),
  },
  closed,
);

/** REC-01: the record that every surface serves. */
export const BuildingPageSchema = Type.Object(
  {
    id: AssetIdSchema,
    path: Type.String({ description: 'The building page of this record.' }),
    assetTypes: Type.Array(AssetTypeSchema, { minItems: 1 }),
    fields: FieldsSchema,
    location: LocationSchema,
    aliases: Type.Array(AliasSchema),
    geometry: Nullable(GeometrySchema),
    footprint: Nullable(FootprintSchema),
    sources: SourcesSchema,
    venues: Type.Array(VenueSchema),
    nearby: Type.Array(NearbySchema, { maxItems: 8 }),
    history: Type.Array(HistorySchema, { minItems: 1 }),
    counters: CountersSchema,
  },
  closed,
);

export type BuildingPage = Static<typeof BuildingPageSchema>;
export type SourcesEntry = Static<typeof SourcesEntrySchema>;
export type Nearby = Static<typeof NearbySchema>;
export type AreaName = Static<typeof AreaNameSchema>;

/** API-04: the body of every REST error. */
export const ApiProblemSchema = Type.Object(
  {
    status: Type.Integer(),
    title: Type.String(),
    detail: Type.String({ description: 'Which part of the request failed; never the input itself.' }),
  },
  closed,
);
export type ApiProblem = Static<typeof ApiProblemSchema>;
