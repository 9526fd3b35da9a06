import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { PermittedSurface } from '../../reit/life/permissions.ts';
import { type Reit, readPublication, type ServedPublication } from '../../reit/life/reit.ts';
import { EnvelopeSchema, joinEnvelope } from '../../reit/publication/document.ts';
import { projectCsv } from '../../reit/publication/project-csv.ts';
import { CatalogSchema, projectJsonLd } from '../../reit/publication/project-json-ld.ts';
import { NO_STORE, type Representation, sendOnce } from '../http/send-finished.ts';
import { defineEndpoint } from './api-endpoint.ts';
import { OF_ONE_BUILDING, sendFailure } from './assets.ts';
import { REIT_CATALOG_EXAMPLE, REIT_CSV_EXAMPLE, REIT_EXAMPLE } from './examples.ts';

const CSV: Representation = { type: 'text/csv; charset=utf-8; header=present', caching: NO_STORE };
const JSON_LD: Representation = { type: 'application/json; charset=utf-8', caching: NO_STORE };

const getReit = defineEndpoint({
  ...OF_ONE_BUILDING,
  path: '/assets/{id}/reit',
  operationId: 'getAssetReit',
  tag: 'REIT histories',
  summary: 'Get the REIT history of a building',
  description:
    'The reviewed property histories of the REITs that hold an interest in the building: one publication for each ' +
    'property of an issuer. A publication describes the interest, which may be a part of the building. Every figure ' +
    'leads to the source revision that states it and to a place in a public document; `agreement` says how far the ' +
    'sources agree, which is not an audit. Amounts are exact decimal strings in base units. An accepted publication ' +
    'never changes under its id. It may be withdrawn, and is then gone at once.',
  answer: {
    description: 'The accepted publications; an empty list if there are none.',
    schema: EnvelopeSchema,
    example: REIT_EXAMPLE,
    isNoStore: true,
  },
  handle: ({ reit }, { id }, request, reply) =>
    sendServed({ reit, id, surface: 'rest-json', form: 'reit' }, request, reply, (served) => joinEnvelope(id, served)),
});

const getReitCsv = defineEndpoint({
  ...OF_ONE_BUILDING,
  path: '/assets/{id}/reit.csv',
  operationId: 'getAssetReitCsv',
  tag: 'REIT histories',
  summary: 'Get the figures of the REIT history as CSV',
  description:
    'One row per metric, matched holding and period (RFC 4180, UTF-8), for spreadsheets; the header is always present. ' +
    '`value` is the exact amount on which the sources agree, empty where they do not; `state` and `agreement` say why. ' +
    '`observations` and `citations` are JSON. Transactions and ownership are in the JSON only.',
  answer: {
    description: 'The figures; the header alone if no publication is accepted.',
    schema: Type.String(),
    example: REIT_CSV_EXAMPLE,
    mediaType: 'text/csv',
    isNoStore: true,
  },
  handle: ({ reit }, { id }, request, reply) =>
    sendServed(
      { reit, id, surface: 'csv', form: 'reit.csv' },
      request,
      reply,
      (served) => Buffer.from(projectCsv(id, served.map(readPublication))),
      CSV,
    ),
});

const getReitCatalog = defineEndpoint({
  ...OF_ONE_BUILDING,
  path: '/assets/{id}/reit.jsonld',
  operationId: 'getAssetReitCatalog',
  tag: 'REIT histories',
  summary: 'Get a catalogue of the REIT history',
  description:
    'A schema.org DataCatalog of the accepted publications: their IDs, when they were computed, what they cite ' +
    'and where the whole can be read. It repeats no figures.',
  answer: {
    description: 'The catalogue, empty if no publication is accepted.',
    schema: CatalogSchema,
    example: REIT_CATALOG_EXAMPLE,
    isNoStore: true,
  },
  handle: ({ reit, originOf }, { id }, request, reply) =>
    sendServed(
      { reit, id, surface: 'jsonld', form: 'reit.jsonld' },
      request,
      reply,
      (served) => {
        const inJson = new Set(served.filter(({ surfaces }) => surfaces.includes('rest-json')).map((p) => p.id));
        return Buffer.from(JSON.stringify(projectJsonLd(id, served.map(readPublication), originOf(request), inJson)));
      },
      JSON_LD,
    ),
});

/** Contract 4.3: each form has its own permission. The gate has already forbidden storing the response (REIT-05). */
export const reitEndpoints = [getReit, getReitCsv, getReitCatalog];

interface ReitQuestion {
  reit: Reit;
  id: string;
  surface: PermittedSurface;
  form: string;
}

async function sendServed(
  { reit, id, surface, form }: ReitQuestion,
  request: FastifyRequest,
  reply: FastifyReply,
  compose: (served: ServedPublication[]) => Uint8Array,
  kind?: Representation,
): Promise<FastifyReply> {
  const found = await reit.served(id, surface);
  if (!found.ok) return sendFailure(request, reply, found.failure, `/${form}`);
  return sendOnce(request, reply, compose(found.value), undefined, kind);
}
