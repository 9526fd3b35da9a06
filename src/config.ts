import { isIP } from 'node:net';
import type { FetchSettings } from './fetch/published-source.ts';
import { FailureError } from './vocabulary/failure.ts';
import { parseWebUrl } from './vocabulary/source-url.ts';

/** Every setting, read once from the environment. docs/reference/settings.md lists them. */
export interface Config {
  readonly databaseUrl: string;
  /** PostgreSQL standbys that `serve` reads from. */
  readonly databaseReadUrls: readonly string[];
  readonly host: string;
  readonly port: number;
  /** Processes that serve together. */
  readonly workers: number;
  /** The public origin, for canonical links; undefined until one is set. */
  readonly baseUrl: string | undefined;
  readonly trustProxy: string | boolean | number;
  readonly archiveDir: string;
  readonly rateLimit: { readonly api: number; readonly page: number; readonly mcp: number };
  /** The folder with the files of `tatemono export` that are offered; undefined for none. */
  readonly exportDir: string | undefined;
  readonly logLevel: LogLevel;
  /** An external raster map under the buildings; undefined for none. */
  readonly baseMap: { readonly url: string; readonly attribution: string } | undefined;
  /** The addresses of publishers. */
  readonly fetch: FetchSettings;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment): Config {
  const config: Config = {
    databaseUrl: readDatabaseUrl(env),
    databaseReadUrls: Object.freeze(readDatabaseReadUrls(env)),
    host: env.HOST || '127.0.0.1',
    port: readInteger(env, 'PORT', 3000, 65_535),
    workers: readWorkers(env),
    baseUrl: readBaseUrl(env),
    trustProxy: readTrustProxy(env),
    archiveDir: env.ARCHIVE_DIR || 'data/archive',
    rateLimit: Object.freeze({
      api: readInteger(env, 'RATE_LIMIT_API', 120),
      page: readInteger(env, 'RATE_LIMIT_PAGE', 600),
      mcp: readInteger(env, 'RATE_LIMIT_MCP', 120),
    }),
    exportDir: env.EXPORT_DIR || undefined,
    logLevel: readLogLevel(env),
    baseMap: readBaseMap(env),
    fetch: Object.freeze(readFetch(env)),
  };
  return Object.freeze(config);
}

function bad(setting: string, reason: string): never {
  throw new FailureError({ kind: 'badSetting', setting, reason });
}

function readDatabaseUrl(env: Environment): string {
  const url = env.DATABASE_URL || 'file:data/registry.db';
  if (isFileUrl(url)) return url;
  if (isPostgresUrl(url)) return url;
  return bad('DATABASE_URL', 'must be file:<path> for SQLite or postgres://user:password@host:port/database');
}

const isPostgresUrl = (url: string) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);

/** STB-07 */
function readDatabaseReadUrls(env: Environment): string[] {
  const urls = (env.DATABASE_READ_URLS ?? '').split(/[\s,]+/).filter((url) => url !== '');
  if (!urls.every(isPostgresUrl)) {
    return bad(
      'DATABASE_READ_URLS',
      'must be addresses such as postgres://user:password@host:port/database, separated by commas',
    );
  }
  if (urls.length > 0 && !isPostgresUrl(readDatabaseUrl(env))) {
    return bad(
      'DATABASE_READ_URLS',
      'must be empty unless DATABASE_URL is a PostgreSQL database, of which they are the standbys',
    );
  }
  return urls;
}

/** `file:<path>` or `file:///<path>`. A database in memory is refused: each connection would have its own. */
function isFileUrl(url: string): boolean {
  if (url.startsWith('file://')) return URL.canParse(url) && new URL(url).host === '' && url.length > 'file:///'.length;
  return /^file:[^:]/.test(url);
}

function readInteger(env: Environment, setting: string, fallback: number, max = 1_000_000): number {
  const text = env[setting];
  if (!text) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value <= max ? value : bad(setting, `must be a whole number from 0 to ${max}`);
}

/** PRC-05 */
const MAX_WORKERS = 64;

function readWorkers(env: Environment): number {
  const text = env.WORKERS || '1';
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return workers >= 1 && workers <= MAX_WORKERS
    ? workers
    : bad('WORKERS', `must be a whole number from 1 to ${MAX_WORKERS}`);
}

function readBaseUrl(env: Environment): string | undefined {
  if (!env.BASE_URL) return undefined;
  const url = parseWebUrl(env.BASE_URL);
  if (url === undefined || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    return bad('BASE_URL', 'must be an origin such as https://registry.example, without a path');
  }
  return url.origin;
}

/** `true`, `false`, the number of proxies, or the addresses and networks of trusted proxies, separated by commas. */
function readTrustProxy(env: Environment): string | boolean | number {
  const text = env.TRUST_PROXY;
  if (!text || text === 'false' || text === '0') return false;
  if (text === 'true') return true;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  if (text.split(',').every((part) => isNetwork(part.trim()))) return text;
  return bad('TRUST_PROXY', 'must be true, false, a number of proxies, or addresses and networks separated by commas');
}

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

function readLogLevel(env: Environment): LogLevel {
  const level = env.LOG_LEVEL || 'info';
  if ((LOG_LEVELS as readonly string[]).includes(level)) return level as LogLevel;
  return bad('LOG_LEVEL', `must be one of ${LOG_LEVELS.join(', ')}`);
}

function readBaseMap(env: Environment): Config['baseMap'] {
  const { BASE_MAP_URL: url, BASE_MAP_ATTRIBUTION: attribution } = env;
  if (!url) return undefined;
  // Its origin goes into the Content-Security-Policy, so special characters are refused.
  const parts = url.match(/\{[^{}]*\}|\{/g) ?? [];
  if (!/^https?:\/\/[\w.-]+(:\d+)?\/[^\s;,'"<>]*$/.test(url) || parts.toSorted().join() !== '{x},{y},{z}') {
    return bad('BASE_MAP_URL', 'must be the address of raster tiles, such as https://maps.example/{z}/{x}/{y}.png');
  }
  if (!attribution)
    return bad('BASE_MAP_ATTRIBUTION', 'must be set to the attribution of the map when BASE_MAP_URL is set');
  return Object.freeze({ url, attribution });
}

function readFetch(env: Environment): FetchSettings {
  return {
    urls: Object.freeze({
      osm: readPublisherUrl(env, 'FETCH_OSM_URL', 'https://download.geofabrik.de'),
      overpass: readPublisherUrl(env, 'FETCH_OVERPASS_URL', 'https://overpass-api.de'),
      plateau: readPublisherUrl(env, 'FETCH_PLATEAU_URL', 'https://www.geospatial.jp/ckan'),
      abr: readPublisherUrl(env, 'FETCH_ABR_URL', 'https://data.address-br.digital.go.jp'),
      estat: readPublisherUrl(env, 'FETCH_ESTAT_URL', 'https://www.e-stat.go.jp'),
      wikidataQuery: readPublisherUrl(env, 'FETCH_WIKIDATA_QUERY_URL', 'https://query.wikidata.org'),
      wikidata: readPublisherUrl(env, 'FETCH_WIKIDATA_URL', 'https://www.wikidata.org'),
      edinet: readPublisherUrl(env, 'FETCH_EDINET_URL', 'https://api.edinet-fsa.go.jp'),
    }),
    edinetKey: readHeaderText(env, 'EDINET_API_KEY'),
    contact: readHeaderText(env, 'FETCH_CONTACT'),
  };
}

/** A base address, with a path or without; requests are added to it. */
function readPublisherUrl(env: Environment, setting: string, fallback: string): string {
  const text = env[setting];
  if (!text) return fallback;
  const url = parseWebUrl(text);
  if (url === undefined || url.search || url.hash || url.username || url.password) {
    return bad(
      setting,
      'must be an http or https address without a query or credentials, such as https://mirror.example/osm',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** A text that is sent in a request. An error does not repeat it, because it may be a key. */
function readHeaderText(env: Environment, setting: string): string | undefined {
  const text = env[setting];
  if (!text) return undefined;
  return /^[\x20-\x7e]{1,200}$/.test(text) && !/[()]/.test(text)
    ? text
    : bad(setting, 'must be at most 200 ASCII characters without parentheses');
}
