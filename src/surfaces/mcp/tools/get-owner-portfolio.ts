import { Type } from 'typebox';
import type { Registry } from '../../../registry/registry.ts';
import { OwnerPortfolioSchema } from '../../../vocabulary/api-shapes.ts';
import { BUSY_SECONDS } from '../../http/refuse.ts';
import { PortfolioDigest } from '../digest.ts';
import { defineTool, type OnFault, streamedAnswer, type Tool, toolError } from './tool.ts';

const BUSY = `unavailable: too many portfolios are being sent. Try again in ${BUSY_SECONDS} seconds.`;

export function getOwnerPortfolio(registry: Registry, onFault: OnFault): Tool {
  return defineTool(
    {
      name: 'get_owner_portfolio',
      title: 'List the buildings of an owner',
      description:
        'Every building whose published owner (`ownerPublic`) has this name, as full records in one result, which may ' +
        'be long: there are no pages. The whole name must match; case, character width and the amount of white space ' +
        'do not matter. Names are as sources record them, mostly Japanese (日本ビルファンド投資法人); the ' +
        'ownerPublic field of get_asset shows how. A name that no building has gives an ' +
        'empty list, not an error. Owners are known for few buildings, so an empty list does not mean that the owner has ' +
        'no buildings.',
      input: Type.Object({
        name: Type.String({
          minLength: 1,
          description: 'The whole name of the owner, as recorded.',
          examples: ['東日本旅客鉄道'],
        }),
      }),
      output: [OwnerPortfolioSchema],
      async answer({ name }) {
        const digest = new PortfolioDigest();
        const found = await registry.getPortfolio(name, { onRecord: (record) => digest.add(record) });
        if (!found.ok) return toolError(BUSY);
        const { body, release } = found.value;
        return streamedAnswer(body, release, () => digest.text());
      },
    },
    onFault,
  );
}
