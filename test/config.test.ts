import { describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../src/config.ts';
import { FailureError } from '../src/vocabulary/failure.ts';

/** The failure of a setting, which names the setting and the accepted values. */
function faultOf(env: Record<string, string>): { setting: string; message: string } {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'badSetting') throw error;
    return { setting: error.failure.setting, message: error.message };
  }
  throw new Error(`${JSON.stringify(env)} is taken`);
}

describe('settings', () => {
  it('have these defaults', () => {
    expect(readConfig({})).toEqual({
      databaseUrl: 'file:data/registry.db',
      databaseReadUrls: [],
      host: '127.0.0.1',
      port: 3000,
      workers: 1,
      baseUrl: undefined,
      trustProxy: false,
      archiveDir: 'data/archive',
      rateLimit: { api: 120, page: 600, mcp: 120 },
      logLevel: 'info',
      baseMap: undefined,
      fetch: {
        urls: {
          osm: 'https://download.geofabrik.de',
          overpass: 'https://overpass-api.de',
          plateau: 'https://www.geospatial.jp/ckan',
          abr: 'https://data.address-br.digital.go.jp',
          estat: 'https://www.e-stat.go.jp',
          wikidataQuery: 'https://query.wikidata.org',
          wikidata: 'https://www.wikidata.org',
          edinet: 'https://api.edinet-fsa.go.jp',
        },
        edinetKey: undefined,
        contact: undefined,
      },
      exportDir: undefined,
    });
  });

  it('FTC-11 addresses of publishers may have a path, and nothing else', () => {
    const { fetch } = readConfig({ FETCH_OSM_URL: 'http://127.0.0.1:8080/osm/', FETCH_CONTACT: 'a@b.example' });
    expect([fetch.urls.osm, fetch.contact]).toEqual(['http://127.0.0.1:8080/osm', 'a@b.example']);
    for (const url of [
      'ftp://x.example',
      'x.example',
      'https://x.example/?a=1',
      'https://a:b@x.example',
      'https://x.example/#a',
    ]) {
      expect(faultOf({ FETCH_ABR_URL: url })).toMatchObject({ setting: 'FETCH_ABR_URL' });
    }
  });

  it('FTC-10 a key or contact that cannot be sent is refused without repeating it', () => {
    for (const text of ['secret\nkey', 'secret鍵', `secret${'x'.repeat(200)}`, 'secret (key)']) {
      for (const setting of ['EDINET_API_KEY', 'FETCH_CONTACT']) {
        const fault = faultOf({ [setting]: text });
        expect(fault.setting).toBe(setting);
        expect(fault.message).not.toContain('secret');
      }
    }
  });

  it('have the default if empty', () => {
    const names = [
      ...['DATABASE_URL', 'DATABASE_READ_URLS', 'HOST', 'PORT', 'WORKERS', 'BASE_URL', 'TRUST_PROXY', 'ARCHIVE_DIR'],
      'EXPORT_DIR',
      ...['RATE_LIMIT_API', 'RATE_LIMIT_PAGE', 'RATE_LIMIT_MCP', 'LOG_LEVEL', 'BASE_MAP_URL', 'BASE_MAP_ATTRIBUTION'],
      ...[
        'FETCH_CONTACT',
        'EDINET_API_KEY',
        'FETCH_OSM_URL',
        'FETCH_OVERPASS_URL',
        'FETCH_PLATEAU_URL',
        'FETCH_ABR_URL',
      ],
      ...['FETCH_ESTAT_URL', 'FETCH_WIKIDATA_QUERY_URL', 'FETCH_WIKIDATA_URL', 'FETCH_EDINET_URL'],
    ];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
  });

  it('ignore other variables', () => {
    expect(readConfig({ PATH: '/bin', port: '1', Database_Url: 'x', RATE_LIMIT: 'x' })).toEqual(readConfig({}));
  });

  it('cannot be changed once read', () => {
    const config = readConfig({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.rateLimit)).toBe(true);
    expect(Object.isFrozen(config.databaseReadUrls)).toBe(true);
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.rateLimit, { api: 1 })).toThrow(TypeError);
  });

  const TAKEN: [string, string, Partial<Config>][] = [
    ['DATABASE_URL', 'file:registry.db', { databaseUrl: 'file:registry.db' }],
    ['DATABASE_URL', 'file:/var/lib/a b/r.db', { databaseUrl: 'file:/var/lib/a b/r.db' }],
    ['DATABASE_URL', 'file:///var/lib/r.db', { databaseUrl: 'file:///var/lib/r.db' }],
    ['DATABASE_URL', 'postgres://u:p@db:5432/registry', { databaseUrl: 'postgres://u:p@db:5432/registry' }],
    [
      'DATABASE_URL',
      'postgresql://db/registry?sslmode=require',
      { databaseUrl: 'postgresql://db/registry?sslmode=require' },
    ],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['PORT', '0', { port: 0 }],
    ['WORKERS', '64', { workers: 64 }],
    ['PORT', '8080', { port: 8080 }],
    ['PORT', '65535', { port: 65_535 }],
    ['BASE_URL', 'https://registry.example', { baseUrl: 'https://registry.example' }],
    ['BASE_URL', 'https://registry.example/', { baseUrl: 'https://registry.example' }],
    ['BASE_URL', 'HTTP://Registry.Example:8080', { baseUrl: 'http://registry.example:8080' }],
    ['TRUST_PROXY', 'true', { trustProxy: true }],
    ['TRUST_PROXY', '1', { trustProxy: 1 }],
    ['TRUST_PROXY', '12', { trustProxy: 12 }],
    ['TRUST_PROXY', 'false', { trustProxy: false }],
    ['TRUST_PROXY', '0', { trustProxy: false }],
    ['TRUST_PROXY', 'loopback', { trustProxy: 'loopback' }],
    ['TRUST_PROXY', '10.0.0.0/8, 192.168.0.1', { trustProxy: '10.0.0.0/8, 192.168.0.1' }],
    ['TRUST_PROXY', '::1,fd00::/8', { trustProxy: '::1,fd00::/8' }],
    ['ARCHIVE_DIR', '/var/lib/tatemono archive', { archiveDir: '/var/lib/tatemono archive' }],
    ['EXPORT_DIR', '/srv/files', { exportDir: '/srv/files' }],
    ['RATE_LIMIT_API', '0', { rateLimit: { api: 0, page: 600, mcp: 120 } }],
    ['RATE_LIMIT_PAGE', '1000000', { rateLimit: { api: 120, page: 1_000_000, mcp: 120 } }],
    ['RATE_LIMIT_MCP', '7', { rateLimit: { api: 120, page: 600, mcp: 7 } }],
    ...(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map(
      (logLevel): [string, string, Partial<Config>] => ['LOG_LEVEL', logLevel, { logLevel }],
    ),
  ];

  it('a base map needs its attribution', () => {
    const [url, attribution] = ['https://maps.example/xyz/std/{z}/{x}/{y}.png', '地図の例'];
    const { baseMap } = readConfig({ BASE_MAP_URL: url, BASE_MAP_ATTRIBUTION: attribution });
    expect(baseMap).toEqual({ url, attribution });
    expect(faultOf({ BASE_MAP_URL: url })).toEqual({
      setting: 'BASE_MAP_ATTRIBUTION',
      message: expect.stringContaining('BASE_MAP_URL is set'),
    });
  });

  it('STB-07 standbys are PostgreSQL addresses, and belong to a PostgreSQL database', () => {
    const [one, two] = ['postgres://u:secret@one:5432/registry', 'postgresql://two/registry'];
    const primary = { DATABASE_URL: 'postgres://db/registry' };
    const taken = (text: string) => readConfig({ ...primary, DATABASE_READ_URLS: text }).databaseReadUrls;
    expect(taken(one)).toEqual([one]);
    expect(taken(`${one},${two}`)).toEqual([one, two]);
    expect(taken(` ${one} \n ${two}, `)).toEqual([one, two]);
    expect(taken(' , ')).toEqual([]);
    const refused: Record<string, string>[] = [
      { ...primary, DATABASE_READ_URLS: `${one},file:registry.db` },
      { ...primary, DATABASE_READ_URLS: 'postgres://u:secret@db:port/registry' },
      { DATABASE_READ_URLS: one },
      { DATABASE_URL: 'file:registry.db', DATABASE_READ_URLS: one },
    ];
    for (const env of refused) {
      const fault = faultOf(env);
      expect(fault.setting).toBe('DATABASE_READ_URLS');
      expect(fault.message).toMatch(/^DATABASE_READ_URLS: must be /);
      expect(fault.message).not.toContain('secret');
    }
  });

  it.each(TAKEN)('%s=%s is accepted', (setting, value, expected) => {
    expect(readConfig({ [setting]: value })).toEqual({ ...readConfig({}), ...expected });
  });

  it.each([
    ['DATABASE_URL', 'registry.db'],
    ['DATABASE_URL', 'file:'],
    ['DATABASE_URL', 'file://data/registry.db'],
    ['DATABASE_URL', 'file::memory:'],
    ['DATABASE_URL', 'mysql://db/registry'],
    ['DATABASE_URL', 'postgres:registry'],
    ['DATABASE_URL', 'postgres://u:secret@db:port/registry'],
    ['DATABASE_URL', ' file:registry.db'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', ' 80'],
    ['PORT', '8080/tcp'],
    ['BASE_URL', 'registry.example'],
    ['BASE_URL', 'ftp://registry.example'],
    ['BASE_URL', 'https://registry.example/japan'],
    ['BASE_URL', 'https://registry.example/?a'],
    ['BASE_URL', 'https://registry.example/#a'],
    ['BASE_URL', 'https://user:secret@registry.example'],
    ['BASE_URL', 'javascript:alert(1)'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '-1'],
    ['TRUST_PROXY', '100'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '999.1.1.1'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', ','],
    ['TRUST_PROXY', 'face'],
    ['RATE_LIMIT_API', 'off'],
    ['RATE_LIMIT_API', '-1'],
    ['RATE_LIMIT_PAGE', '1000001'],
    ['RATE_LIMIT_MCP', '1.5'],
    ['LOG_LEVEL', 'verbose'],
    ['LOG_LEVEL', 'INFO'],
    ['BASE_MAP_URL', 'maps.example/{z}/{x}/{y}.png'],
    ['BASE_MAP_URL', 'https://maps.example/tiles.png'],
    ['BASE_MAP_URL', 'javascript:/{z}/{x}/{y}'],
    ['BASE_MAP_URL', 'https://{x}.maps.example/{z}/0/{y}'],
    ['BASE_MAP_URL', "https://maps.example/{z}/{x}/{y}; script-src 'unsafe-inline'"],
  ])('%s=%s is refused by name, without quoting the value', (setting, value) => {
    const fault = faultOf({ [setting]: value });
    expect(fault.setting).toBe(setting);
    expect(fault.message).toMatch(new RegExp(`^${setting}: must be `));
    expect(fault.message).not.toContain('secret');
  });
});
