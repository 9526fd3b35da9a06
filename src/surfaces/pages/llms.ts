import type { CountrySummary } from '../../vocabulary/api-shapes.ts';
import { ASSET_PREFIX } from '../../vocabulary/asset-id.ts';
import type { RateLimits } from '../http/limits/rate-store.ts';
import { markdownText } from '../http/markdown.ts';
import { API_ROOT, MCP_ROOT } from '../http/surface.ts';
import { SITEMAP_INDEX } from './sitemaps.ts';

const FORM = `${ASSET_PREFIX}-JP-NN-NNNNNNNN`;

/** MD-05: the service for a model that has never seen it, in the form of llmstxt.org. */
export function llmsText(origin: string, country: CountrySummary, limits: RateLimits): string {
  const link = (name: string, path: string) => `[${name}](${origin}${path})`;
  const lines = country.children.map((child) => `- ${link(nameOf(child), child.path)}: ${count(child.buildingCount)}`);
  const prefectures = lines.length === 0 ? 'No building is published yet.' : lines.join('\n');
  return `# Tatemono 建物

> The open building registry for Japan: names, addresses, uses, size, height, floors, year built, owner and more of
> ${count(country.buildingCount)}, each value with the public source it came from, when it was read, and who
> disagreed. Read-only; no account and no key.

Each record is put together from several public sources. For each field a fixed order of sources decides; the losing
values are kept, and the best of them is shown as the conflict. A field that is absent is one that no source speaks of: not
zero, and not false. A value that is marked as estimated was computed, or lent by the complex that the building belongs to.
${country.latestRecordedAt === null ? '' : `The newest record is of ${country.latestRecordedAt}.\n`}
## IDs and paths

- A building has an ID of the form \`${FORM}\`: two digits for the prefecture, then eight. IDs are never given twice; one
  that was merged or retired leads to the building that took its place.
- \`${origin}/japan/id/${FORM}\` leads to the page of a building.
- Pages are at \`/japan/<prefecture>/<ward>/<machiAza>/<id>\`, and each part of such a path is the page of an area.
- Every page of a building or an area has a Markdown twin: put \`.md\` behind its path, or ask for it with
  \`Accept: text/markdown\`.

## Searching

- ${link('Search as JSON', `${API_ROOT}/assets?q=%E6%9D%B1%E4%BA%AC%E9%A7%85`)}: \`q\` with words parted by spaces, all of
  which have to stand in one name, address, alias or ID; \`prefecture\`, \`ward\`, \`machiAza\` by slug, \`type\` by use;
  20 a page. Words match literally: 東京駅 is found by 東京駅, not by "Tokyo eki".
- ${link('Search as a page', '/japan/areas')}: the same words, with ranges of height, floors and year, and sorted.

## For programs

- ${link('OpenAPI document', `${API_ROOT}/openapi.json`)}: the REST API under \`${API_ROOT}\`, with records, their sources,
  search, areas, owners, and the reviewed history of buildings that REITs hold (\`/assets/{id}/reit\`, \`reit.csv\`, \`reit.jsonld\`).
- ${link('API reference', '/japan/api')}: the same for people.
- MCP server: \`${origin}${MCP_ROOT}\`, streamable HTTP, no authentication. Tools: search_assets, get_asset,
  get_asset_sources, get_owner_portfolio, get_asset_reit.
- ${link('MCP server card', `${MCP_ROOT}/server-card`)}: the address and version of that server.
- ${link('Sitemap', SITEMAP_INDEX)}: the path of every area and every building.

## Prefectures

${prefectures}

## Limits

In each minute of the clock, for each client: ${allowances(limits)}. Over a limit comes 429 with \`Retry-After\` in
seconds. Send \`If-None-Match\` with the \`ETag\` you have, and what has not changed costs 304 and no body.

## Licences and attribution

Values belong to their sources; cite the \`source\` and \`sourceUrl\` that stand beside each. OpenStreetMap and Nominatim:
© OpenStreetMap contributors, ODbL 1.0. PLATEAU: 国土交通省 Project PLATEAU, CC BY 4.0. Address Base Registry: Digital Agency,
CC BY 4.0. e-Stat: Statistics Bureau of Japan, with attribution. Wikidata: CC0 1.0. Of EDINET, the pages of REITs and the
registers of buildings only facts are carried, no text and no images.

## Optional

- ${link('About', '/japan/about')}: what the registry is, and where its values come from.
`;
}

function nameOf({ nameJa, nameEn }: CountrySummary['children'][number]): string {
  return markdownText(nameEn === null ? nameJa : `${nameEn} ${nameJa}`);
}

function count(buildings: number): string {
  return `${buildings.toLocaleString('en')} ${buildings === 1 ? 'building' : 'buildings'}`;
}

const SURFACES = { page: 'pages', api: 'the API', mcp: 'the MCP server' } as const;

function allowances(limits: RateLimits): string {
  return (['page', 'api', 'mcp'] as const)
    .map((surface) => `${limits[surface] || 'any number of'} requests to ${SURFACES[surface]}`)
    .join(', ');
}
