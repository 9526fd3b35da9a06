import type { FastifyInstance } from 'fastify';
import type { Finished, Registry } from '../../registry/registry.ts';
import type { CountrySummary } from '../../vocabulary/api-shapes.ts';
import { endpoint } from '../http/endpoint.ts';
import { Kept } from '../http/kept.ts';
import type { RateLimits } from '../http/limits/rate-store.ts';
import { originOf } from '../http/origin.ts';
import { type Kind, REVALIDATE, sendFinished } from '../http/send-finished.ts';
import { favicons } from './favicon.ts';
import { llmsText } from './llms.ts';
import { toFinished } from './send-page.ts';
import { SITEMAP_INDEX, sitemapRoutes } from './sitemaps.ts';

interface DiscoveryOptions {
  registry: Registry;
  baseUrl: string | undefined;
  rateLimit: RateLimits;
  urlsPerSitemap: number;
  stallMs: number;
  now: () => number;
}

const PLAIN: Kind = { type: 'text/plain; charset=utf-8', caching: REVALIDATE };
const KEEP_MS = 10_000;

/** How machines find their way. What is outside /japan has no limit, and so is in memory. */
export function discoveryRoutes(app: FastifyInstance, options: DiscoveryOptions): void {
  const { registry, baseUrl, rateLimit, now } = options;
  sitemapRoutes(app, options);

  endpoint(app, '/', async (_request, reply) => reply.header('content-length', 0).redirect('/japan', 302));

  endpoint(app, '/robots.txt', async (request, reply) => {
    return sendFinished(request, reply, toFinished(robotsText(originOf(request, baseUrl, app))), PLAIN);
  });

  const country = new Kept(() => registry.getCountry(), KEEP_MS, now);
  let last: { origin: string; summary: CountrySummary; file: Finished } | undefined;
  endpoint(app, '/llms.txt', async (request, reply) => {
    const [origin, summary] = [originOf(request, baseUrl, app), await country.get()];
    if (last?.origin !== origin || last.summary !== summary) {
      last = { origin, summary, file: toFinished(llmsText(origin, summary, rateLimit)) };
    }
    return sendFinished(request, reply, last.file, PLAIN);
  });

  for (const { path, kind, file } of favicons()) {
    endpoint(app, path, async (request, reply) => sendFinished(request, reply, file, kind));
  }
}

/** Everything may be read; of what is disallowed nothing is a page. */
const robotsText = (origin: string) => `User-agent: *
Allow: /
Disallow: /japan/suggest
Disallow: /japan/tiles

Sitemap: ${origin}${SITEMAP_INDEX}
`;
