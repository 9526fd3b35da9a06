import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EnvelopeSchema } from '../../../src/reit/publication/document.ts';
import { API_ROOT } from '../../../src/surfaces/http/surface.ts';
import { AreaSummarySchema, OwnerPortfolioSchema, SearchEnvelopeSchema } from '../../../src/vocabulary/api-shapes.ts';
import { BuildingPageSchema, SourcesSchema } from '../../../src/vocabulary/building-page.ts';
import {
  BuildingSummarySchema,
  OwnerSummariesSchema,
  SummaryEnvelopeSchema,
} from '../../../src/vocabulary/building-summary.ts';
import { closed } from '../../../src/vocabulary/schema.ts';
import { changesOf, type Json, objectsIn } from '../../support/changed-answers.ts';
import { onSqlite } from '../../support/engines.ts';
import { listModernTools, McpClient } from '../../support/mcp-inject.ts';
import { openServedSample, type ServedSample } from '../../support/served-sample.ts';

/** A building of the sample with a REIT publication. */
const HELD = 'ASSET-JP-13-00000054';

/** The schemas that the OpenAPI document publishes, of every view of each tool. */
const FULL: Record<string, TSchema[]> = {
  search_assets: [SearchEnvelopeSchema, SummaryEnvelopeSchema],
  get_asset: [BuildingPageSchema, BuildingSummarySchema],
  get_asset_sources: [Type.Object({ sources: SourcesSchema }, closed)],
  get_owner_portfolio: [OwnerPortfolioSchema, OwnerSummariesSchema],
  get_asset_reit: [Type.Object({ ...EnvelopeSchema.properties, filtered: Type.Optional(Type.Literal(true)) }, closed)],
  get_area: [AreaSummarySchema],
};

const LISTS = ['search_assets', 'get_owner_portfolio'];
const QUESTIONS: [tool: string, args: object][] = [
  ['search_assets', { has: 'venues', sort: 'height' }],
  ['search_assets', { view: 'summary', near: '35.6812,139.7671', has: 'owner' }],
  ['get_asset', { id: HELD }],
  ['get_asset', { id: HELD, view: 'summary' }],
  ['get_asset_sources', { id: HELD }],
  ['get_owner_portfolio', { name: '三菱地所' }],
  ['get_owner_portfolio', { name: '三菱地所', view: 'summary' }],
  ['get_asset_reit', { id: HELD, periods: 'latest', metrics: ['noi', 'acquisitionDate', 'noiDerived', 'capex'] }],
  ['get_area', {}],
];

/** Objects whose members are named by what they count or describe; all of them are alike. */
const MAPS = /\/(fields|counters|coverage):object$/;

type Fits = (value: unknown) => boolean;
const anyOf =
  (checks: Fits[]): Fits =>
  (value) =>
    checks.some((check) => check(value));
function checkOf(schema: TSchema): Fits {
  const compiled = Compile(schema);
  return (value) => compiled.Check(value);
}

onSqlite('output schemas', (fresh) => {
  let served: ServedSample;
  beforeAll(async () => {
    served = await openServedSample(await fresh());
  });
  afterAll(() => served.close());

  it('AGT-03 refuse a missing member, a wrong type or a null that the schemas of REST refuse, and allow new members', async () => {
    const { tools } = (await listModernTools(served.app)).json().result as {
      tools: { name: string; outputSchema: object }[];
    };
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(FULL).sort());
    const mcp = await McpClient.open(served.app);
    for (const [tool, args] of QUESTIONS) {
      const answer = (
        tool === 'get_area'
          ? (await served.app.inject(`${API_ROOT}/areas/tokyo/minato-ku`)).json()
          : (await mcp.call(tool, args)).structuredContent
      ) as { [name: string]: Json };
      // One building is enough, and every place of it can be changed.
      if (LISTS.includes(tool)) answer.items = (answer.items as Json[]).slice(0, 1);
      const about = `${tool} ${JSON.stringify(args)}`;
      const schema = tools.find(({ name }) => name === tool)?.outputSchema as object;
      // As clients read it: the draft that MCP names, and the one that older clients take.
      const published = [Ajv2020, Ajv].map((Validator) => new Validator({ strict: false }).compile(schema) as Fits);
      const full = anyOf((FULL[tool] ?? []).map(checkOf));
      const verdicts = () => published.map((fits) => fits(answer));
      expect([full(answer), ...verdicts()], about).toEqual([true, true, true]);

      const [missed, refused]: [string[], string[]] = [[], []];
      for (const change of changesOf(answer)) {
        if (full(answer)) expect(verdicts(), `${about} ${change}`).toEqual([true, true]);
        else (verdicts().includes(true) ? missed : refused).push(change);
      }
      expect(missed, about).toEqual([]);
      expect(refused.length, about).toBeGreaterThan(10);

      for (const { place, object } of objectsIn(answer)) {
        if (MAPS.test(place)) continue;
        object.addedLater = [{ also: 1 }];
        expect(verdicts(), `${about} ${place}`).toEqual([true, true]);
        delete object.addedLater;
      }
    }
  });
});
