import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { type Reit, readPublication, type ServedPublication } from '../../../reit/life/reit.ts';
import { joinEnvelope } from '../../../reit/publication/document.ts';
import { ReitEnvelopeSchema } from '../../../vocabulary/api-shapes.ts';
import { AssetIdSchema } from '../../../vocabulary/building-page.ts';
import { digestPublication, withMoveNotice } from '../digest.ts';
import { defineTool, explainFailure, followMoves, type OnFault, type Tool, wholeAnswer } from './tool.ts';

const ELSEWHERE = 'A REIT may still hold it: get_asset has the owner (ownerPublic) and the known figures.';

export function getAssetReit(reit: Reit, onFault: OnFault): Tool {
  /** By publication and building; a document never changes. */
  const texts = new LRUCache<string, string>({ max: RECENT_TEXTS });
  const digestOf = (buildingId: string, served: ServedPublication): string => {
    const key = `${served.id} ${buildingId}`;
    let text = texts.get(key);
    if (text === undefined) {
      text = digestPublication(buildingId, readPublication(served));
      texts.set(key, text);
    }
    return text;
  };
  return defineTool(
    {
      name: 'get_asset_reit',
      title: 'Get the REIT history of a building',
      description:
        'The reviewed property history of a building that listed REITs hold: publications in which every number cites ' +
        'its document and agreement between sources is explicit. Amounts are exact decimal strings. A publication ' +
        'describes the interest of the REIT, which may be a part of the building. An empty list of publications means ' +
        'that none is accepted for this building; a REIT may still hold it. The owner and the known figures from ' +
        'disclosures are in get_asset.',
      input: Type.Object({ id: AssetIdSchema }),
      output: ReitEnvelopeSchema,
      async answer({ id }) {
        const found = await followMoves(id, (at) => reit.served(at, 'mcp'));
        if (!found.ok) return explainFailure(found.failure);
        const { id: buildingId, value: served } = found.value;
        const text =
          served.length === 0
            ? `No reviewed REIT publication is accepted for ${buildingId}. ${ELSEWHERE}`
            : served.map((one) => digestOf(buildingId, one)).join('\n\n');
        return wholeAnswer(withMoveNotice(text, found.value), joinEnvelope(buildingId, served));
      },
    },
    onFault,
  );
}

/** A few kilobytes each. */
const RECENT_TEXTS = 1_000;
