import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { GetFailure } from '../../registry/registry.ts';
import { searchWithReit } from '../../reit/life/search-with-reit.ts';
import { SearchEnvelopeSchema } from '../../vocabulary/api-shapes.ts';
import { formatAssetId } from '../../vocabulary/asset-id.ts';
import { AssetIdSchema, BuildingPageSchema, SourcesSchema } from '../../vocabulary/building-page.ts';
import { BuildingSummarySchema, SummaryEnvelopeSchema } from '../../vocabulary/building-summary.ts';
import { readSearchArguments, SearchArgumentsSchema, ViewSchema } from '../../vocabulary/search-arguments.ts';
import { describeTombstone } from '../http/describe-tombstone.ts';
import { sendProblem } from '../http/refuse.ts';
import { redirectCaching, sendFinished } from '../http/send-finished.ts';
import { API_ROOT } from '../http/surface.ts';
import { defineEndpoint } from './api-endpoint.ts';
import { BUILDING_EXAMPLE, SEARCH_EXAMPLE, SOURCES_EXAMPLE } from './examples.ts';

/** What the endpoints of one building have in common. */
export const OF_ONE_BUILDING = {
  pathParameters: { id: AssetIdSchema },
  redirects: true,
  badRequest: 'The id does not have the form of an asset ID, or cannot be decoded.',
  notFound: {
    description:
      'No building has, or ever had, this ID; or it was retired without a successor, and `detail` says what it was.',
    detail: 'no building has this id',
  },
} as const;

const searchAssets = defineEndpoint({
  path: '/assets',
  operationId: 'searchAssets',
  tag: 'Buildings',
  summary: 'Search buildings',
  description:
    'Finds buildings by words, area, use, figures and place; all parameters are optional and combine. Returns full ' +
    'records, or summaries with `view=summary`, 20 a page, the most recently recorded first, then by ID.\n\n' +
    'Each word of `q` must be a literal part of one and the same value (ID, Japanese name, English name, Japanese ' +
    'address, or one alias), so `東京 駅` finds 東京駅丸の内駅舎 but no building that has 東京 in its address and 駅 in its ' +
    'name only. An unknown slug or use is not an error and finds nothing.',
  queryParameters: SearchArgumentsSchema.properties,
  answer: {
    description: 'A page of buildings. A page past the last, or above 50, is empty.',
    schema: Type.Union([SearchEnvelopeSchema, SummaryEnvelopeSchema]),
    example: SEARCH_EXAMPLE,
  },
  badRequest:
    'The page is not a positive integer, another parameter is malformed, or a parameter is given twice or cannot be decoded.',
  async handle({ registry, reit }, given, request, reply) {
    const search = readSearchArguments(given);
    if (!search.ok) return sendProblem(reply, 400, `query parameters: ${search.failure}`);
    return sendFinished(request, reply, await searchWithReit(registry, reit, search.value, 'rest-json'));
  },
});

const getAsset = defineEndpoint({
  ...OF_ONE_BUILDING,
  path: '/assets/{id}',
  operationId: 'getAsset',
  tag: 'Buildings',
  summary: 'Get a building',
  description:
    'The whole record of one building: every field with its value, its unit, where it came from, and the best source ' +
    'that disagrees. An ID is never reused; an ID that was merged into another is answered with 301. With ' +
    '`view=summary`, every field without geometry, history and neighbours.',
  queryParameters: { view: Type.Optional(ViewSchema) },
  answer: {
    description: 'The record.',
    schema: Type.Union([BuildingPageSchema, BuildingSummarySchema]),
    example: BUILDING_EXAMPLE,
  },
  badRequest: 'The id does not have the form of an asset ID or cannot be decoded, or the view is unknown.',
  async handle({ registry }, { id, view }, request, reply) {
    const found = view === 'summary' ? await registry.getSummary(id) : await registry.getPage(id);
    return found.ok ? sendFinished(request, reply, found.value) : sendFailure(request, reply, found.failure, '');
  },
});

const getAssetSources = defineEndpoint({
  ...OF_ONE_BUILDING,
  path: '/assets/{id}/sources',
  operationId: 'getAssetSources',
  tag: 'Buildings',
  summary: 'List the sources of a building',
  description:
    'Every source record that was consulted for the building, and the fields whose published value is from it. A ' +
    'record that supplies no published value is listed too, with no fields.',
  answer: { description: 'One entry per source record.', schema: SourcesSchema, example: SOURCES_EXAMPLE },
  async handle({ registry }, { id }, request, reply) {
    const found = await registry.getSources(id);
    return found.ok
      ? sendFinished(request, reply, found.value)
      : sendFailure(request, reply, found.failure, '/sources');
  },
});

export const assetEndpoints = [searchAssets, getAsset, getAssetSources];

/** Answers for an ID without a building, or redirects to the building it leads to now (API-08). */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: GetFailure,
  subPath: string,
): FastifyReply {
  switch (failure.kind) {
    case 'malformedId':
      throw new Error('unreachable: the schema of the ID refuses it');
    case 'unknownBuilding':
      return sendProblem(reply, 404, OF_ONE_BUILDING.notFound.detail);
    case 'retiredBuilding':
      return sendProblem(reply, 404, describeTombstone(failure.tombstone));
    case 'movedBuilding': {
      const query = request.raw.url?.indexOf('?') ?? -1;
      const search = query === -1 ? '' : request.raw.url?.slice(query);
      reply.header('cache-control', redirectCaching(reply)).header('content-length', 0);
      return reply.redirect(`${API_ROOT}/assets/${formatAssetId(failure.survivor)}${subPath}${search}`, 301);
    }
  }
}
