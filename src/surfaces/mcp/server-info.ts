import { readFileSync } from 'node:fs';
import { EVIDENCE_GUIDE, SEARCH_GUIDE, VIEW_GUIDE } from '../http/agent-guide.ts';
import { MCP_ROOT } from '../http/surface.ts';
import { MODERN_VERSION, VERSIONS } from './versions.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const SERVER_INFO = {
  name: 'tatemono',
  title: 'Tatemono, the open building registry for Japan',
  version,
} as const;

const DESCRIPTION =
  'Buildings in Japan: names, addresses, uses, size, height, floors, year built, owner and more, each value with the ' +
  'public source it came from, and the best value that disagrees. Read-only; no key or account is needed.';

/** AGT-01: for a model that has never seen the service. */
export const INSTRUCTIONS = [
  'Tatemono (建物, "building") is a read-only registry of buildings in Japan. Each record is consolidated from public ' +
    'sources (OpenStreetMap, PLATEAU city models, the Address Base Registry, Wikidata, REIT disclosures, building ' +
    'registers). For each field a fixed source precedence decides; the record says which source won, when it was read, ' +
    'and which source disagrees.',
  'Start with search_assets to find buildings and their ids (ASSET-JP-NN-NNNNNNNN), then get_asset for one, ' +
    'get_asset_sources for the records behind it, get_owner_portfolio for the buildings of an owner, and get_asset_reit ' +
    'for the reviewed figures of buildings that REITs hold. Where get_area is offered, it counts buildings and lists slugs.',
  list('Search', SEARCH_GUIDE),
  list('Reading', [VIEW_GUIDE, ...EVIDENCE_GUIDE]),
].join('\n\n');

function list(heading: string, entries: readonly string[]): string {
  return [`${heading}:`, ...entries.map((entry) => `- ${entry}`)].join('\n');
}

/** MCP-14 */
export function serverCard(origin: string) {
  return {
    name: SERVER_INFO.name,
    description: DESCRIPTION,
    version: SERVER_INFO.version,
    url: `${origin}${MCP_ROOT}`,
    transport: 'streamable-http',
    authentication: { required: false },
  };
}

export const CARD_PATH = `${MCP_ROOT}/server-card`;
export const CARD_TYPE = 'application/mcp-server-card+json';

/** ERA-04: the card in the form of the MCP server-card specification, schema v1 (SEP-2127). */
export function specifiedServerCard(origin: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reverseName(origin)}/${SERVER_INFO.name}`,
    title: SERVER_INFO.title,
    description: 'Buildings in Japan: every value with its source, its date and the best value that disagrees.',
    version: SERVER_INFO.version,
    websiteUrl: `${origin}/japan`,
    icons: [{ src: `${origin}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [
      {
        type: 'streamable-http',
        url: `${origin}${MCP_ROOT}`,
        supportedProtocolVersions: [MODERN_VERSION, ...VERSIONS],
      },
    ],
  };
}

/** ERA-05: where clients that know only the domain find the card. */
export function aiCatalog(origin: string) {
  const { hostname } = new URL(origin);
  return {
    specVersion: '1.0',
    entries: [
      { identifier: `urn:air:${hostname}:mcp:${SERVER_INFO.name}`, type: CARD_TYPE, url: `${origin}${CARD_PATH}` },
    ],
  };
}

/** `com.example` of example.com; addresses have no such name. */
function reverseName(origin: string): string {
  const { hostname } = new URL(origin);
  return /^[a-z\d-]+(\.[a-z\d-]+)*$/.test(hostname) && !/^[\d.]+$/.test(hostname)
    ? hostname.split('.').reverse().join('.')
    : 'localhost';
}
