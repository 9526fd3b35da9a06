import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseBody, tagOf } from '../../../registry/records.ts';
import { formatAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { describeTombstone } from '../../http/describe-tombstone.ts';
import { endpoint } from '../../http/endpoint.ts';
import { refuse, refuseBusy } from '../../http/refuse.ts';
import {
  REVALIDATE,
  type Representation,
  redirectCaching,
  sendFinished,
  sendStream,
} from '../../http/send-finished.ts';
import { OGC_ROOT } from '../../http/surface.ts';
import type { PageSettings } from '../page-settings.ts';
import { RELEASE } from '../release.ts';
import { readParameters } from '../request-target.ts';
import { type PageContext, sendPage, toFinished } from '../send-page.ts';
import { apiDefinition, featureSchema } from './definition.ts';
import { definitionPage } from './definition-page.ts';
import { toOgcFeature } from './feature.ts';
import { ITEM_PARAMETERS, readItemsQuery, readKnown } from './read-items-query.ts';
import {
  BUILDINGS,
  CONFORMANCE,
  collection,
  collections,
  type Link,
  landingPage,
  linkTo,
  PATHS,
  type Resource,
  TYPES,
  toLinkHeader,
} from './resources.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** OGC-01, OGC-02, OGC-03, OGC-04: OGC API Features Part 1: core, GeoJSON and OpenAPI 3.0. */
export function ogcRoutes(app: FastifyInstance, context: PageContext, now: () => number): void {
  const { registry, settingsOf } = context;
  const route = (path: string, handler: Handler) =>
    endpoint(app, `${OGC_ROOT}${path.replace(BUILDINGS, ':collectionId')}`, inCollection(handler), true);
  const describe = (path: string, type: string, compose: (settings: PageSettings) => Promise<object> | object) =>
    route(path, async (request, reply) => {
      const query = readKnown(readParameters(request), []);
      if (!query.ok) return refuse(reply, 400, query.failure);
      return sendDocument(request, reply, await compose(await settingsOf(request)), type);
    });
  describe(PATHS.landing, TYPES.json, ({ origin, t }) => landingPage(origin, t));
  describe(PATHS.api, TYPES.openApi, ({ origin, t }) => apiDefinition(origin, t));
  describe(PATHS.conformance, TYPES.json, () => CONFORMANCE);
  describe(PATHS.collections, TYPES.json, async ({ origin, t }) => collections(origin, t, await registry.getExtent()));
  describe(PATHS.collection, TYPES.json, async ({ origin, t }) => collection(origin, t, await registry.getExtent()));
  describe(PATHS.schema, TYPES.schema, ({ t }) => featureSchema(t));
  route(PATHS.apiPage, async (request, reply) => {
    const settings = await settingsOf(request);
    return sendPage(request, reply, definitionPage(settings.t, settings.origin), settings);
  });
  route(PATHS.items, (request, reply) => sendItems(context, request, reply, now));
  route(`${PATHS.items}/:featureId`, (request, reply) => sendItem(context, request, reply));
}

const inCollection =
  (handler: Handler): Handler =>
  async (request, reply) => {
    const { collectionId = BUILDINGS } = request.params as { collectionId?: string };
    return collectionId === BUILDINGS ? handler(request, reply) : refuse(reply, 404, NO_COLLECTION);
  };

const NO_COLLECTION = `the path names no collection; there is one, ${BUILDINGS}`;

/** Texts depend on the language of the client. */
const VARY = 'Accept-Encoding, Accept-Language, Cookie';

/** With line breaks, because people read these documents too. */
function sendDocument(request: FastifyRequest, reply: FastifyReply, document: object, type: string) {
  const { links } = document as Partial<Resource>;
  if (links !== undefined) reply.header('link', toLinkHeader(links));
  const text = `${JSON.stringify(document, null, 2)}\n`;
  return sendFinished(request, reply, toFinished(text), { type, caching: REVALIDATE, vary: VARY });
}

const GEOJSON: Representation = { type: TYPES.geojson, caching: REVALIDATE };

/** OGC-05, OGC-08 */
async function sendItems(
  { registry, settingsOf, stallMs }: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  now: () => number,
): Promise<FastifyReply> {
  const given = readKnown(readParameters(request), ITEM_PARAMETERS);
  if (!given.ok) return refuse(reply, 400, given.failure);
  const query = readItemsQuery(given.value);
  if (!query.ok) return refuse(reply, 400, query.failure);
  const { origin } = await settingsOf(request);
  const found = await registry.readFeatures(query.value);
  if (!found.ok) return refuseBusy(reply);
  const { tag, total, count, records, release, evicted, next } = found.value;
  const pageOf = (rel: string, parameters: Readonly<Record<string, string>>) =>
    linkTo(origin, `${PATHS.items}${toQuery(parameters)}`, rel, TYPES.geojson);
  const links = [
    pageOf('self', given.value),
    ...(next === undefined ? [] : [pageOf('next', { ...given.value, after: formatAssetId(next) })]),
    linkTo(origin, PATHS.collection, 'collection', TYPES.json),
  ];
  reply.header('link', toLinkHeader(links));
  const head = { type: 'FeatureCollection', numberMatched: total, numberReturned: count };
  const timeStamp = new Date(now()).toISOString();
  const body = writeItems({ ...head, timeStamp, links }, records);
  // Weak, because the time is another with every response.
  const etag = `W/"${tagOf(JSON.stringify([RELEASE, tag, links]))}"`;
  return sendStream(request, reply, { etag, body, release, ...(evicted && { evicted }) }, GEOJSON, stallMs);
}

function toQuery(parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString().replaceAll('%2C', ',');
  return query === '' ? '' : `?${query}`;
}

const readBuilding = (record: Uint8Array) => parseBody<BuildingPage>(record);

async function* writeItems(head: object, records: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Uint8Array> {
  let before = `${JSON.stringify(head).slice(0, -1)},"features":[\n`;
  for await (const batch of records) {
    if (batch.length === 0) continue;
    const features = batch.map((record) => JSON.stringify(toOgcFeature(readBuilding(record))));
    yield Buffer.from(before + features.join(',\n'));
    before = ',\n';
  }
  yield Buffer.from(before.startsWith('{') ? `${before}]}\n` : '\n]}\n');
}

/** OGC-10 */
async function sendItem(
  { registry, settingsOf }: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = readKnown(readParameters(request), []);
  if (!query.ok) return refuse(reply, 400, query.failure);
  const found = await registry.getPage((request.params as { featureId: string }).featureId);
  if (found.ok) {
    const { origin } = await settingsOf(request);
    const building = readBuilding(found.value.body);
    const links: Link[] = [
      linkTo(origin, `${PATHS.items}/${building.id}`, 'self', TYPES.geojson),
      { href: `${origin}${building.path}`, rel: 'alternate', type: TYPES.html },
      linkTo(origin, PATHS.collection, 'collection', TYPES.json),
    ];
    reply.header('link', toLinkHeader(links));
    const text = JSON.stringify({ ...toOgcFeature(building), links }, null, 2);
    return sendFinished(request, reply, toFinished(`${text}\n`), GEOJSON);
  }
  switch (found.failure.kind) {
    case 'malformedId':
    case 'unknownBuilding':
      return refuse(reply, 404, 'no building has this id');
    case 'retiredBuilding':
      return refuse(reply, 404, describeTombstone(found.failure.tombstone));
    case 'movedBuilding': {
      reply.header('cache-control', redirectCaching(reply)).header('content-length', 0);
      return reply.redirect(`${OGC_ROOT}${PATHS.items}/${formatAssetId(found.failure.survivor)}`, 301);
    }
  }
}
