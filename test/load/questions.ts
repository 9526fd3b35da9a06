import { chance } from '../../bench/generate-records.ts';
import { MODERN_META } from '../../bench/mcp-session.ts';
import { listPaths, suggestPaths } from '../../bench/page-queries.ts';
import { QUERIES } from '../../bench/search-queries.ts';
import { API_ROOT, MCP_ROOT } from '../../src/surfaces/http/surface.ts';
import { MODERN_VERSION, VERSIONS } from '../../src/surfaces/mcp/versions.ts';

export type Surface =
  | 'records'
  | 'searches'
  | 'other REST'
  | 'building pages'
  | 'lists'
  | 'suggestions'
  | 'tiles'
  | 'files'
  | 'MCP with sessions'
  | 'MCP without sessions';

export interface Question {
  surface: Surface;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Questions with a body are sent with POST. */
  body?: string;
  /** Whether it needs an MCP session. */
  inSession?: true;
}

const POST_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const SESSION_HEADERS = { ...POST_HEADERS, 'mcp-protocol-version': VERSIONS[0] };

export const OPEN_SESSION: Question = {
  surface: 'MCP with sessions',
  path: MCP_ROOT,
  headers: POST_HEADERS,
  body: message('initialize', {
    protocolVersion: VERSIONS[0],
    capabilities: {},
    clientInfo: { name: 'load', version: '1' },
  }),
};

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** What the questions are about. */
export interface Known {
  ids: readonly string[];
  pages: readonly string[];
  hubs: readonly string[];
  owners: readonly string[];
  tiles: readonly string[];
  sources: readonly { source: string; id: string }[];
  /** A building with a REIT publication. */
  reit: string;
}

interface Found {
  id: string;
  path: string;
  fields: { ownerPublic?: { value: string } };
  location: { lat: number; lon: number };
  sources: { source: string; sourceRecordId: string }[];
}

/** Finds out from a running service what can be asked about. */
export async function lookAround(origin: string, reit: string): Promise<Known> {
  const found = new Map<string, Found>();
  for (const sort of ['name', 'height', 'built', 'floors']) {
    for (let page = 1; page <= 10; page++) {
      const answer = await fetch(`${origin}${API_ROOT}/assets?sort=${sort}&page=${page}`);
      const { items = [] } = (await answer.json()) as { items?: Found[] };
      for (const item of items) found.set(item.id, item);
    }
  }
  if (found.size < 100) throw new Error(`only ${found.size} buildings were found`);
  const buildings = [...found.values()];
  const unique = <T>(all: readonly T[]) => [...new Set(all)];
  const above = (path: string, levels: number) =>
    path
      .split('/')
      .slice(0, 2 + levels)
      .join('/');
  return {
    ids: [...found.keys()],
    pages: buildings.map(({ path }) => path),
    hubs: unique(buildings.flatMap(({ path }) => [1, 2, 3].map((levels) => above(path, levels)))),
    owners: unique(buildings.flatMap(({ fields }) => fields.ownerPublic?.value ?? [])),
    tiles: unique(buildings.flatMap(({ location }) => [14, 16].map((zoom) => tileAt(location, zoom)))),
    sources: buildings.flatMap(({ sources }) => sources.map(({ source, sourceRecordId: id }) => ({ source, id }))),
    reit,
  };
}

function tileAt({ lat, lon }: { lat: number; lon: number }, zoom: number): string {
  const x = Math.floor(((lon + 180) / 360) * 2 ** zoom);
  const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom);
  return `/japan/tiles/${zoom}/${x}/${y}`;
}

/** How often each surface is asked, in parts of a hundred. */
const SHARES: Readonly<Record<Surface, number>> = {
  records: 24,
  searches: 12,
  'other REST': 12,
  'building pages': 14,
  lists: 6,
  suggestions: 6,
  tiles: 8,
  files: 2,
  'MCP with sessions': 8,
  'MCP without sessions': 8,
};
const WORDS = QUERIES.flatMap(({ query: { q } }) => (q === undefined ? [] : [q]));

/** Questions to every surface in a random order, the same in every run. */
export function ask(known: Known, seed: number): () => Question {
  const random = chance(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const lists = listPaths(500, known.hubs);
  const suggestions = suggestPaths();
  const query = (pairs: Record<string, string>) => new URLSearchParams(pairs).toString();
  const about = (): [tool: string, args: object] =>
    pick([
      () => ['get_asset', { id: pick(known.ids) }] as [string, object],
      () => ['get_asset', { id: pick(known.ids), view: 'summary' }] as [string, object],
      () => ['get_asset_sources', { id: pick(known.ids) }] as [string, object],
      () => ['search_assets', { q: pick(WORDS) }] as [string, object],
      () => ['get_owner_portfolio', { name: pick(known.owners) }] as [string, object],
      () => ['get_asset_reit', { id: known.reit }] as [string, object],
    ])();
  const paths: Readonly<Record<Exclude<Surface, `MCP${string}`>, () => string>> = {
    records: () => `${API_ROOT}/assets/${pick(known.ids)}`,
    searches: () => `${API_ROOT}/assets?${query({ q: pick(WORDS), ...(random() < 0.5 && { view: 'summary' }) })}`,
    'other REST': () =>
      pick([
        () => `${API_ROOT}/assets/${pick(known.ids)}/sources`,
        () => `${API_ROOT}/source-records?${query(pick(known.sources))}`,
        () => `${API_ROOT}/match?${query({ name: pick(WORDS) })}`,
        () => `${API_ROOT}/areas${pick(known.hubs).slice('/japan'.length)}`,
        () => `${API_ROOT}/owners/${encodeURIComponent(pick(known.owners))}/assets?view=summary`,
        () => `${API_ROOT}/assets/${known.reit}/reit`,
        () => `${API_ROOT}/openapi.json`,
      ])(),
    'building pages': () => pick(known.pages) + pick(['', '.md']),
    lists: () => pick(lists),
    suggestions: () => pick(suggestions),
    tiles: () => pick(known.tiles),
    files: () =>
      pick(['/japan/areas.csv', '/japan/areas.geojson', '/japan/sitemap.xml', '/llms.txt', '/japan', '/japan/about']),
  };
  const surfaces = (Object.keys(SHARES) as Surface[]).flatMap((surface) =>
    Array<Surface>(SHARES[surface]).fill(surface),
  );
  return () => {
    const surface = pick(surfaces);
    if (surface === 'MCP with sessions') {
      const [name, args] = about();
      const body = message('tools/call', { name, arguments: args });
      return { surface, path: MCP_ROOT, headers: SESSION_HEADERS, body, inSession: true };
    }
    if (surface === 'MCP without sessions') {
      const [name, args] = about();
      const named = { 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': 'tools/call', 'mcp-name': name };
      const body = message('tools/call', { name, arguments: args, _meta: MODERN_META });
      return { surface, path: MCP_ROOT, headers: { ...POST_HEADERS, ...named }, body };
    }
    return { surface, path: paths[surface]() };
  };
}
