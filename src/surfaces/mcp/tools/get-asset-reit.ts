import { Type } from 'typebox';
import type { Registry } from '../../../registry/registry.ts';
import { type ReitEnvelope, ReitEnvelopeSchema } from '../../../vocabulary/api-shapes.ts';
import { AssetIdSchema } from '../../../vocabulary/building-page.ts';
import { withMove } from '../digest.ts';
import { defineTool, explainFailure, followMoves, type OnFault, type Tool, wholeAnswer } from './tool.ts';

const ELSEWHERE =
  'This does not say that no REIT holds it: get_asset has the owner (ownerPublic) and the figures that are known.';

export function getAssetReit(registry: Registry, onFault: OnFault): Tool {
  return defineTool(
    {
      name: 'get_asset_reit',
      title: 'Get the REIT history of a building',
      description:
        'The reviewed property history of a building that listed REITs hold: publications in which every number cites ' +
        'its document and agreement between sources is explicit. Amounts are exact decimal strings. A publication ' +
        'describes the interest of the REIT, which may be a part of the building. An empty list of publications means ' +
        'that none is accepted for this building, not that no REIT holds it: the owner and the figures that are known ' +
        'from disclosures are in get_asset.',
      input: Type.Object({ id: AssetIdSchema }),
      output: ReitEnvelopeSchema,
      async answer({ id }) {
        const found = await followMoves(id, registry.getPage);
        if (!found.ok) return explainFailure(found.failure);
        // No publication can be accepted yet, so that none is.
        const envelope: ReitEnvelope = { buildingId: found.value.id, publications: [] };
        const none = `No reviewed REIT publication is accepted for ${envelope.buildingId}. ${ELSEWHERE}`;
        return wholeAnswer(withMove(none, found.value), Buffer.from(JSON.stringify(envelope)));
      },
    },
    onFault,
  );
}
