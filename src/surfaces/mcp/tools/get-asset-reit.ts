import { Type } from 'typebox';
import type { Registry } from '../../../registry/registry.ts';
import { type ReitEnvelope, ReitEnvelopeSchema } from '../../../vocabulary/api-shapes.ts';
import { AssetIdSchema } from '../../../vocabulary/building-page.ts';
import { ok } from '../../../vocabulary/result.ts';
import { defineTool, explainFailure, followMoves, type OnFault, type Tool, wholeAnswer } from './tool.ts';

export function getAssetReit(registry: Registry, onFault: OnFault): Tool {
  return defineTool(
    {
      name: 'get_asset_reit',
      title: 'Get the REIT history of a building',
      description:
        'The reviewed property history of a building that listed REITs hold: publications in which every number cites ' +
        'its document and agreement between sources is explicit. Amounts are exact decimal strings. A publication ' +
        'describes the interest of the REIT, which may be a part of the building. An empty list of publications means ' +
        'that none is accepted for this building, which is so for most.',
      input: Type.Object({ id: AssetIdSchema }),
      output: ReitEnvelopeSchema,
      async answer({ id }) {
        const found = await followMoves(id, async (at) => {
          const page = await registry.getPage(at);
          return page.ok ? ok(at) : page;
        });
        if (!found.ok) return explainFailure(found.failure);
        // No publication can be accepted yet, so that none is.
        const envelope: ReitEnvelope = { buildingId: found.value.value, publications: [] };
        const text = `No REIT publication is accepted for ${envelope.buildingId}.`;
        return wholeAnswer(text, Buffer.from(JSON.stringify(envelope)));
      },
    },
    onFault,
  );
}
