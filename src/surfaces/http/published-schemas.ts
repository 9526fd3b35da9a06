import { AnchorsSchema } from '../../reit/publication/anchors.ts';
import {
  CitationSchema,
  EvidenceSchema,
  FractionSchema,
  HoldingSchema,
  OwnershipSchema,
  PeriodSchema,
} from '../../reit/publication/bundle.ts';
import {
  AgreementFieldSchema,
  AgreementSchema,
  DocumentSchema,
  EnvelopeSchema,
  FinancialCheckSchema,
  ObservationSchema,
  PublicationSchema,
} from '../../reit/publication/document.ts';
import { ConsensusSchema, MeasureSchema } from '../../reit/publication/measure.ts';
import { CatalogSchema, DatasetSchema } from '../../reit/publication/project-json-ld.ts';
import {
  AreaChildSchema,
  AreaSummarySchema,
  OwnerPortfolioSchema,
  SearchEnvelopeSchema,
} from '../../vocabulary/api-shapes.ts';
import {
  AliasSchema,
  ApiProblemSchema,
  AreaNameSchema,
  AssetIdSchema,
  AssetTypeSchema,
  AttributionSchema,
  BuildingPageSchema,
  ConflictSchema,
  CountersSchema,
  FieldsSchema,
  FootprintSchema,
  GeometrySchema,
  HistorySchema,
  InheritedFromSchema,
  LocationSchema,
  MultiPolygonSchema,
  NearbySchema,
  PolygonSchema,
  ProvenanceSchema,
  SourcesEntrySchema,
  VenueSchema,
} from '../../vocabulary/building-page.ts';
import {
  BuildingSummarySchema,
  OwnerSummariesSchema,
  SummaryConflictSchema,
  SummaryEnvelopeSchema,
  SummaryFieldSchema,
  SummaryFigureSchema,
  SummaryItemSchema,
} from '../../vocabulary/building-summary.ts';
import { MatchAnswerSchema, MatchCandidateSchema, MatchReasonSchema } from '../../vocabulary/match-shapes.ts';
import { SourceRecordSchema } from '../../vocabulary/source-record.ts';

/** The names of the schemas in generated clients. API-10: a published name stays. */
export const NAMED_SCHEMAS = {
  Alias: AliasSchema,
  ApiProblem: ApiProblemSchema,
  AreaChild: AreaChildSchema,
  AreaName: AreaNameSchema,
  AreaSummary: AreaSummarySchema,
  AssetId: AssetIdSchema,
  AssetType: AssetTypeSchema,
  Attribution: AttributionSchema,
  BuildingPage: BuildingPageSchema,
  BuildingSummary: BuildingSummarySchema,
  Conflict: ConflictSchema,
  Counters: CountersSchema,
  Fields: FieldsSchema,
  Footprint: FootprintSchema,
  Geometry: GeometrySchema,
  History: HistorySchema,
  InheritedFrom: InheritedFromSchema,
  Location: LocationSchema,
  MatchAnswer: MatchAnswerSchema,
  MatchCandidate: MatchCandidateSchema,
  MatchReason: MatchReasonSchema,
  MultiPolygon: MultiPolygonSchema,
  Nearby: NearbySchema,
  OwnerPortfolio: OwnerPortfolioSchema,
  OwnerSummaries: OwnerSummariesSchema,
  Polygon: PolygonSchema,
  Provenance: ProvenanceSchema,
  ReitAgreement: AgreementSchema,
  ReitAgreementField: AgreementFieldSchema,
  ReitAnchors: AnchorsSchema,
  ReitCatalog: CatalogSchema,
  ReitCitation: CitationSchema,
  ReitConsensus: ConsensusSchema,
  ReitDataset: DatasetSchema,
  ReitDocument: DocumentSchema,
  ReitEnvelope: EnvelopeSchema,
  ReitEvidence: EvidenceSchema,
  ReitFinancialCheck: FinancialCheckSchema,
  ReitFraction: FractionSchema,
  ReitHolding: HoldingSchema,
  ReitMeasure: MeasureSchema,
  ReitObservation: ObservationSchema,
  ReitOwnership: OwnershipSchema,
  ReitPeriod: PeriodSchema,
  ReitPublication: PublicationSchema,
  SearchEnvelope: SearchEnvelopeSchema,
  SourceRecord: SourceRecordSchema,
  SourcesEntry: SourcesEntrySchema,
  SummaryConflict: SummaryConflictSchema,
  SummaryEnvelope: SummaryEnvelopeSchema,
  SummaryField: SummaryFieldSchema,
  SummaryFigure: SummaryFigureSchema,
  SummaryItem: SummaryItemSchema,
  Venue: VenueSchema,
} as const;

/** A JSON Schema as published: plain data. */
export type PublishedSchema = Readonly<Record<string, unknown>>;

type Node = Readonly<Record<string, unknown>>;

/**
 * Turns the schemas that the service validates with into published ones. A named schema becomes a component below `root`
 * and is referred to wherever it is used. It is recognised by identity, so that nothing is described twice.
 */
export function schemaPublisher(named: Readonly<Record<string, object>>, root: string) {
  const nameOf = new Map(Object.entries(named).map(([name, schema]) => [identityOf(schema), name]));
  const components: Record<string, PublishedSchema> = {};

  const publish = (schema: object): PublishedSchema => {
    const name = nameOf.get(identityOf(schema));
    if (name === undefined) return publishInline(schema as Node);
    if (components[name] === undefined) {
      components[name] = {};
      components[name] = publishInline(schema as Node);
    }
    return { $ref: `${root}${name}` };
  };

  const publishInline = (schema: Node): PublishedSchema => {
    // VER-01: v1 may grow, and a closed schema would make clients refuse new properties.
    const { additionalProperties: _, properties, patternProperties, items, anyOf, ...rest } = schema;
    if (Array.isArray(anyOf)) return publishUnion(anyOf, rest);
    return {
      ...rest,
      ...(properties === undefined ? {} : { properties: mapValues(properties as Record<string, object>, publish) }),
      ...(patternProperties === undefined
        ? {}
        : { patternProperties: mapValues(patternProperties as Record<string, object>, publish) }),
      ...(items === undefined ? {} : { items: publish(items as object) }),
    };
  };

  /** `anyOf` of a plain schema and null becomes a schema of two types, which client generators handle best. */
  const publishUnion = (members: readonly Node[], rest: Node): PublishedSchema => {
    const [first, second, ...more] = members.map(publish);
    const isNullable = second?.type === 'null' && more.length === 0;
    if (isNullable && typeof first?.type === 'string' && first.enum === undefined) {
      return { ...first, ...rest, type: [first.type, 'null'] };
    }
    return { ...rest, anyOf: [first, second, ...more] };
  };

  return { publish, publishInline, components };
}

/** Type.Optional copies a schema, but not its properties. */
function identityOf(schema: object): unknown {
  return (schema as { properties?: object }).properties ?? schema;
}

function mapValues<V, W>(object: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
