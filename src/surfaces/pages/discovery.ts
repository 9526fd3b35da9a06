import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Finished, Registry } from '../../registry/registry.ts';
import type { CountrySummary } from '../../vocabulary/api-shapes.ts';
import { endpoint } from '../http/endpoint.ts';
import { keptFor } from '../http/kept-for.ts';
import { originOf } from '../http/origin.ts';
import type { RateLimits } from '../http/rate-store.ts';
import { REVALIDATE, type Representation, sendFinished } from '../http/send-finished.ts';
import { llmsText } from './llms.ts';
import type { ApiDocument } from './reference/api-document.ts';
import { referencePaths } from './reference/reference.ts';
import { toFinished } from './send-page.ts';
import { SITEMAP_INDEX, sitemapRoutes } from './sitemaps.ts';
import { makeStaticFile } from './static-files.ts';

interface DiscoveryOptions {
  registry: Registry;
  baseUrl: string | undefined;
  rateLimit: RateLimits;
  /** The OpenAPI document. */
  document: object;
  urlsPerSitemap: number;
  stallMs: number;
  elapsed: () => number;
}

const PLAIN: Representation = { type: 'text/plain; charset=utf-8', caching: REVALIDATE };
const KEEP_MS = 10_000;
const ICONS = { 'favicon.svg': 'image/svg+xml', 'favicon.ico': 'image/x-icon' } as const;

/** Entry points for crawlers and agents. Paths outside /japan have no rate limit, so their responses are kept in memory. */
export function discoveryRoutes(app: FastifyInstance, options: DiscoveryOptions): void {
  const { registry, baseUrl, rateLimit, elapsed } = options;
  sitemapRoutes(app, { ...options, referencePaths: referencePaths(options.document as ApiDocument) });

  endpoint(app, '/', async (_request, reply) => reply.header('content-length', 0).redirect('/japan', 302));

  endpoint(app, '/robots.txt', async (request, reply) => {
    return sendFinished(request, reply, toFinished(robotsText(originOf(request, baseUrl, app))), PLAIN);
  });

  const country = keptFor(KEEP_MS, () => registry.getCountry(), elapsed);
  let last: { origin: string; summary: CountrySummary; file: Finished } | undefined;
  endpoint(app, '/llms.txt', async (request, reply) => {
    const [origin, summary] = [originOf(request, baseUrl, app), await country()];
    if (last?.origin !== origin || last.summary !== summary) {
      last = { origin, summary, file: toFinished(llmsText(origin, summary, rateLimit)) };
    }
    return sendFinished(request, reply, last.file, PLAIN);
  });

  for (const [name, type] of Object.entries(ICONS)) {
    const file = makeStaticFile(name, type, readFileSync(join(import.meta.dirname, 'icons', name)));
    const kind: Representation = { type, caching: 'public, max-age=86400' };
    endpoint(app, `/${name}`, async (request, reply) => sendFinished(request, reply, file, kind));
  }
}

/** Everything may be crawled except endpoints that are not pages. */
const robotsText = (origin: string) => `User-agent: *
Allow: /
Disallow: /japan/suggest
Disallow: /japan/tiles
Disallow: /japan/language

Sitemap: ${origin}${SITEMAP_INDEX}
`;
