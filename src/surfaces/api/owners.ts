import { Type } from 'typebox';
import { OwnerPortfolioSchema } from '../../vocabulary/api-shapes.ts';
import { OwnerSummariesSchema } from '../../vocabulary/building-summary.ts';
import { ViewSchema } from '../../vocabulary/search-arguments.ts';
import { BUSY, refuseBusy } from '../http/refuse.ts';
import { needsNoBody, sendStream } from '../http/send-finished.ts';
import { defineEndpoint } from './api-endpoint.ts';
import { OWNER_EXAMPLE } from './examples.ts';

/** OWN-01 */
export const ownerEndpoint = defineEndpoint({
  path: '/owners/{name}/assets',
  operationId: 'getOwnerPortfolio',
  tag: 'Owners',
  summary: 'List the buildings of an owner',
  description:
    'Every building whose published owner (`ownerPublic`) has this name, in one response. Case, character width and ' +
    'the amount of white space do not matter; a part of a name does not match. A name that nothing matches is not an ' +
    'error and gets an empty list.',
  queryParameters: { view: Type.Optional(ViewSchema) },
  pathParameters: { name: Type.String({ description: 'The name of the owner.', examples: ['東日本旅客鉄道'] }) },
  answer: {
    description: 'The owner and the buildings.',
    schema: Type.Union([OwnerPortfolioSchema, OwnerSummariesSchema]),
    example: OWNER_EXAMPLE,
  },
  badRequest: 'A path segment cannot be decoded, or the view is unknown.',
  busy: {
    description:
      'Too many large portfolios are being sent. Send the request again after the number of seconds in Retry-After.',
    detail: BUSY,
  },
  async handle({ registry, reit, stallMs }, { name, view }, request, reply) {
    const isEnough = needsNoBody(request);
    // FIT-11
    const summaries = view === 'summary' && { summaries: { served: await reit.servedBuildings('rest-json') } };
    const found = await registry.getPortfolio(name, { ...(isEnough && { isEnough }), ...summaries });
    return found.ok ? sendStream(request, reply, found.value, undefined, stallMs) : refuseBusy(reply);
  },
});
