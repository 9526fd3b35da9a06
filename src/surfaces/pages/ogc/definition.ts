import { ASSET_ID_PATTERN } from '../../../vocabulary/asset-id.ts';
import { OGC_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { PROPERTY_SCHEMAS } from './feature.ts';
import { FORMAT, ITEM_LIMITS, ITEM_PARAMETERS } from './read-items-query.ts';
import { PATHS, TYPES } from './resources.ts';

type Data = Record<string, unknown>;
type Schemas = keyof ReturnType<typeof componentSchemas>;

interface Operation {
  /** Below the root of the service, as OpenAPI writes it. */
  path: string;
  name: keyof Text['ogc']['operations'];
  parameters: readonly (keyof Text['ogc']['parameters'])[];
  type: string;
  schema: Schemas;
}

/** OGC-02: every resource of the service, for the document and the page that describe it. */
export const OPERATIONS: readonly Operation[] = [
  { path: '/', name: 'landing', parameters: [], type: TYPES.json, schema: 'landingPage' },
  { path: PATHS.api, name: 'api', parameters: [], type: TYPES.openApi, schema: 'document' },
  { path: PATHS.conformance, name: 'conformance', parameters: [], type: TYPES.json, schema: 'confClasses' },
  { path: PATHS.collections, name: 'collections', parameters: [], type: TYPES.json, schema: 'collections' },
  { path: PATHS.collection, name: 'collection', parameters: [], type: TYPES.json, schema: 'collection' },
  { path: PATHS.schema, name: 'schema', parameters: [], type: TYPES.schema, schema: 'document' },
  {
    ...{ path: PATHS.items, name: 'items', parameters: ITEM_PARAMETERS },
    ...{ type: TYPES.geojson, schema: 'featureCollectionGeoJSON' },
  },
  {
    ...{ path: `${PATHS.items}/{featureId}`, name: 'feature', parameters: ['featureId'] },
    ...{ type: TYPES.geojson, schema: 'featureGeoJSON' },
  },
];

/** OGC-02: the service as an OpenAPI 3.0 document. */
export function apiDefinition(origin: string, t: Text): object {
  const { ogc } = t;
  return {
    openapi: '3.0.3',
    info: { title: ogc.title, description: ogc.description, version: '1.0.0' },
    servers: [{ url: `${origin}${OGC_ROOT}` }],
    paths: Object.fromEntries(OPERATIONS.map((operation) => [operation.path, { get: describe(operation, t) }])),
    components: {
      parameters: parameters(t),
      schemas: componentSchemas(),
      responses: errorResponses(t),
    },
  };
}

const ref = (kind: 'parameters' | 'responses' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` });

function describe({ name, parameters, type, schema }: Operation, { ogc }: Text): Data {
  return {
    operationId: name,
    summary: ogc.operations[name],
    parameters: [...parameters, FORMAT.name].map((each) => ref('parameters', each)),
    responses: {
      200: { description: ogc.responses.ok, content: { [type]: { schema: ref('schemas', schema) } } },
      ...(name === 'feature' && { 301: { description: ogc.responses.moved } }),
      304: { description: ogc.responses.notModified },
      400: ref('responses', 'badRequest'),
      ...(name === 'feature' && { 404: ref('responses', 'notFound') }),
      429: ref('responses', 'tooMany'),
      500: ref('responses', 'fault'),
      503: ref('responses', 'unavailable'),
    },
  };
}

const ERRORS = ['badRequest', 'notFound', 'tooMany', 'fault', 'unavailable'] as const;

function errorResponses({ ogc }: Text): Data {
  const content = { 'application/problem+json': { schema: ref('schemas', 'problem') } };
  return Object.fromEntries(ERRORS.map((name) => [name, { description: ogc.responses[name], content }]));
}

/** OGC-05, OGC-06, OGC-07: as the standard defines them. */
function parameters({ ogc }: Text): Data {
  const inQuery = (name: (typeof ITEM_PARAMETERS)[number] | typeof FORMAT.name, schema: Data) => ({
    ...{ name, in: 'query', required: false, description: ogc.parameters[name] },
    ...{ schema, style: 'form', explode: false },
  });
  const id = { type: 'string', pattern: ASSET_ID_PATTERN };
  return {
    bbox: inQuery('bbox', { type: 'array', ...FOUR_OR_SIX, items: { type: 'number' } }),
    datetime: inQuery('datetime', { type: 'string' }),
    limit: inQuery('limit', { type: 'integer', minimum: 1, ...ITEM_LIMITS }),
    after: inQuery('after', id),
    f: inQuery('f', { type: 'string', enum: [FORMAT.value] }),
    featureId: {
      ...{ name: 'featureId', in: 'path', required: true, description: ogc.parameters.featureId },
      schema: id,
    },
  };
}

const FOUR_OR_SIX = {
  oneOf: [
    { minItems: 4, maxItems: 4 },
    { minItems: 6, maxItems: 6 },
  ],
};

const TEXT = { type: 'string' };
const object = (properties: Data, required = Object.keys(properties)) => ({
  ...{ type: 'object', properties },
  ...(required.length > 0 && { required }),
});
const listOf = (items: object) => ({ type: 'array', items });

function componentSchemas() {
  const links = listOf(ref('schemas', 'link'));
  const positions = (depth: number): object =>
    depth === 0 ? { type: 'array', minItems: 2, items: { type: 'number' } } : listOf(positions(depth - 1));
  const geometry = (type: string, depth: number) =>
    object({ type: { type: 'string', enum: [type] }, coordinates: positions(depth) });
  const feature = {
    type: { type: 'string', enum: ['Feature'] },
    geometry: ref('schemas', 'geometryGeoJSON'),
    properties: { type: 'object', properties: PROPERTY_SCHEMAS },
    id: TEXT,
  };
  return {
    link: object({ href: TEXT, rel: TEXT, type: TEXT, title: TEXT }, ['href', 'rel', 'type']),
    landingPage: object({ title: TEXT, description: TEXT, links }),
    confClasses: object({ conformsTo: listOf(TEXT) }),
    collections: object({ links, collections: listOf(ref('schemas', 'collection')) }),
    collection: object(
      {
        ...{ id: TEXT, title: TEXT, description: TEXT, links, itemType: TEXT, crs: listOf(TEXT) },
        extent: ref('schemas', 'extent'),
      },
      ['id', 'links'],
    ),
    extent: object(
      {
        spatial: object({
          bbox: { ...listOf({ type: 'array', ...FOUR_OR_SIX, items: { type: 'number' } }), minItems: 1 },
          crs: TEXT,
        }),
        temporal: object({
          interval: {
            ...listOf({ ...listOf({ ...TEXT, format: 'date-time', nullable: true }), minItems: 2, maxItems: 2 }),
            minItems: 1,
          },
        }),
      },
      [],
    ),
    featureCollectionGeoJSON: object({
      type: { type: 'string', enum: ['FeatureCollection'] },
      numberMatched: { type: 'integer', minimum: 0 },
      numberReturned: { type: 'integer', minimum: 0 },
      timeStamp: { type: 'string', format: 'date-time' },
      links,
      features: listOf(object(feature)),
    }),
    featureGeoJSON: object({ ...feature, links }),
    geometryGeoJSON: {
      nullable: true,
      oneOf: [geometry('Point', 0), geometry('Polygon', 2), geometry('MultiPolygon', 3)],
    },
    document: { type: 'object' },
    problem: object({ status: { type: 'integer' }, title: TEXT, detail: TEXT }),
  };
}

/** OGC-09: a building as a JSON Schema. */
export function featureSchema(t: Text): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: t.ogc.buildings,
    ...object({
      type: { type: 'string', enum: ['Feature'] },
      id: TEXT,
      properties: { type: 'object', properties: PROPERTY_SCHEMAS },
    }),
  };
}
