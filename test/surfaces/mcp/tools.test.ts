import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Registry } from '../../../src/registry/registry.ts';
import { API_ROOT } from '../../../src/surfaces/http/surface.ts';
import { ok } from '../../../src/vocabulary/result.ts';
import { onBothEngines } from '../../support/engines.ts';
import { McpClient, type ToolResult } from '../../support/mcp-inject.ts';
import { Random } from '../../support/random.ts';
import { id, record } from '../../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../../support/served-registry.ts';
import { assetUrl, emptyRegistry, faultyRegistry, MARK, uncheckedServerOn } from '../../support/serving.ts';
import { LIVE, openSmallRegistry, SMALL, type SmallRegistry } from '../../support/small-registry.ts';
import { randomRuns } from '../../support/test-length.ts';
import { TRAPS } from '../../support/trap-texts.ts';
import { ASKED_TYPES, SLUGS, variedRegistry } from '../../support/varied-registry.ts';

const textOf = ({ content }: ToolResult) => {
  expect(content).toHaveLength(1);
  expect(content[0]?.type).toBe('text');
  return content[0]?.text ?? '';
};

function expectToolError(result: ToolResult, start: string): string {
  expect(Object.keys(result).sort()).toEqual(['content', 'isError']);
  expect(result.isError).toBe(true);
  expect(textOf(result)).not.toContain(MARK);
  expect(textOf(result)).toMatch(new RegExp(`^${start}`));
  return textOf(result);
}

const OWNED = [
  record(
    'wikidata',
    'Q5',
    { nameEn: 'Owned', ownerPublic: '株式会社　甲乙' },
    { building: id(2), retrievedAt: '2026-02-01T00:00:00Z' },
  ),
  record('wikidata', 'Q6', { ownerPublic: '株式会社 甲乙' }, { building: id(1), retrievedAt: '2026-02-01T00:00:00Z' }),
];

onBothEngines('the tools', (fresh) => {
  let small: SmallRegistry;
  let client: McpClient;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
    await small.ingest(OWNED);
    client = await McpClient.open(small.app);
  });
  afterAll(() => small.close());
  const rest = async (url: string) => (await small.app.inject(url)).json();

  it('MCP-11 MCP-16 get_asset returns the record and a text', async () => {
    for (const asset of LIVE) {
      const result = await client.call('get_asset', { id: asset });
      expect(Object.keys(result).sort()).toEqual(['content', 'structuredContent']);
      expect(result.structuredContent).toEqual(await rest(assetUrl(asset)));
      expect(textOf(result)).toContain(asset);
      expect(await client.call('get_asset', { id: asset }, 'again')).toEqual(result);
    }
    const text = textOf(await client.call('get_asset', { id: SMALL.full }));
    expect(text).toContain('- heightM: 50 m (plateau, 2026-01-01, confidence 0.9); wikidata says 49 m');
    expect(text).toContain('喫茶 (cafe)');
  });

  it('MCP-11 dates are ISO 8601 strings', async () => {
    const { structuredContent } = await client.call('get_asset', { id: SMALL.full });
    const dates = [...JSON.stringify(structuredContent).matchAll(/"(?:retrieved|recorded)At":([^,}]*)/g)];
    expect(dates.length).toBeGreaterThan(5);
    for (const [, date] of dates) expect(date).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"$/);
  });

  it('MCP-12 MCP-16 get_asset_sources wraps the list in an object', async () => {
    for (const asset of LIVE) {
      const result = await client.call('get_asset_sources', { id: asset });
      expect(result.structuredContent).toEqual({ sources: await rest(assetUrl(asset, '/sources')) });
      expect(textOf(result)).toContain(asset);
    }
  });

  it('ID-04 a merged or replaced ID returns the surviving building', async () => {
    for (const [from, into] of [
      [SMALL.chain[0], SMALL.chain[2]],
      [SMALL.chain[1], SMALL.chain[2]],
      [SMALL.retiredInto.from, SMALL.retiredInto.into],
      [SMALL.retiredIntoChain, SMALL.chain[2]],
    ] as const) {
      const record = await client.call('get_asset', { id: from });
      expect(record.structuredContent).toEqual(await rest(assetUrl(into)));
      expect(textOf(record)).toContain(`now leads to ${into}`);
      const sources = await client.call('get_asset_sources', { id: from });
      expect(sources.structuredContent).toEqual({ sources: await rest(assetUrl(into, '/sources')) });
      expect(textOf(sources)).toContain(`now leads to ${into}`);
      const reit = await client.call('get_asset_reit', { id: from });
      expect(reit.structuredContent).toEqual({ buildingId: into, publications: [] });
    }
  });

  it('ID-03 MCP-13 an ID without a building is a tool error with advice', async () => {
    for (const asset of [SMALL.unknown, SMALL.retired, ...SMALL.mergedIntoRetired, SMALL.unplaced, id(1, '99')]) {
      for (const tool of ['get_asset', 'get_asset_sources', 'get_asset_reit']) {
        expect(expectToolError(await client.call(tool, { id: asset }), 'not_found')).toContain('search_assets');
      }
    }
  });

  it('ID-02 a malformed ID is an input error', async () => {
    for (const asset of [
      MARK,
      '',
      'ASSET-JP-13-1',
      `${id(1)} `,
      id(1).toLowerCase(),
      `${id(1)}\n`,
      7,
      null,
      [id(1)],
      {},
    ]) {
      for (const tool of ['get_asset', 'get_asset_sources', 'get_asset_reit']) {
        expect(expectToolError(await client.call(tool, { id: asset }), 'invalid_input')).toMatch(/\bid\b/);
      }
    }
  });

  it('MCP-11 missing, invalid or unknown arguments are input errors', async () => {
    const cases: [tool: string, args: object, says: RegExp][] = [
      ['get_asset', {}, /required.*id/],
      ['get_asset', { id: id(1), [MARK]: 1 }, /the only arguments are id, view/],
      ['search_assets', { query: MARK }, /the only arguments are q, prefecture, ward, machiAza, type, page/],
      ['search_assets', { page: 0 }, /page must be >= 1/],
      ['search_assets', { page: -1 }, /page/],
      ['search_assets', { page: 1.5 }, /page must be integer/],
      ['search_assets', { page: '2' }, /page must be integer/],
      ['search_assets', { q: 5, type: [] }, /q must be string; type must be string/],
      ['get_owner_portfolio', { owner: MARK }, /name/],
      ['get_owner_portfolio', { name: '' }, /name/],
      ['get_owner_portfolio', { name: { MARK } }, /name must be string/],
    ];
    for (const [tool, args, says] of cases) {
      expect(expectToolError(await client.call(tool, args), 'invalid_input')).toMatch(says);
    }
  });

  it('SEA-06 MCP-16 a page number of any size gives an empty page and is returned as an integer', async () => {
    for (const page of [51, 2 ** 53, 2 ** 64, 1e300]) {
      const { structuredContent, isError } = await client.call('search_assets', { page });
      expect(isError).toBeUndefined();
      expect(structuredContent).toMatchObject({ items: [], page });
      expect(structuredContent).toEqual(await rest(`${API_ROOT}/assets?page=${BigInt(page)}`));
    }
  });

  it('MCP-11 an optional argument that is null counts as omitted', async () => {
    const nulls = { q: null, prefecture: null, ward: null, machiAza: null, type: null, page: null };
    expect(await client.call('search_assets', nulls)).toEqual(await client.call('search_assets', {}));
  });

  it('MCP-11 an unknown tool is a protocol error', async () => {
    for (const name of [MARK, 'constructor', '__proto__', 'toString', '', 'GET_ASSET']) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
      const answer = await client.post(body);
      expect(answer.json()).toMatchObject({
        id: 1,
        error: { code: -32602, message: expect.stringContaining('tools/list') },
      });
      expect(answer.body).not.toContain(MARK);
    }
    for (const params of [undefined, {}, { name: 1 }, { name: 'get_asset', arguments: [] }, { arguments: {} }]) {
      const answer = await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      expect(answer.json()).toMatchObject({ id: 1, error: { code: -32602 } });
    }
    const list = await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: MARK } });
    expect(list.json()).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(list.body).not.toContain(MARK);
  });

  it('MCP-16 get_owner_portfolio returns every building of the owner, however the name is written', async () => {
    for (const name of ['株式会社 甲乙', '株式会社　甲乙 ', 'nobody', '%', '\u0000', 'constructor']) {
      const result = await client.call('get_owner_portfolio', { name });
      expect(result.structuredContent).toEqual(await rest(`${API_ROOT}/owners/${encodeURIComponent(name)}/assets`));
      expect(Object.keys(result).sort()).toEqual(['content', 'structuredContent']);
    }
    const text = textOf(await client.call('get_owner_portfolio', { name: '株式会社 甲乙' }));
    expect(text).toMatch(/^2 buildings of /);
    for (const asset of [id(1), id(2)]) expect(text).toContain(asset);
    expect(textOf(await client.call('get_owner_portfolio', { name: MARK }))).not.toContain(MARK);
  });

  it('MCP-16 search_assets pages like REST and states how to get the next page', async () => {
    for (const query of [
      {},
      { page: 1 },
      { page: 2 },
      { page: 51 },
      { q: 'one' },
      { prefecture: 'tokyo' },
      { type: 'x' },
    ]) {
      const result = await client.call('search_assets', query);
      const parameters = new URLSearchParams(
        Object.fromEntries(Object.entries(query).map(([name, value]) => [name, `${value}`])),
      );
      expect(result.structuredContent).toEqual(await rest(`${API_ROOT}/assets?${parameters}`));
    }
    expect(textOf(await client.call('search_assets', {}))).toMatch(/^3 buildings match; 1 to 3:\n\n1\. /);
    expect(textOf(await client.call('search_assets', { page: 9 }))).toBe(
      '3 buildings match. Page 9 is past the last; the pages are 1 to 1.',
    );
    expect(textOf(await client.call('search_assets', { q: MARK }))).toMatch(/^No building matches\./);
  });
});

onBothEngines('search over MCP', (fresh, engine) => {
  let served: ServedRegistry;
  let client: McpClient;
  beforeAll(async () => {
    served = await openServedRegistry(await fresh());
    for (const stage of variedRegistry(7).stages) {
      await stage.run(served);
    }
    client = await McpClient.open(served.app);
  });
  afterAll(() => served.close());

  it('MCP-16 gives the results of REST for any query', () => {
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const word = fc.oneof(fc.constantFrom(...TRAPS), fc.string({ unit: 'grapheme', maxLength: 5 }));
    const query = fc.record({
      q: maybe(word),
      prefecture: maybe(fc.constantFrom(...SLUGS.prefecture)),
      ward: maybe(fc.constantFrom(...SLUGS.ward)),
      machiAza: maybe(fc.constantFrom(...SLUGS.machiAza)),
      type: maybe(fc.constantFrom(...ASKED_TYPES)),
      page: maybe(fc.integer({ min: 1, max: 60 })),
    });
    return fc.assert(
      fc.asyncProperty(query, async (input) => {
        const given = Object.entries(input).filter(([, value]) => value !== undefined);
        const parameters = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
        const { structuredContent } = await client.call('search_assets', Object.fromEntries(given));
        expect(structuredContent).toEqual(JSON.parse((await served.get(`${API_ROOT}/assets?${parameters}`)).body));
      }),
      { numRuns: randomRuns(engine === 'sqlite' ? 150 : 50), endOnFailure: true },
    );
  });
});

describe('the tools with other registries', () => {
  const opened = async (registry: Registry, log: string[] = []) => {
    const logTo = { write: (line: string) => void log.push(line) };
    const app = uncheckedServerOn(registry, undefined, { logLevel: 'error', logTo });
    return { app, client: await McpClient.open(app) };
  };

  it('MCP-11 the list has the description, input and output schema of each tool', async () => {
    const { app, client } = await opened(emptyRegistry);
    const { tools } = (await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).json().result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'search_assets',
      'get_asset',
      'get_asset_sources',
      'get_owner_portfolio',
      'get_asset_reit',
    ]);
    const given = {
      search_assets: [
        ...['q', 'prefecture', 'ward', 'machiAza', 'type', 'page', 'view', 'floorsMin', 'floorsMax', 'heightMin'],
        ...['heightMax', 'builtMin', 'builtMax', 'has', 'sort', 'near', 'radius', 'bbox'],
      ],
      get_asset: ['id', 'view'],
      get_owner_portfolio: ['name', 'view'],
      get_asset_reit: ['id', 'metrics', 'periods'],
    };
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.stringMatching(/^[A-Z]/),
        description: expect.stringMatching(/.{150}/s),
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      });
      expect(Object.keys(tool.inputSchema.properties)).toEqual(given[tool.name as keyof typeof given] ?? ['id']);
      // Some clients drop $defs at the root, and some models take no references in arguments.
      expect(tool.outputSchema).not.toHaveProperty('$defs');
      expect(JSON.stringify(tool.inputSchema)).not.toContain('$ref');
      for (const [, pointer = ''] of JSON.stringify(tool.outputSchema).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
        expect(tool.outputSchema).toHaveProperty(pointer.split('/'));
      }
      // VER-01: responses may get new properties, which clients must accept.
      expect(JSON.stringify(tool.outputSchema)).not.toContain('"additionalProperties":false');
    }
    await app.close();
  });

  it('API-06 an internal error is a tool error without details, and is logged', async () => {
    const log: string[] = [];
    const { app, client } = await opened(faultyRegistry(new Error('SECRET')), log);
    for (const [tool, args] of [
      ['get_asset', { id: id(1) }],
      ['get_asset_sources', { id: id(1) }],
      ['get_asset_reit', { id: id(1) }],
      ['search_assets', {}],
      ['get_owner_portfolio', { name: 'x' }],
    ] as const) {
      log.length = 0;
      expect(expectToolError(await client.call(tool, args), 'internal_error')).not.toContain('SECRET');
      expect(log.join()).toContain('SECRET');
    }
    await app.close();
  });

  it('SEA-01 the buffer of a search is released once, whatever happens', async () => {
    for (const body of ['{"items":[],"page":1,"total":0,"totalCapped":false}', 'no JSON']) {
      let released = 0;
      const search = async () => ({ etag: '"x"', body: Buffer.from(body), release: () => void released++ });
      const { app, client } = await opened({ ...emptyRegistry, search });
      await client.call('search_assets', {});
      expect(released).toBe(1);
      await app.close();
    }
  });

  it('OWN-01 a portfolio is released when it has been sent', async () => {
    let released = 0;
    async function* body() {
      yield Buffer.from('{"owner":"x",');
      yield Buffer.from('"items":[]}');
    }
    const getPortfolio = async () => ok({ etag: '"x"', body: body(), release: () => void released++ });
    const { app, client } = await opened({ ...emptyRegistry, getPortfolio });
    expect((await client.call('get_owner_portfolio', { name: 'x' })).structuredContent).toEqual({
      owner: 'x',
      items: [],
    });
    expect(released).toBe(1);
    const older = await McpClient.open(app, '2025-03-26');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_owner_portfolio', arguments: { name: 'x' } },
    };
    expect((await older.post([call, call, call])).json()).toHaveLength(3);
    expect(released).toBe(4);
    await app.close();
  });

  it('MCP-01 any JSON-RPC message gets a JSON-RPC response that does not echo it', async () => {
    const { app, client } = await opened(emptyRegistry);
    const json = fc.jsonValue({ maxDepth: 3 });
    const name = fc.constantFrom('get_asset', 'search_assets', 'get_owner_portfolio', MARK, '__proto__');
    const message = fc.oneof(
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.string()),
        method: fc.string(),
        params: json,
      }),
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.integer(),
        method: fc.constantFrom('tools/call', 'tools/list', 'ping', 'initialize'),
        params: fc.oneof(json, fc.record({ name, arguments: json, _meta: json }, { requiredKeys: [] })),
      }),
      json,
    );
    await fc.assert(
      fc.asyncProperty(message, fc.nat(), async (sent, seed) => {
        const random = new Random(seed);
        const text = JSON.stringify(sent);
        const cut = random.chance(0.2) ? text.slice(0, random.below(text.length + 1)) : text;
        const answer = await client.post(cut);
        expect([200, 202, 400]).toContain(answer.statusCode);
        if (answer.statusCode !== 202) expect(answer.json()).toMatchObject({ jsonrpc: '2.0' });
        if (answer.statusCode === 400) expect(answer.json()).toMatchObject({ id: null, error: {} });
        expect(answer.body).not.toContain(MARK);
        expect(answer.body).not.toMatch(/node_modules|\.ts:\d/);
      }),
      { numRuns: randomRuns(1_000), endOnFailure: true },
    );
    await app.close();
  });
});
