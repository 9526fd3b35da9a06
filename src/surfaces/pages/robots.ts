import { SITEMAP_INDEX } from './sitemaps.ts';

/** Everything may be read; of what is disallowed nothing is a page. */
export const robotsText = (origin: string) => `User-agent: *
Allow: /
Disallow: /japan/suggest
Disallow: /japan/tiles

Sitemap: ${origin}${SITEMAP_INDEX}
`;
