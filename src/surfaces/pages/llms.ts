import type { CountrySummary } from '../../vocabulary/api-shapes.ts';
import { ASSET_PREFIX } from '../../vocabulary/asset-id.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import { SOURCES, type Source } from '../../vocabulary/sources.ts';
import { markdownText } from '../http/markdown.ts';
import type { RateLimits } from '../http/rate-store.ts';
import { API_ROOT, MCP_ROOT } from '../http/surface.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { SITEMAP_INDEX } from './sitemaps.ts';

const { counts } = CATALOGUE.en;
const ID_PATTERN = `${ASSET_PREFIX}-JP-NN-NNNNNNNN`;

/** MD-05: describes the service to language models, in the format of llmstxt.org. */
export function llmsText(origin: string, country: CountrySummary, limits: RateLimits): string {
  const link = (name: string, path: string) => `[${name}](${origin}${path})`;
  const lines = country.children.map(
    (child) => `- ${link(nameOf(child), child.path)}: ${counts.buildings(child.buildingCount)}`,
  );
  const prefectures = lines.length === 0 ? 'No buildings published yet.' : lines.join('\n');
  return `# Tatemono 建物

> The open building registry for Japan: names, addresses, uses, size, height, floors, year built, owner and more for
> ${counts.buildings(country.buildingCount)}, each value with its public source, retrieval date and conflicting value.
> Read-only; no account or key needed.

Each record is compiled from several public sources. For each field, a fixed source precedence decides which value is
published; the other values are kept, and the best one that differs is shown as the conflict. An absent field means that no
source has a value: not zero, and not false. An estimated value was computed, or inherited from the complex that the building
belongs to.
${country.latestRecordedAt === null ? '' : `Last updated: ${country.latestRecordedAt}.\n`}
## IDs and paths

- Building IDs have the form \`${ID_PATTERN}\`: a two-digit prefecture code, then eight digits. IDs are never reused; a
  merged ID, or a retired one with a successor, redirects to the building that replaced it. A retired ID without a successor
  gets 404, with what the record was, and when and why it was retired.
- \`${origin}/japan/id/${ID_PATTERN}\` redirects to the page of a building.
- Building pages are at \`/japan/<prefecture>/<ward>/<machiAza>/<id>\`; each shorter path is the page of an area.
- \`/japan/owners/<name>\` has the buildings of an owner; \`/japan/compare?id=<id>&id=<id>\` compares up to four buildings.
- \`/japan/owners/<name>.csv\` and \`.geojson\` have the same buildings as files.
- Every building, area, owner and comparison page has a Markdown version: append \`.md\` to the path, or send
  \`Accept: text/markdown\`.
- Pages and their Markdown are in English or Japanese: \`?lang=en\` or \`?lang=ja\`, else the \`lang\` cookie, else
  \`Accept-Language\`. Canonical URLs have no \`lang\`. The API, the MCP server and this file are in English.

## Search

- ${link('Search as JSON', `${API_ROOT}/assets?q=%E6%9D%B1%E4%BA%AC%E9%A7%85`)}: \`q\` with terms separated by spaces, all of
  which must appear in one name, address, alias or ID; \`prefecture\`, \`ward\`, \`machiAza\` by slug; \`type\` by use;
  20 results per page. Matching is literal: 東京駅 is found by 東京駅, not by "Tokyo eki".
- ${link('Search as a page', '/japan/areas')}: the same terms, with sorting and ranges of height, floors and year built.
- ${link('Search as CSV', '/japan/areas.csv?q=%E6%9D%B1%E4%BA%AC%E9%A7%85')} and
  ${link('as GeoJSON', '/japan/areas.geojson?q=%E6%9D%B1%E4%BA%AC%E9%A7%85')}: the same filters as the page, at most 10,000 buildings.

## For programs

- ${link('OpenAPI document', `${API_ROOT}/openapi.json`)}: the REST API under \`${API_ROOT}\`, with records, their sources,
  search, areas, owners, and the reviewed history of buildings held by REITs (\`/assets/{id}/reit\`, \`reit.csv\`, \`reit.jsonld\`).
- ${link('API reference', '/japan/api')}: the same as pages, one for each operation and schema, with code examples.
- MCP server: \`${origin}${MCP_ROOT}\`, streamable HTTP, no authentication. Tools: search_assets, get_asset,
  get_asset_sources, get_owner_portfolio, get_asset_reit.
- ${link('MCP server card', `${MCP_ROOT}/server-card`)}: its URL and version.
- ${link('Sitemap', SITEMAP_INDEX)}: the URLs of all areas and buildings.

## Prefectures

${prefectures}

## Limits

Per client and clock minute: ${allowances(limits)}. Requests over a limit get 429 with \`Retry-After\` in seconds. Send
\`If-None-Match\` with the \`ETag\` of your copy to get 304 without a body if nothing has changed.

## Licences and attribution

Values keep the licence of their source. \`attribution\` of each record lists the sources of its values with their licence and
the credit to show; cite the \`sourceUrl\` of a value beside it. From EDINET, REIT web pages and building registers only facts are
used, no text or images.

${SOURCES.map(licenceLine).join('\n')}

## Optional

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
