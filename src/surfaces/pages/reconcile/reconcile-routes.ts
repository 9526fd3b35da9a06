import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { FairPlaces, type PlaceLimits } from '../../../vocabulary/fair-places.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readBody } from '../../http/read-body.ts';
import { drain, refuse, sendProblem } from '../../http/refuse.ts';
import { RequestPlace } from '../../http/request-place.ts';
import { REVALIDATE, type Representation, sendFinished, sendOnce } from '../../http/send-finished.ts';
import { RECONCILE_ROOT } from '../../http/surface.ts';
import { displayAddress } from '../building/names.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import { languageOf } from '../language.ts';
import { readParameters } from '../request-target.ts';
import { type PageContext, toFinished } from '../send-page.ts';
import { answerBatch } from './answer-batch.ts';
import { extend, findPage, readExtendQuery } from './extend.ts';
import { extensionPropertiesOf, manifest, queryPropertiesOf, typesOf } from './manifest.ts';
import { PREVIEW_POLICY, renderPreview } from './preview.ts';
import { readBatch } from './read-batch.ts';

/** RCN-10: a batch of 1,000 queries with Japanese text has about 1 MB when it is form-encoded. */
const BODY = { bodyBytes: 4 * 1024 * 1024, bodyMs: 30_000 };
/** Batches that one process answers at once. */
const BATCHES: PlaceLimits = { atOnce: 8, waiting: 8, waitMs: 1_000, greedyWait: false };
const MAX_SUGGESTED = 10;
/** Suggestions beyond these are not worth reading; a search has them all. */
const MAX_SKIPPED = 1_000;

const ALLOWED = 'GET, HEAD, POST';

const PREFLIGHT = {
  'access-control-allow-methods': ALLOWED,
  'access-control-allow-headers': 'Content-Type, Accept',
  'access-control-max-age': '86400',
} as const;

/** RCN-06, RCN-07, RCN-08, RCN-09, RCN-10: the Reconciliation Service API 0.2, as OpenRefine uses it. */
export function reconcileRoutes(app: FastifyInstance, context: PageContext): void {
  const places = new FairPlaces(BATCHES);
  app.route({
    method: app.supportedMethods,
    url: RECONCILE_ROOT,
    // Before the framework reads the body, whose type it does not know.
    onRequest: async (request, reply) => {
      const { method } = request;
      if (method === 'OPTIONS') return reply.code(204).headers(PREFLIGHT).send();
      if (method === 'GET' || method === 'HEAD') return answerGet(context, request, reply);
      if (method !== 'POST') return sendProblem(reply.header('allow', ALLOWED), 405, 'the method must be GET or POST');
      const place = new RequestPlace(places, reply);
      if (!(await place.take())) return sendBusy(reply);
      return answerPost(context, request, reply, place);
    },
    handler: async () => {
      throw new Error('unreachable: onRequest answers');
    },
  });
  suggestRoutesOf(app, context);
  previewRoute(app, context);
}

function sendBusy(reply: FastifyReply): FastifyReply {
  const most = `the service answers ${BATCHES.atOnce} batches at once; retry in 1 second`;
  return sendProblem(reply.header('retry-after', '1'), 503, most);
}

async function answerGet(context: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const parameters = readParameters(request);
  if (parameters.has('queries') || parameters.has('extend')) return answerForm(context, request, reply, parameters);
  const { origin, t } = await context.settingsOf(request);
  return sendJson(request, reply, manifest(origin, t));
}

async function answerPost(
  context: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  place: RequestPlace,
): Promise<FastifyReply> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded' || request.headers['content-encoding'] !== undefined) {
    return sendProblem(
      reply,
      415,
      'the content type must be application/x-www-form-urlencoded, without a content encoding',
    );
  }
  const body = await readBody(request.raw, BODY);
  if (body.ok && !(await place.begin())) return sendBusy(reply);
  if (body.ok) return answerForm(context, request, reply, new URLSearchParams(body.value.toString()));
  switch (body.failure) {
    case 'tooLarge':
      return sendProblem(reply, 413, `a body has at most ${BODY.bodyBytes} bytes; send smaller batches`);
    case 'tooSlow':
      return sendProblem(reply, 408, `the body was not complete after ${BODY.bodyMs / 1000} seconds`);
    case 'gone':
      return reply.hijack();
  }
}

async function answerForm(
  { registry, settingsOf, stallMs }: PageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const [queries, extension] = [form.getAll('queries'), form.getAll('extend')];
  if (queries.length + extension.length !== 1) return sendProblem(reply, 400, 'queries or extend must be given once');
  const { t } = await settingsOf(request);
  const send = (answer: object) => {
    drain(reply);
    return sendOnce(request, reply, Buffer.from(JSON.stringify(answer)), stallMs);
  };
  if (extension[0] !== undefined) {
    const query = readExtendQuery(extension[0]);
    if (!query.ok) return sendProblem(reply, 400, query.failure);
    return send(await extend(registry, query.value, t));
  }
  const batch = readBatch(queries[0] as string);
  if (!batch.ok) return sendProblem(reply, 400, batch.failure);
  return send(await answerBatch(registry, batch.value, t));
}

/** Names of types and properties depend on the language of the client. */
const JSON_TEXT: Representation = {
  type: 'application/json; charset=utf-8',
  caching: REVALIDATE,
  vary: 'Accept-Encoding, Accept-Language, Cookie',
};

function sendJson(request: FastifyRequest, reply: FastifyReply, answer: object) {
  return sendFinished(request, reply, toFinished(JSON.stringify(answer)), JSON_TEXT);
}

/** RCN-08, RCN-09: completions of what a user types, and what data extension offers. */
function suggestRoutesOf(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  const suggest = (path: string, entriesOf: (asked: Suggested, t: Text) => Promise<readonly object[]>) =>
    endpoint(app, `${RECONCILE_ROOT}/suggest/${path}`, async (request, reply) => {
      const parameters = readParameters(request);
      const skip = readCount(parameters.get('cursor'), 0);
      if (skip === undefined) return sendProblem(reply, 400, 'cursor must be a whole number of suggestions to skip');
      const { t } = await settingsOf(request);
      const prefix = parameters.get('prefix') ?? '';
      return sendJson(request, reply, { result: await entriesOf({ prefix, skip }, t) });
    });
  suggest('entity', async ({ prefix, skip }, t) => {
    if (skip >= MAX_SKIPPED) return [];
    const ids = (await registry.suggestIds({ q: prefix, most: skip + MAX_SUGGESTED })).slice(skip);
    const pages = await Promise.all(ids.map((id) => findPage(registry, id)));
    return pages.filter((page) => page !== undefined).map((page) => toSuggestion(page, t));
  });
  const among = (entries: readonly { id: string; name: string }[], { prefix, skip }: Suggested) => {
    const asked = prefix.trim().toLowerCase();
    const isAsked = ({ id, name }: { id: string; name: string }) =>
      id.toLowerCase().startsWith(asked) || name.toLowerCase().includes(asked);
    return entries.filter(isAsked).slice(skip);
  };
  suggest('type', async (asked, t) => among(typesOf(t), asked));
  suggest('property', async (asked, t) => among([...queryPropertiesOf(t), ...extensionPropertiesOf(t)], asked));
  endpoint(app, `${RECONCILE_ROOT}/extend/properties`, async (request, reply) => {
    const given = readParameters(request).get('limit');
    const limit = readCount(given, Number.POSITIVE_INFINITY);
    if (limit === undefined || limit === 0) return sendProblem(reply, 400, 'limit must be a positive whole number');
    const { t } = await settingsOf(request);
    const properties = extensionPropertiesOf(t).map(({ id, name }) => ({ id, name }));
    return sendJson(request, reply, { properties: properties.slice(0, limit), ...(given && { limit }) });
  });
}

interface Suggested {
  prefix: string;
  /** How many suggestions the client has. */
  skip: number;
}

/** Undefined for anything but digits. */
function readCount(text: string | null, otherwise: number): number | undefined {
  if (text === null || text === '') return otherwise;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function toSuggestion(page: BuildingPage, t: Text): object {
  const { id, fields, assetTypes } = page;
  const address = displayAddress(page);
  return {
    id,
    name: String(fields.nameJa?.value ?? fields.nameEn?.value ?? address),
    description: address,
    notable: assetTypes.map(({ category }) => ({ id: category, name: CATEGORY_LABELS[category][t.lang] })),
  };
}

/** RCN-08 */
function previewRoute(app: FastifyInstance, { registry, settingsOf }: PageContext): void {
  endpoint(app, `${RECONCILE_ROOT}/preview`, async (request, reply) => {
    const id = readParameters(request).get('id') ?? '';
    const page = parseAssetId(id) === undefined ? undefined : await findPage(registry, id);
    if (page === undefined) return refuse(reply, 404, 'no building has this id');
    const settings = await settingsOf(request);
    reply.header('content-security-policy', PREVIEW_POLICY).header('content-language', settings.t.lang);
    const vary = languageOf(request).isInUrl ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language, Cookie';
    return sendFinished(request, reply, toFinished(renderPreview(page, settings)), { ...HTML, vary });
  });
}

const HTML: Representation = { type: 'text/html; charset=utf-8', caching: REVALIDATE };
