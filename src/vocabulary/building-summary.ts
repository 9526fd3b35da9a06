import { type Static, Type } from 'typebox';
import { SearchEnvelopeSchema } from './api-shapes.ts';
import {
  AssetIdSchema,
  AttributionSchema,
  type BuildingPage,
  EstimatedSchema,
  FieldsSchema,
  ProvenanceSchema,
  SourcesEntrySchema,
} from './building-page.ts';
import { CATEGORIES } from './categories.ts';
import { closed, Nullable, OneOf } from './schema.ts';
import { SOURCES } from './sources.ts';

/** FIT-08: the fields that a summary in a list has. */
export const SUMMARY_FIGURES = ['heightM', 'floorsAbove', 'yearBuilt', 'gfaM2', 'footprintM2', 'ownerPublic'] as const;
type FigureName = (typeof SUMMARY_FIGURES)[number];

const Source = OneOf(SOURCES, { description: 'The source of the value.' });
const Value = Type.Union([Type.String(), Type.Number()]);
const { confidence, retrievedAt } = ProvenanceSchema.properties;

export const SummaryConflictSchema = Type.Object(
  { value: Value, source: Source },
  { ...closed, description: 'The best losing value that differs from the winner.' },
);

const figure = {
  value: Value,
  unit: Nullable(Type.String({ description: 'The unit of the value; null if it has none.' })),
  source: Source,
  confidence,
  estimated: EstimatedSchema,
  conflict: Nullable(SummaryConflictSchema),
};

export const SummaryFigureSchema = Type.Object(figure, {
  ...closed,
  description: 'A published value, with its source.',
});
export type SummaryFigure = Static<typeof SummaryFigureSchema>;
export const SummaryFieldSchema = Type.Object(
  { ...figure, retrievedAt },
  { ...closed, description: 'A published value, with its source and its date.' },
);
export type SummaryField = Static<typeof SummaryFieldSchema>;

const named = {
  id: AssetIdSchema,
  path: Type.String({ description: 'The building page of this record.' }),
  nameJa: Nullable(Type.String()),
  nameEn: Nullable(Type.String()),
  addressJa: Nullable(Type.String()),
  categories: Type.Array(OneOf(CATEGORIES), { description: 'The categories of its uses.' }),
  lat: Nullable(Type.Number({ description: 'Latitude of the centre of the footprint, in degrees.' })),
  lon: Nullable(Type.Number({ description: 'Longitude of the centre of the footprint, in degrees.' })),
};

/** FIT-08: one building of a list. */
export const SummaryItemSchema = Type.Object(
  {
    ...named,
    conflictsFlagged: Type.Integer({ minimum: 0, description: 'Fields on which sources disagree.' }),
    hasReit: Type.Boolean({ description: 'Whether an accepted REIT publication can be read for it here.' }),
    figures: Type.Object(
      Object.fromEntries(SUMMARY_FIGURES.map((name) => [name, Type.Optional(SummaryFigureSchema)])) as Record<
        FigureName,
        ReturnType<typeof Type.Optional<typeof SummaryFigureSchema>>
      >,
      { ...closed, description: 'The main figures that are known.' },
    ),
    distanceM: Type.Optional(
      Type.Number({ minimum: 0, description: 'With near: metres from there to the footprint, 0 inside.' }),
    ),
  },
  { ...closed, description: 'A building in few words.' },
);
export type SummaryItem = Static<typeof SummaryItemSchema>;

const { page, total, totalCapped } = SearchEnvelopeSchema.properties;

/** FIT-01: a page of summaries. */
export const SummaryEnvelopeSchema = Type.Object(
  {
    view: Type.Literal('summary'),
    items: Type.Array(SummaryItemSchema, { description: 'One summary per building, in the requested order.' }),
    page,
    total,
    totalCapped,
  },
  closed,
);

export type SummaryEnvelope = Static<typeof SummaryEnvelopeSchema>;

/** FIT-11: the buildings of an owner as summaries. */
export const OwnerSummariesSchema = Type.Object(
  {
    view: Type.Literal('summary'),
    owner: Type.String({ description: 'The owner as recorded; the requested name if nothing matches.' }),
    items: Type.Array(SummaryItemSchema, {
      description: 'One summary per building, the most recently recorded first.',
    }),
  },
  closed,
);

const { source, sourceRecordId, sourceUrl } = SourcesEntrySchema.properties;

/** FIT-10: one building, every field, without geometry, history and neighbours. */
export const BuildingSummarySchema = Type.Object(
  {
    ...named,
    fields: Type.Object(
      Object.fromEntries(Object.keys(FieldsSchema.properties).map((name) => [name, Type.Optional(SummaryFieldSchema)])),
      { ...closed, description: 'Every known field.' },
    ),
    aliases: Type.Array(Type.String(), { description: 'Other names.' }),
    sources: Type.Array(Type.Object({ source, sourceRecordId, sourceUrl }, closed), {
      description: 'The source records that were consulted.',
    }),
    attribution: Type.Array(AttributionSchema, {
      description: 'The licence and the credit of each source of a value.',
    }),
  },
  { ...closed, description: 'A building without geometry, history and neighbours.' },
);

export type BuildingSummary = Static<typeof BuildingSummarySchema>;

type Field = NonNullable<BuildingPage['fields'][string]>;
type Head = Pick<BuildingPage, 'id' | 'path' | 'fields' | 'assetTypes' | 'location'>;

const textOf = (field: Field | undefined) => (field === undefined ? null : String(field.value));

function nameParts({ id, path, fields, assetTypes, location: { lat, lon } }: Head) {
  return {
    id,
    path,
    nameJa: textOf(fields.nameJa),
    nameEn: textOf(fields.nameEn),
    addressJa: textOf(fields.addressJa),
    categories: assetTypes.map(({ category }) => category),
    lat,
    lon,
  };
}

const toConflict = ({ conflict }: Field) => conflict && { value: conflict.value, source: conflict.source };

/** FIT-10 */
export function toBuildingSummary(record: Head & Pick<BuildingPage, 'aliases' | 'sources' | 'attribution'>) {
  const fields = Object.entries(record.fields).map(([name, field]) => {
    const { value, unit, provenance, estimated } = field as Field;
    const { source, retrievedAt, confidence } = provenance;
    return [name, { value, unit, source, retrievedAt, confidence, estimated, conflict: toConflict(field as Field) }];
  });
  return {
    ...nameParts(record),
    fields: Object.fromEntries(fields),
    aliases: record.aliases.map(({ value }) => value),
    sources: record.sources.map(({ source, sourceRecordId, sourceUrl }) => ({ source, sourceRecordId, sourceUrl })),
    attribution: record.attribution,
  };
}
