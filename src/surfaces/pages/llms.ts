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
  return `# Tatemono 建物

> The open building registry for Japan: names, addresses, uses, size, height, year built, owner and more of
> ${counts.buildings(country.buildingCount)}, each value with its public source and date. Read-only; no key needed.

${country.latestRecordedAt === null ? '' : `Last updated: ${country.latestRecordedAt}.\n`}
## Search

- ${link('Search as JSON', `${API_ROOT}/assets?view=summary&q=Tokyo`)} or ${link('as a page', '/japan/areas')};
  \`/japan/areas.csv\` and \`.geojson\` take the filters of that page (no near, no bbox).
${SEARCH_GUIDE.map((entry) => `- ${entry}`).join('\n')}
- \`${API_ROOT}/match?address=\` says which building an address in any form means; also name, lat and lon.

## Reading

${[VIEW_GUIDE, ...EVIDENCE_GUIDE].map((entry) => `- ${entry}`).join('\n')}

## IDs and paths

- Building IDs (\`${ID_PATTERN}\`) are never reused; a merged one redirects. \`/japan/id/<id>\` redirects to the page.
- Pages: \`/japan/<prefecture>/<ward>/<machiAza>/<id>\`, shorter paths for areas, \`/japan/owners/<name>\`. Each has a
  Markdown version: append \`.md\`, or send \`Accept: text/markdown\`; \`?lang=en\` or \`?lang=ja\`.

## For programs

- REST API: ${link('OpenAPI document', `${API_ROOT}/openapi.json`)}, ${link('reference', '/japan/api')}.
- MCP server: \`${origin}${MCP_ROOT}\`, streamable HTTP, no authentication (${link('card', `${MCP_ROOT}/server-card`)}). Tools:
  search_assets, get_asset, get_asset_sources, get_owner_portfolio, get_asset_reit, get_area.
- ${link('Sitemap', SITEMAP_INDEX)} of all areas and buildings.

## Prefectures

${prefectureLines(country, link)}

## Limits

Per client and clock minute: ${allowances(limits)}. Beyond it: 429 with \`Retry-After\`.

## Licences and attribution

Values keep the licence of their source.

${SOURCES.map(licenceLine).join('\n')}
- ${link('About', '/japan/about')}: sources, precedence and glossary.
`;
}

/** AGT-01: a longer list of prefectures is replaced by a shorter one. */
const MAX_LENGTH = 400;

function prefectureLines({ children }: CountrySummary, link: (name: string, path: string) => string): string {
  if (children.length === 0) return 'No buildings published yet.';
  const lines = children.map(
    (child) => `- ${link(nameOf(child), child.path)}: ${counts.buildings(child.buildingCount)}`,
  );
  const list = lines.join('\n');
  if (list.length <= MAX_LENGTH || lines.length === 1) return list;
  const slugs = children.map(({ slug }) => markdownText(slug)).join(' ');
  return `${link('All prefectures', '/japan')}: ${slugs}`;
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
