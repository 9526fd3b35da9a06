import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Envelope } from '../../../src/reit/publication/document.ts';
import { API_ROOT } from '../../../src/surfaces/http/surface.ts';
import { onBothEngines } from '../../support/engines.ts';
import { McpClient } from '../../support/mcp-inject.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';
import { assetUrl } from '../../support/serving.ts';

/** A building of the sample with a REIT publication of several periods, and one without. */
const HELD = 'ASSET-JP-13-00000054';
const UNHELD = 'ASSET-JP-13-00000002';

type Values = Record<string, { value: unknown; source: string; conflict: { source: string } | null }>;

onBothEngines('the sample over MCP', (fresh) => {
  let served: ServedSample;
  beforeAll(async () => {
    served = await openServedSample(await fresh());
  });
  afterAll(() => served.close());
  const reitOf = async (id: string) => (await served.app.inject(assetUrl(id, '/reit'))).json() as Envelope;

  it('FIT-20 get_asset_reit returns only the metrics and the newest periods that are asked for', async () => {
    const mcp = await McpClient.open(served.app);
    const whole = (await reitOf(HELD)).publications[0]?.document;
    const groups = whole?.agreement?.groups ?? [];
    const newest = whole?.periods.toSorted((a, b) => (a.endDate < b.endDate ? 1 : -1)).map((period) => period.id) ?? [];
    expect(newest.length).toBeGreaterThan(1);
    for (const [args, metrics, periods] of [
      [{ periods: 'latest' }, undefined, newest.slice(0, 1)],
      [{ periods: 2 }, undefined, newest.slice(0, 2)],
      [{ periods: 999 }, undefined, newest],
      [{ metrics: ['noi', 'occupancyRate'] }, ['noi', 'occupancyRate'], newest],
      [{ metrics: ['noi'], periods: 1 }, ['noi'], newest.slice(0, 1)],
    ] as const) {
      const { structuredContent, content } = await mcp.call('get_asset_reit', { id: HELD, ...args });
      const { filtered, publications } = structuredContent as unknown as Envelope & { filtered: boolean };
      expect(filtered).toBe(true);
      const document = publications[0]?.document;
      expect(document?.periods).toEqual(whole?.periods.filter((period) => periods.includes(period.id)));
      const wanted = groups
        .filter(({ periodId }) => periods.includes(periodId))
        .map((group) => ({
          ...group,
          fields: group.fields.filter(
            ({ path }) => metrics === undefined || (metrics as readonly string[]).includes(path),
          ),
        }));
      expect(document?.agreement?.groups).toEqual(wanted);
      // Every observation still leads to its revision and to its citations.
      for (const { revisionId, path } of wanted.flatMap(({ fields }) =>
        fields.flatMap((field) => field.observations),
      )) {
        const revision = document?.sourceRevisions.find((one) => one.id === revisionId);
        expect(Object.keys(revision?.fields ?? {})).toContain(path);
        const cited = (from: typeof whole) =>
          from?.fieldCitations.find((one) => one.revisionId === revisionId && one.path === path);
        expect(cited(document)).toEqual(cited(whole));
      }
      expect(document?.holdings).toEqual(whole?.holdings);
      expect(JSON.stringify(document).length).toBeLessThanOrEqual(JSON.stringify(whole).length);
      expect(content[0]?.text).toContain('noi');
    }
    for (const args of [
      { metrics: [] },
      { metrics: ['rent'] },
      { metrics: 'noi' },
      { periods: 0 },
      { periods: -1 },
      { periods: 1.5 },
      { periods: 'all' },
      { periods: '2' },
    ]) {
      const { isError, content } = await mcp.call('get_asset_reit', { id: HELD, ...args });
      expect(isError, JSON.stringify(args)).toBe(true);
      expect(content[0]?.text).toMatch(/^invalid_input/);
    }
    expect(await mcp.call('get_asset_reit', { id: UNHELD, periods: 'latest' })).toMatchObject({
      structuredContent: { buildingId: UNHELD, publications: [], filtered: true },
    });
  });

  /** Each value that a summary states, as it is written in texts. */
  const valuesIn = (item: { figures?: Values; fields?: Values }) =>
    Object.entries({ ...item.figures, ...item.fields }).map(([name, { value, source, conflict }]) => ({
      said: `${name}: ${typeof value === 'number' ? value : ''}`,
      source,
      conflict,
    }));

  it('FIT-21 search_assets takes the arguments of REST, and its text says all that is said of the first hits', async () => {
    const mcp = await McpClient.open(served.app);
    for (const args of [
      { view: 'summary' },
      { view: 'summary', q: '東京タワー' },
      { view: 'summary', prefecture: 'tokyo', ward: 'minato-ku', type: 'office', heightMin: 200, sort: 'height' },
      { view: 'summary', near: '35.6812,139.7671', radius: 300, sort: 'distance', builtMax: 1970 },
      { view: 'summary', has: 'reit,owner', floorsMin: 10, floorsMax: 80 },
      { view: 'summary', bbox: '139.7,35.6,139.8,35.7', page: 2 },
      { view: 'full', builtMin: 2020, heightMax: 300 },
      { view: 'summary', heightMin: 5, heightMax: 1 },
    ]) {
      const parameters = new URLSearchParams(
        Object.entries(args).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const rest = (await served.app.inject(`${API_ROOT}/assets?${parameters}`)).json();
      const { structuredContent, content, isError } = await mcp.call('search_assets', args);
      expect(isError).toBeUndefined();
      expect(structuredContent).toEqual(rest);
      const text = content[0]?.text ?? '';
      if (args.view !== 'summary') continue;
      for (const item of rest.items) expect(text).toContain(item.id);
      for (const item of rest.items.slice(0, 5)) {
        expect(text).toContain(item.path);
        expect(text).toContain(String(item.lat));
        for (const { said, source, conflict } of valuesIn(item)) {
          expect(text).toContain(said);
          if (conflict !== null) expect(text).toContain(`${conflict.source} says`);
          expect(text).toContain(source);
        }
      }
      if (rest.items.length > 0) expect(text).toContain('get_asset with an id');
    }
    for (const args of [
      { view: 'short' },
      { heightMin: -1 },
      { heightMin: 'tall' },
      { has: 'pool' },
      { sort: 'price' },
      { sort: 'distance' },
      { near: 'here' },
      { near: '35.6,139.7', radius: 5_001 },
      { bbox: '1,2,3' },
    ]) {
      const { isError, content } = await mcp.call('search_assets', args);
      expect(isError, JSON.stringify(args)).toBe(true);
      expect(content[0]?.text).toMatch(/^invalid_input/);
    }
  });

  it('FIT-22 the text of full records that new arguments find says every field of the first ones, and is as before without them', async () => {
    const mcp = await McpClient.open(served.app);
    const textOf = async (args: object) => (await mcp.call('search_assets', args)).content[0]?.text ?? '';
    for (const args of [{ heightMin: 200 }, { sort: 'name' }, { has: 'owner' }, { near: '35.6812,139.7671' }]) {
      const { structuredContent } = await mcp.call('search_assets', args);
      const { items } = structuredContent as { items: { id: string; path: string; fields: Record<string, unknown> }[] };
      const text = await textOf(args);
      for (const { id } of items) expect(text).toContain(id);
      for (const { path, fields } of items.slice(0, 5)) {
        expect(text).toContain(`   - ${path}; at `);
        const [, of = ''] = text.split(`   - ${path}; `);
        for (const name of Object.keys(fields)) expect(of).toContain(`   - ${name}: `);
      }
      expect(text).toContain('get_asset with an id');
    }
    const plain = await textOf({ prefecture: 'tokyo' });
    expect(plain).not.toContain('   - ');
    expect(await textOf({ prefecture: 'tokyo', view: 'full', sort: 'recorded' })).toBe(plain);
  });

  it('FIT-21 get_asset and get_owner_portfolio have summaries', async () => {
    const mcp = await McpClient.open(served.app);
    for (const id of [HELD, UNHELD, 'ASSET-JP-13-00000058', 'ASSET-JP-26-00000006']) {
      const rest = (await served.app.inject(`${assetUrl(id)}?view=summary`)).json();
      const { structuredContent, content } = await mcp.call('get_asset', { id, view: 'summary' });
      expect(structuredContent).toEqual(rest);
      const text = content[0]?.text ?? '';
      for (const { said, source } of valuesIn(rest)) {
        expect(text).toContain(said);
        expect(text).toContain(source);
      }
      for (const { sourceRecordId } of rest.sources) expect(text).toContain(sourceRecordId.replaceAll('_', '\\_'));
      for (const { credit } of rest.attribution) expect(text).toContain(credit);
    }
    const merged = await mcp.call('get_asset', { id: 'ASSET-JP-13-00000034', view: 'summary' });
    expect(merged.structuredContent).toMatchObject({ id: 'ASSET-JP-13-00000032' });
    expect(merged.content[0]?.text).toMatch(/^The requested id now leads to ASSET-JP-13-00000032/);
    for (const name of ['三菱地所', 'nobody']) {
      const rest = (
        await served.app.inject(`${API_ROOT}/owners/${encodeURIComponent(name)}/assets?view=summary`)
      ).json();
      const { structuredContent, content } = await mcp.call('get_owner_portfolio', { name, view: 'summary' });
      expect(structuredContent).toEqual(rest);
      for (const { id } of rest.items) expect(content[0]?.text).toContain(id);
      if (rest.items.length === 0) expect(content[0]?.text).toMatch(/^No published building has this owner/);
    }
    for (const [tool, args] of [
      ['get_asset', { id: HELD, view: 'all' }],
      ['get_owner_portfolio', { name: 'x', view: 1 }],
    ] as const) {
      expect(await mcp.call(tool, args)).toMatchObject({ isError: true });
    }
  });

  it('AGT-03 FIT-21 results of every view fit the output schema that the SDK checks them with', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.origin}/japan/mcp`)));
    await client.listTools();
    for (const [name, args] of [
      ['search_assets', {}],
      ['search_assets', { view: 'summary', near: '35.6812,139.7671' }],
      ['search_assets', { q: 'nothing at all', view: 'summary' }],
      ['get_asset', { id: HELD }],
      ['get_asset', { id: HELD, view: 'summary' }],
      ['get_asset', { id: 'ASSET-JP-26-00000006', view: 'summary' }],
      ['get_owner_portfolio', { name: '三菱地所' }],
      ['get_owner_portfolio', { name: '三菱地所', view: 'summary' }],
      ['get_asset_reit', { id: HELD }],
      ['get_asset_reit', { id: HELD, periods: 'latest', metrics: ['noi'] }],
      ['get_asset_sources', { id: HELD }],
    ] as const) {
      expect((await client.callTool({ name, arguments: args })).isError, name).toBeUndefined();
    }
    await client.close();
  });
});
