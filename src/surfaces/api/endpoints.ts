import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { EnvelopeSchema } from '../../reit/publication/envelope.ts';
import { CatalogSchema } from '../../reit/publication/project-json-ld.ts';
import {
  AreaSummarySchema,
  OwnerPortfolioSchema,
  SearchEnvelopeSchema,
  SearchQuerySchema,
} from '../../vocabulary/api-shapes.ts';
import { AssetIdSchema, BuildingPageSchema, SourcesSchema } from '../../vocabulary/building-page.ts';
import { BUSY_SECONDS } from '../http/problem.ts';
import {
  AREA_EXAMPLES,
  BUILDING_EXAMPLE,
  DOCUMENT_EXAMPLE,
  OWNER_EXAMPLE,
  SEARCH_EXAMPLE,
  SOURCES_EXAMPLE,
} from './examples.ts';
import { REIT_CATALOG_EXAMPLE, REIT_CSV_EXAMPLE, REIT_EXAMPLE } from './reit-examples.ts';

export type Tag = 'Buildings' | 'REIT histories' | 'Areas' | 'Owners' | 'This API';

/** One endpoint as the document tells of it. Every one of them answers GET and HEAD. */
export interface EndpointDescription {
  /** Below the root of the API, as OpenAPI writes it. */
  path: string;
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  pathParameters: Readonly<Record<string, TSchema>>;
  queryParameters: Readonly<Record<string, TSchema>>;
  answer: {
    description: string;
    schema: TSchema;
    example: unknown;
    /** JSON unless told otherwise. */
    mediaType?: string;
    /** Nothing may be kept of it, so that it has no tag either. */
    isFleeting?: true;
  };
  /** Says that a merged or retired ID leads on. */
  moves: boolean;
  badRequest: Refusal | undefined;
  notFound: Refusal | undefined;
  /** Says when the service asks a client to come again later. */
  busy?: Refusal;
}

/** When an error comes, and a detail such as it has. */
export interface Refusal {
  description: string;
  detail: string;
}

const id = AssetIdSchema;
const slug = (description: string, example: string) => Type.String({ description, examples: [example] });
const prefecture = slug('Slug of the prefecture.', 'tokyo');
const ward = slug('Slug of the ward, city, town or village in the prefecture.', 'chiyoda-ku');
const machiAza = slug('Slug of the machi-aza (neighbourhood) in the ward.', 'marunouchi-1-chome');

const MALFORMED_ID: Refusal = {
  description: 'The id does not have the form of an asset ID, or does not decode.',
  detail: 'path parameters: id must have the form ASSET-JP-NN-NNNNNNNN',
};
const UNKNOWN_ID: Refusal = {
  description: 'No building has, or ever had, this ID; or it was retired and nothing stands in its place.',
  detail: 'no building has this id',
};
const BAD_QUERY: Refusal = {
  description: 'The page is no positive integer, or a parameter is given twice or does not decode.',
  detail: 'query parameters: page must be a positive integer',
};
const UNDECODABLE: Refusal = {
  description: 'A path segment does not decode.',
  detail: 'path parameters: a percent-escape cannot be decoded',
};
const NO_AREA: Refusal = {
  description: 'No published building is in such an area.',
  detail: 'no published building is in such an area',
};

const DocumentSchema = Type.Object({
  openapi: Type.String({ description: 'The version of OpenAPI.' }),
  info: Type.Object({ title: Type.String(), version: Type.String() }),
  paths: Type.Object({}, { description: 'The endpoints.' }),
});

/** Every endpoint of v1; the document is made from this list (API-09). */
export const ENDPOINTS: readonly EndpointDescription[] = [
  {
    path: '/assets',
    operationId: 'searchAssets',
    tag: 'Buildings',
    summary: 'Search buildings',
    description:
      'Finds buildings by words, by area and by use; all parameters are optional and combine. Answers with full records, ' +
      '20 a page, the most recently recorded first, then by ID.\n\n' +
      'Each word of `q` must be a literal part of one and the same value (ID, Japanese name, English name, Japanese ' +
      'address, or one alias), so `東京 駅` finds 東京駅丸の内駅舎 but no building that has 東京 in its address and 駅 in its ' +
      'name only. An unknown slug or use finds nothing; that is no error.',
    pathParameters: {},
    queryParameters: SearchQuerySchema.properties,
    answer: {
      description: 'A page of buildings. A page past the last, or above 50, is empty.',
      schema: SearchEnvelopeSchema,
      example: SEARCH_EXAMPLE,
    },
    moves: false,
    badRequest: BAD_QUERY,
    notFound: undefined,
  },
  {
    path: '/assets/{id}',
    operationId: 'getAsset',
    tag: 'Buildings',
    summary: 'Get a building',
    description:
      'The whole record of one building: every field with its value, its unit, where it came from, and the best source ' +
      'that disagrees. An ID is never reused; one that was merged into another answers 301.',
    pathParameters: { id },
    queryParameters: {},
    answer: { description: 'The record.', schema: BuildingPageSchema, example: BUILDING_EXAMPLE },
    moves: true,
    badRequest: MALFORMED_ID,
    notFound: UNKNOWN_ID,
  },
  {
    path: '/assets/{id}/sources',
    operationId: 'getAssetSources',
    tag: 'Buildings',
    summary: 'List the sources of a building',
    description:
      'Every source record that was consulted for the building, and the fields that each of them won. A record that ' +
      'lost everything is listed too, with no fields.',
    pathParameters: { id },
    queryParameters: {},
    answer: { description: 'One entry per source record.', schema: SourcesSchema, example: SOURCES_EXAMPLE },
    moves: true,
    badRequest: MALFORMED_ID,
    notFound: UNKNOWN_ID,
  },
  {
    path: '/assets/{id}/reit',
    operationId: 'getAssetReit',
    tag: 'REIT histories',
    summary: 'Get the REIT history of a building',
    description:
      'The reviewed property histories of the REITs that hold an interest in the building: one publication for each ' +
      'property of an issuer. A publication describes the interest, which may be a part of the building. Every figure ' +
      'leads to the source revision that states it and to a place in a public document; `agreement` says how far the ' +
      'sources agree, which is no audit. Amounts are exact decimal strings in base units. What was accepted under an id ' +
      'never changes; it may be withdrawn, and then is gone at once.',
    pathParameters: { id },
    queryParameters: {},
    answer: {
      description: 'What is accepted; an empty list where nothing is.',
      schema: EnvelopeSchema,
      example: REIT_EXAMPLE,
      isFleeting: true,
    },
    moves: true,
    badRequest: MALFORMED_ID,
    notFound: UNKNOWN_ID,
  },
  {
    path: '/assets/{id}/reit.csv',
    operationId: 'getAssetReitCsv',
    tag: 'REIT histories',
    summary: 'Get the figures of the REIT history as CSV',
    description:
      'One row per metric, matched holding and period (RFC 4180, UTF-8), for spreadsheets; the header always. `value` is ' +
      'the exact amount on which the sources agree, empty where they do not; `state` and `agreement` say why. ' +
      '`observations` and `citations` are JSON. Transactions and ownership are in the JSON only.',
    pathParameters: { id },
    queryParameters: {},
    answer: {
      description: 'The figures; the header alone where nothing is accepted.',
      schema: Type.String(),
      example: REIT_CSV_EXAMPLE,
      mediaType: 'text/csv',
      isFleeting: true,
    },
    moves: true,
    badRequest: MALFORMED_ID,
    notFound: UNKNOWN_ID,
  },
  {
    path: '/assets/{id}/reit.jsonld',
    operationId: 'getAssetReitCatalog',
    tag: 'REIT histories',
    summary: 'Get a catalogue of the REIT history',
    description:
      'A schema.org DataCatalog of the accepted publications: what there is, when it was computed, what it cites and ' +
      'where the whole can be read. It repeats no figures.',
    pathParameters: { id },
    queryParameters: {},
    answer: {
      description: 'The catalogue, empty where nothing is accepted.',
      schema: CatalogSchema,
      example: REIT_CATALOG_EXAMPLE,
      isFleeting: true,
    },
    moves: true,
    badRequest: MALFORMED_ID,
    notFound: UNKNOWN_ID,
  },
  {
    path: '/areas/{prefecture}',
    operationId: 'getPrefecture',
    tag: 'Areas',
    summary: 'Summarise a prefecture',
    description:
      'How many buildings of the prefecture are published, when a record of one of them last changed, its wards with ' +
      'their counts, and how many of the buildings have each field.',
    pathParameters: { prefecture },
    queryParameters: {},
    answer: {
      description: 'The prefecture and its wards.',
      schema: AreaSummarySchema,
      example: AREA_EXAMPLES.prefecture,
    },
    moves: false,
    badRequest: UNDECODABLE,
    notFound: NO_AREA,
  },
  {
    path: '/areas/{prefecture}/{ward}',
    operationId: 'getWard',
    tag: 'Areas',
    summary: 'Summarise a ward',
    description: 'The same for a ward, with its machi-aza.',
    pathParameters: { prefecture, ward },
    queryParameters: {},
    answer: { description: 'The ward and its machi-aza.', schema: AreaSummarySchema, example: AREA_EXAMPLES.ward },
    moves: false,
    badRequest: UNDECODABLE,
    notFound: NO_AREA,
  },
  {
    path: '/areas/{prefecture}/{ward}/{machiAza}',
    operationId: 'getMachiAza',
    tag: 'Areas',
    summary: 'Summarise a machi-aza',
    description: 'The same for a machi-aza. Nothing lies below it, so it has no children.',
    pathParameters: { prefecture, ward, machiAza },
    queryParameters: {},
    answer: { description: 'The machi-aza.', schema: AreaSummarySchema, example: AREA_EXAMPLES.machiAza },
    moves: false,
    badRequest: UNDECODABLE,
    notFound: NO_AREA,
  },
  {
    path: '/owners/{name}/assets',
    operationId: 'getOwnerPortfolio',
    tag: 'Owners',
    summary: 'List the buildings of an owner',
    description:
      'Every building whose published owner (`ownerPublic`) has this name, in one answer. Case, character width and ' +
      'the amount of white space do not matter; a part of a name does not match. A name that nothing matches gets an ' +
      'empty list; that is no error.',
    pathParameters: { name: Type.String({ description: 'The name of the owner.', examples: ['東日本旅客鉄道'] }) },
    queryParameters: {},
    answer: { description: 'The owner and the buildings.', schema: OwnerPortfolioSchema, example: OWNER_EXAMPLE },
    moves: false,
    badRequest: UNDECODABLE,
    notFound: undefined,
    busy: {
      description: 'Too many large portfolios are being sent. Wait the seconds of Retry-After, then ask again.',
      detail: `too many long answers are being sent; retry in ${BUSY_SECONDS} seconds`,
    },
  },
  {
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'This API',
    summary: 'Get this document',
    description: 'The OpenAPI document of the API as it runs here.',
    pathParameters: {},
    queryParameters: {},
    answer: { description: 'OpenAPI 3.1.', schema: DocumentSchema, example: DOCUMENT_EXAMPLE },
    moves: false,
    badRequest: undefined,
    notFound: undefined,
  },
];
