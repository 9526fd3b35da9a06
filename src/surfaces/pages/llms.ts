import type { CountrySummary } from '../../vocabulary/api-shapes.ts';
import { ASSET_PREFIX } from '../../vocabulary/asset-id.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import { SOURCES, type Source } from '../../vocabulary/sources.ts';
import { EVIDENCE_GUIDE, SEARCH_GUIDE, VIEW_GUIDE } from '../http/agent-guide.ts';
import { markdownText } from '../http/markdown.ts';
import type { RateLimits } from '../http/rate-store.ts';
import { API_ROOT, MCP_ROOT } from '../http/surface.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { SITEMAP_INDEX } from './sitemaps.ts';

const { counts } = CATALOGUE.en;
const ID_PATTERN = `${ASSET_PREFIX}-JP-NN-NNNNNNNN`;

/** MD-05, AGT-01: describes the service to language models, in the format of llmstxt.org. */
export function llmsText(origin: string, country: CountrySummary, limits: RateLimits): string {
  const link = (name: string, path: string) => `[${name}](${origin}${path})`;
  const lines = country.children.map(
    (child) => `- ${link(nameOf(child), child.path)}: ${counts.buildings(child.buildingCount)}`,
  );
  const prefectures = lines.length === 0 ? 'No buildings published yet.' : lines.join('\n');
  return `# Tatemono 建物

> The open building registry for Japan: names, addresses, uses, size, height, year built, owner and more of
> ${counts.buildings(country.buildingCount)}, each value with its public source and date. Read-only; no key needed.

For each field, a fixed source precedence decides which value is published; the best one that differs is its conflict.
${country.latestRecordedAt === null ? '' : `Last updated: ${country.latestRecordedAt}.\n`}
## Search

- ${link('Search as JSON', `${API_ROOT}/assets?view=summary&q=%E6%9D%B1%E4%BA%AC%E9%A7%85`)} or ${link('as a page', '/japan/areas')};
  \`/japan/areas.csv\` and \`/japan/areas.geojson\` take the filters of that page (no near, no bbox).
${SEARCH_GUIDE.map((entry) => `- ${entry}`).join('\n')}
- \`${API_ROOT}/match?address=\` says which building an address in any form means; also name, lat and lon.

## Reading

${[VIEW_GUIDE, ...EVIDENCE_GUIDE].map((entry) => `- ${entry}`).join('\n')}

## IDs and paths

- Building IDs have the form \`${ID_PATTERN}\` and are never reused; a merged ID redirects to its successor.
  \`${origin}/japan/id/${ID_PATTERN}\` redirects to the page.
- Pages: \`/japan/<prefecture>/<ward>/<machiAza>/<id>\`, shorter paths for areas, \`/japan/owners/<name>\`,
  \`/japan/compare?id=<id>&id=<id>\`. Each has a Markdown version: append \`.md\`, or send \`Accept: text/markdown\`;
  \`?lang=en\` or \`?lang=ja\`.

## For programs

- ${link('OpenAPI document', `${API_ROOT}/openapi.json`)} of the REST API under \`${API_ROOT}\`, and its
  ${link('reference', '/japan/api')}.
- MCP server: \`${origin}${MCP_ROOT}\`, streamable HTTP, no authentication (${link('card', `${MCP_ROOT}/server-card`)}). Tools:
  search_assets, get_asset, get_asset_sources, get_owner_portfolio, get_asset_reit, get_area.
- ${link('Sitemap', SITEMAP_INDEX)} of all areas and buildings.

## Prefectures

${prefectures}

## Limits

Per client and clock minute: ${allowances(limits)}. Beyond it: 429 with \`Retry-After\`. Send \`If-None-Match\` with the
\`ETag\` of your copy.

## Licences and attribution

Values keep the licence of their source; \`attribution\` of each record has the credits to show.

${SOURCES.map(licenceLine).join('\n')}
- ${link('About', '/japan/about')}: sources, licences, source precedence and glossary.
`;
}

/** ATT-04 */
function licenceLine(source: Source): string {
  const { licence, attribution } = SOURCE_FACTS[source];
  return `- \`${source}\`: ${attribution}. ${licence}`;
}

function nameOf({ nameJa, nameEn }: CountrySummary['children'][number]): string {
  return markdownText(nameEn === null ? nameJa : `${nameEn} ${nameJa}`);
}

const SURFACE_NAMES = { page: 'pages', api: 'the API', mcp: 'the MCP server' } as const;

function allowances(limits: RateLimits): string {
  return (['page', 'api', 'mcp'] as const)
    .map((surface) => `${limits[surface] || 'unlimited'} requests to ${SURFACE_NAMES[surface]}`)
    .join(', ');
}
