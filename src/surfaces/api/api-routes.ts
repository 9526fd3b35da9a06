import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { tagOf } from '../../registry/records.ts';
import { originOf } from '../http/origin.ts';
import { sendFinished } from '../http/send-finished.ts';
import { type ApiContext, type ApiEndpoint, defineEndpoint, registerEndpoint } from './api-endpoint.ts';
import { areaEndpoints } from './areas.ts';
import { assetEndpoints } from './assets.ts';
import { DOCUMENT_EXAMPLE } from './examples.ts';
import { matchEndpoint } from './match.ts';
import { composeOpenApi, type OpenApiDocument } from './openapi.ts';
import { ownerEndpoint } from './owners.ts';
import { reitEndpoints } from './reit.ts';
import { sourceRecordEndpoint } from './source-records.ts';

const getOpenApi = defineEndpoint({
  path: '/openapi.json',
  operationId: 'getOpenApi',
  tag: 'This API',
  summary: 'Get this document',
  description: 'The OpenAPI document of the API as it runs here.',
  answer: {
    description: 'OpenAPI 3.1.',
    schema: Type.Object({
      openapi: Type.String({ description: 'The version of OpenAPI.' }),
      info: Type.Object({ title: Type.String(), version: Type.String() }),
      paths: Type.Object({}, { description: 'The endpoints.' }),
    }),
    example: DOCUMENT_EXAMPLE,
  },
  async handle({ document }, _, request, reply) {
    return sendFinished(request, reply, document);
  },
});

/** Every endpoint of v1. */
export const ENDPOINTS: readonly ApiEndpoint[] = [
  ...assetEndpoints,
  matchEndpoint,
  sourceRecordEndpoint,
  ...reitEndpoints,
  ...areaEndpoints,
  ownerEndpoint,
  getOpenApi,
];

interface ApiOptions extends Pick<ApiContext, 'registry' | 'reit' | 'stallMs'> {
  baseUrl: string | undefined;
  /** Requests per minute and client; 0 means no limit. */
  limit: number;
}

/** Registers the endpoints, and returns the document made from them (API-09). */
export function apiRoutes(app: FastifyInstance, { baseUrl, limit, ...context }: ApiOptions): OpenApiDocument {
  const document = composeOpenApi(ENDPOINTS, { baseUrl, limit });
  const body = Buffer.from(JSON.stringify(document));
  const finished = { etag: `"${tagOf(body)}"`, body };
  for (const definition of ENDPOINTS) {
    registerEndpoint(
      app,
      { ...context, document: finished, originOf: (request) => originOf(request, baseUrl, app) },
      definition,
    );
  }
  return document;
}
