import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Envelope } from '../../../src/reit/publication/document.ts';
import { onBothEngines } from '../../support/engines.ts';
import { McpClient } from '../../support/mcp-inject.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';
import { assetUrl } from '../../support/serving.ts';

/** A building of the sample with a REIT publication of several periods, and one without. */
const HELD = 'ASSET-JP-13-00000054';
const UNHELD = 'ASSET-JP-13-00000002';

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
});
