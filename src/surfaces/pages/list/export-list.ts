import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseBody, tagOf } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { ListQuery } from '../../../registry/search/read/list-query.ts';
import { attributionOf, creditsOf } from '../../../vocabulary/attribution.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { CSV_HEADER, FLAT_COLUMNS, toCsvRow, toFeature } from '../../../vocabulary/flat-record.ts';
import type { Source } from '../../../vocabulary/sources.ts';
import { endpoint } from '../../http/endpoint.ts';
import { refuseBusy } from '../../http/refuse.ts';
import { NO_STORE, REVALIDATE, sendStream } from '../../http/send-finished.ts';
import { RELEASE } from '../release.ts';
import type { PageContext } from '../send-page.ts';
import type { AreaSlugs } from './filters.ts';
import { readListQuery } from './list-view.ts';

export const EXPORT_FORMS = ['csv', 'geojson'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** UI-61: a file has at most this many buildings. */
export const EXPORT_LIMIT = 10_000;

export const EXPORT_TYPES: Readonly<Record<ExportForm, string>> = {
  csv: 'text/csv',
  geojson: 'application/geo+json',
};

const CONTENT_TYPES: Readonly<Record<ExportForm, string>> = {
  csv: `${EXPORT_TYPES.csv}; charset=utf-8; header=present`,
  geojson: EXPORT_TYPES.geojson,
};

/** UI-61: /japan/areas.csv and /japan/areas.geojson, the buildings of the list with the same query, in its order. */
export function exportRoutes(app: FastifyInstance, context: PageContext): void {
  const { registry, stallMs } = context;
  for (const form of EXPORT_FORMS) {
    endpoint(app, `/japan/areas.${form}`, async (request, reply) => {
      const { query, slugs } = await readListQuery(context, request);
      const file = { registry, stallMs, query: { ...query, page: 1 }, form, name: nameOf(slugs) };
      return sendListFile(request, reply, file);
    });
  }
}

const nameOf = (slugs: AreaSlugs): string => ['japan', ...Object.values(slugs)].join('-');

interface ListFile {
  registry: Registry;
  stallMs: number;
  query: ListQuery;
  form: ExportForm;
  /** The name of the file, without its ending. */
  name: string;
}

export async function sendListFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { registry, stallMs, query, form, name }: ListFile,
): Promise<FastifyReply> {
  const found = await registry.listRecords(query, EXPORT_LIMIT);
  if (!found.ok) return refuseBusy(reply);
  const { tag, total, count, records, release, evicted } = found.value;
  const write = form === 'csv' ? writeCsv(records) : writeGeoJson(records, total, count);
  reply
    .header('content-disposition', disposition(`tatemono-${name}.${form}`))
    .header('x-total-count', total)
    .header('x-returned-count', count)
    .header('link', '</japan/about#sources>; rel="license"');
  const etag = `"${tagOf(Buffer.from(JSON.stringify([RELEASE, form, tag])))}"`;
  const body = { etag, body: write, release, ...(evicted && { evicted }) };
  // REIT-05: whether a building has a REIT history is decided anew for every request.
  const caching = query.among === undefined ? REVALIDATE : NO_STORE;
  return sendStream(request, reply, body, { type: CONTENT_TYPES[form], caching }, stallMs);
}

type Batches = AsyncIterable<readonly Uint8Array[]>;

const readBuilding = (record: Uint8Array) => parseBody<BuildingPage>(record);

async function* writeCsv(records: Batches): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_HEADER);
  for await (const batch of records) yield Buffer.from(batch.map((record) => toCsvRow(readBuilding(record))).join(''));
}

/**
 * `numberMatched` and `numberReturned` are those of OGC API Features. ATT-05: `attribution` of all sources comes last,
 * because they are known once every building is written.
 */
async function* writeGeoJson(records: Batches, numberMatched: number, numberReturned: number) {
  const units = Object.fromEntries(FLAT_COLUMNS.flatMap(({ name, unit }) => (unit === null ? [] : [[name, unit]])));
  const head = { type: 'FeatureCollection', numberMatched, numberReturned, units };
  const sources = new Set<Source>();
  let before = `${JSON.stringify(head).slice(0, -1)},"features":[\n`;
  for await (const batch of records) {
    const buildings = batch.map(readBuilding);
    for (const { attribution } of buildings) for (const { source } of attribution) sources.add(source);
    yield Buffer.from(before + buildings.map((building) => JSON.stringify(toFeature(building))).join(',\n'));
    before = ',\n';
  }
  const end = `],"attribution":${JSON.stringify(attributionOf(creditsOf(sources)))}}\n`;
  yield Buffer.from(before.startsWith('{') ? `${before}${end}` : `\n${end}`);
}

/** RFC 6266: the name in UTF-8, and a plain one for clients that cannot read it. */
export function disposition(name: string): string {
  const safe = [...name.replace(/[\p{C}\p{Z}"*/:<>?\\|]+/gu, '-')];
  const cut = safe.length > 120 ? [...safe.slice(0, 100), ...safe.slice(-9)] : safe;
  const plain = cut.join('').replace(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(cut.join('')).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
