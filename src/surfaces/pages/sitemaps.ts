import type { FastifyInstance } from 'fastify';
import { tagOf } from '../../registry/records.ts';
import type { PathPart, PublishedPath, Registry } from '../../registry/registry.ts';
import { endpoint } from '../http/endpoint.ts';
import { keptFor } from '../http/kept-for.ts';
import { originOf } from '../http/origin.ts';
import { NO_ENDPOINT, refuse, refuseBusy } from '../http/refuse.ts';
import { REVALIDATE, type Representation, sendFinished, sendStream } from '../http/send-finished.ts';

/** The protocol's limit per file; even with the longest slugs they fit into its other limit of 50 MB. */
export const URLS_PER_SITEMAP = 50_000;
/** A sitemap may list only paths below its own folder, so all sitemaps are directly in /japan. */
export const SITEMAP_INDEX = '/japan/sitemap.xml';
const FIXED = '/japan/sitemap-pages.xml';
const FIXED_PAGES = ['/japan', '/japan/areas', '/japan/about'];
const KINDS = { areas: 'hubs', buildings: 'buildings' } as const;
type SitemapKind = keyof typeof KINDS;

/** Computing the last change of each part reads every building. */
const KEEP_MS = 10_000;
const XML: Representation = { type: 'application/xml; charset=utf-8', caching: REVALIDATE };

interface SitemapOptions {
  registry: Registry;
  baseUrl: string | undefined;
  /** The pages of the API reference. */
  referencePaths: readonly string[];
  urlsPerSitemap: number;
  /** How long a client may stop reading before the connection is closed. */
  stallMs: number;
  elapsed: () => number;
}

export function sitemapRoutes(app: FastifyInstance, options: SitemapOptions): void {
  const { registry, baseUrl, referencePaths, urlsPerSitemap, stallMs, elapsed } = options;
  const listed = keptFor(KEEP_MS, () => listSitemaps(registry, urlsPerSitemap), elapsed);

  endpoint(app, SITEMAP_INDEX, async (request, reply) => {
    const origin = originOf(request, baseUrl, app);
    const entries = [{ path: FIXED }, ...(await listed())].map((entry) => element('sitemap', origin, entry));
    const body = Buffer.from([opening('sitemapindex'), ...entries, closing('sitemapindex')].join(''));
    return sendFinished(request, reply, { etag: `"${tagOf(body)}"`, body }, XML);
  });

  endpoint(app, FIXED, async (request, reply) => {
    const origin = originOf(request, baseUrl, app);
    const entries = [...FIXED_PAGES, ...referencePaths].map((path) => element('url', origin, { path }));
    const body = Buffer.from([opening('urlset'), ...entries, closing('urlset')].join(''));
    return sendFinished(request, reply, { etag: `"${tagOf(body)}"`, body }, XML);
  });

  endpoint(app, '/japan/sitemap-:part.xml', async (request, reply) => {
    const { part } = request.params as { part: string };
    const [, kind, number] = /^(areas|buildings)-(0|[1-9]\d{0,9})$/.exec(part) ?? [];
    if (kind === undefined) return refuse(reply, 404, NO_ENDPOINT);
    const found = await registry.paths[KINDS[kind as SitemapKind]].read(urlsPerSitemap, Number(number));
    if (!found.ok) return refuseBusy(reply);
    const list = found.value;
    if (list === undefined) return refuse(reply, 404, NO_ENDPOINT);
    const origin = originOf(request, baseUrl, app);
    const etag = `"${tagOf(Buffer.from(`${origin} ${list.tag}`))}"`;
    const body = writeUrls(origin, list.paths);
    return sendStream(request, reply, { ...list, etag, body }, XML, stallMs);
  });
}

interface Entry {
  path: string;
  recordedAt?: string;
}

async function listSitemaps(registry: Registry, most: number): Promise<Entry[]> {
  const toEntry = (kind: SitemapKind) => (part: PathPart) => ({
    path: `/japan/sitemap-${kind}-${part.number}.xml`,
    recordedAt: part.latestRecordedAt,
  });
  return [
    ...(await registry.paths.hubs.list(most)).map(toEntry('areas')),
    ...(await registry.paths.buildings.list(most)).map(toEntry('buildings')),
  ];
}

async function* writeUrls(origin: string, paths: AsyncIterable<readonly PublishedPath[]>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(opening('urlset'));
  for await (const batch of paths) yield Buffer.from(batch.map((entry) => element('url', origin, entry)).join(''));
  yield Buffer.from(closing('urlset'));
}

const opening = (root: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;
const closing = (root: string) => `</${root}>\n`;

function element(name: string, origin: string, { path, recordedAt }: Entry): string {
  const lastmod = recordedAt === undefined ? '' : `<lastmod>${escapeXml(recordedAt)}</lastmod>`;
  return `<${name}><loc>${escapeXml(`${origin}${path}`)}</loc>${lastmod}</${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
