import { Type } from 'typebox';
import type { Registry } from '../../../registry/registry.ts';
import type { Reit } from '../../../reit/life/reit.ts';
import { OwnerPortfolioSchema } from '../../../vocabulary/api-shapes.ts';
import { OwnerSummariesSchema } from '../../../vocabulary/building-summary.ts';
import { ViewSchema } from '../../../vocabulary/search-arguments.ts';
import { BUSY_SECONDS } from '../../http/refuse.ts';
import { PortfolioDigest, summariesDigest } from '../digest/lists.ts';
import { defineTool, type OnFault, streamedAnswer, type Tool, toolError } from './tool.ts';

const BUSY = `unavailable: too many portfolios are being sent. Try again in ${BUSY_SECONDS} seconds.`;

/** `today` tells the day in Japan. */
export function getOwnerPortfolio(registry: Registry, reit: Reit, onFault: OnFault, today: () => string): Tool {
  return defineTool(
    {
      name: 'get_owner_portfolio',
      title: 'List the buildings of an owner',
      description:
        'Every building whose published owner (`ownerPublic`) has this name, in one result without pages; use ' +
        '`view: "summary"` unless you need full records. The whole name must match; case, width and white space do not ' +
        'matter. Names are as sources record them, mostly Japanese; ownerPublic of get_asset shows how. Owners are known ' +
        'only where a source names them, so an empty list does not mean that the owner has none. Example: {"name":"三菱地所","view":"summary"}',
      input: Type.Object({
        name: Type.String({
          minLength: 1,
          description: 'The whole name of the owner, as recorded.',
          examples: ['東日本旅客鉄道'],
        }),
        view: Type.Optional(ViewSchema),
      }),
      words: { view: 'full by default.' },
      output: [OwnerPortfolioSchema, OwnerSummariesSchema],
      async answer({ name, view }) {
        const isSummary = view === 'summary';
        const digest = isSummary ? summariesDigest(today()) : new PortfolioDigest();
        const found = await registry.getPortfolio(name, {
          onRecord: (record) => digest.add(record),
          ...(isSummary && { summaries: { served: await reit.servedBuildings('mcp') } }),
        });
        if (!found.ok) return toolError(BUSY);
        const { body, release } = found.value;
        return streamedAnswer(body, release, () => digest.text());
      },
    },
    onFault,
  );
}
