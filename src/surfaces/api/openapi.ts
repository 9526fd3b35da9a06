import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from 'typebox';
import { type ApiProblem, ApiProblemSchema } from '../../vocabulary/building-page.ts';
import { NAMED_SCHEMAS, type PublishedSchema, schemaPublisher } from '../http/published-schemas.ts';
import { SERVER_FAULT } from '../http/refuse.ts';
import { API_ROOT } from '../http/surface.ts';
import { SILENT } from '../http/unavailable.ts';
import { COMMON_HEADERS, HEADERS, type HeaderName, introduction, TAGS } from './api-description.ts';
import type { ApiEndpoint, ErrorDescription } from './api-endpoint.ts';
import { exampleRefusal } from './parameters.ts';

/** VER-01: additions do not change it, so the document has no version of its own. */
const VERSION = 'v1';

type Data = Readonly<Record<string, unknown>>;
type Publish = (schema: object) => PublishedSchema;

export interface OpenApiDocument extends Data {
  openapi: string;
  paths: Readonly<Record<string, { readonly get: ApiOperation }>>;
  components: {
    readonly schemas: Readonly<Record<string, PublishedSchema>>;
    readonly headers: Data;
    readonly responses: Data;
  };
}

interface ApiOperation extends Data {
  operationId: string;
  responses: Readonly<Record<string, Data>>;
}

interface DocumentOptions {
  baseUrl: string | undefined;
  /** Requests per minute and client; 0 means no limit. */
  limit: number;
}

/** API-09, VER-02: made from the endpoints as they are registered, with the schemas that validate their requests. */
export function composeOpenApi(
  endpoints: readonly ApiEndpoint[],
  { baseUrl, limit }: DocumentOptions,
): OpenApiDocument {
  const { publish, components } = schemaPublisher(NAMED_SCHEMAS, '#/components/schemas/');
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => [`${API_ROOT}${endpoint.path}`, { get: describeOperation(endpoint, publish) }]),
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tatemono API',
      summary: 'The open building registry for Japan.',
      description: introduction(limit),
      version: VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl ?? '/', description: 'This service' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: sortKeys(components), headers: HEADERS, responses: sharedResponses(publish) },
  };
}

function describeOperation(endpoint: ApiEndpoint, publish: Publish): ApiOperation {
  const { answer, badRequest, notFound, busy, pathParameters = {}, queryParameters = {} } = endpoint;
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: [
      ...Object.entries(pathParameters).map(([name, schema]) => parameter(name, 'path', schema, publish)),
      ...Object.entries(queryParameters).map(([name, schema]) => parameter(name, 'query', schema, publish)),
    ],
    responses: {
      200: {
        description: answer.description,
        headers: answer.isNoStore
          ? { 'Cache-Control': { $ref: '#/components/headers/No-Store' }, ...headerRefs(['Vary', ...COMMON_HEADERS]) }
          : headerRefs(['ETag', 'Cache-Control', 'Vary', ...COMMON_HEADERS]),
        content: {
          [answer.mediaType ?? 'application/json']: { schema: publish(answer.schema), example: answer.example },
        },
      },
      ...(endpoint.redirects && { 301: responseRef('Moved') }),
      ...(!answer.isNoStore && { 304: responseRef('NotModified') }),
      ...(badRequest && {
        400: problem(400, { description: badRequest, detail: exampleRefusal(endpoint) }, publish),
      }),
      ...(notFound && { 404: problem(404, notFound, publish) }),
      429: responseRef('TooManyRequests'),
      500: responseRef('ServerFault'),
      503: busy
        ? { ...problem(503, busy, publish), headers: headerRefs(['Retry-After', ...COMMON_HEADERS]) }
        : responseRef('Unavailable'),
    },
  };
}

function parameter(name: string, place: 'path' | 'query', schema: TSchema, publish: Publish): Data {
  const { description, examples, ...rest } = schema as TSchema & { description?: string; examples?: unknown[] };
  const isShared = publish(schema).$ref !== undefined;
  return {
    name,
    in: place,
    required: place === 'path' || !Type.IsOptional(schema),
    description,
    schema: isShared ? publish(schema) : publish(rest),
    ...(examples === undefined ? {} : { example: examples[0] }),
  };
}

function sharedResponses(publish: Publish): Data {
  return {
    Moved: {
      description:
        'The building has another ID now: it was merged into another building or replaced by one. Follow Location.',
      headers: headerRefs(['Location', 'Cache-Control', ...COMMON_HEADERS]),
    },
    NotModified: {
      description: 'Not modified: the ETag sent as If-None-Match is still current.',
      headers: headerRefs(['ETag', 'Cache-Control', 'Vary', ...COMMON_HEADERS]),
    },
    TooManyRequests: {
      ...problem(
        429,
        {
          description: 'Over the limit. Send the request again after the number of seconds in Retry-After.',
          detail: 'the api surface allows 120 requests per minute; retry in 17 seconds',
        },
        publish,
      ),
      headers: headerRefs(['Retry-After', ...COMMON_HEADERS]),
    },
    ServerFault: problem(
      500,
      {
        description: 'The service failed. The request may be sent again.',
        detail: SERVER_FAULT,
      },
      publish,
    ),
    Unavailable: {
      ...problem(
        503,
        {
          description:
            'The database does not answer, or too many requests are waiting. Send the request again after the number of ' +
            'seconds in Retry-After.',
          detail: SILENT,
        },
        publish,
      ),
      headers: headerRefs(['Retry-After', ...COMMON_HEADERS]),
    },
  };
}

function problem(status: number, { description, detail }: ErrorDescription, publish: Publish): Data {
  const example: ApiProblem = { status, title: STATUS_CODES[status] ?? 'Error', detail };
  return {
    description,
    headers: headerRefs(COMMON_HEADERS),
    content: { 'application/problem+json': { schema: publish(ApiProblemSchema), example } },
  };
}

function headerRefs(names: readonly HeaderName[]): Data {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function responseRef(name: string): Data {
  return { $ref: `#/components/responses/${name}` };
}

function sortKeys<V>(object: Readonly<Record<string, V>>): Record<string, V> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
