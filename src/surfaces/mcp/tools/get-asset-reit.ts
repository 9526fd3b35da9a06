import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { type Reit, readPublication, type ServedPublication } from '../../../reit/life/reit.ts';
import { EnvelopeSchema, joinEnvelope, type Publication } from '../../../reit/publication/document.ts';
import { type FigureFilter, restrictDocument } from '../../../reit/publication/restrict-document.ts';
import { AssetIdSchema } from '../../../vocabulary/building-page.ts';
import { METRICS } from '../../../vocabulary/reit-metrics.ts';
import { OneOf } from '../../../vocabulary/schema.ts';
import { withMoveNotice } from '../digest/building.ts';
import { digestPublication } from '../digest/publication.ts';
import { defineTool, explainFailure, followMoves, type OnFault, type Tool, wholeAnswer } from './tool.ts';

const ELSEWHERE = 'A REIT may still hold it: get_asset has the owner (ownerPublic) and the known figures.';

const InputSchema = Type.Object({
  id: AssetIdSchema,
  metrics: Type.Optional(
    Type.Array(OneOf(METRICS), {
      minItems: 1,
      description: 'Only these figures.',
      examples: [['noi', 'occupancyRate']],
    }),
  ),
  periods: Type.Optional(
    Type.Union([Type.Literal('latest'), Type.Integer({ minimum: 1 })], {
      description: 'Only the latest period, or this many of the newest.',
      examples: ['latest', 4],
    }),
  ),
});

const OutputSchema = Type.Object({
  ...EnvelopeSchema.properties,
  filtered: Type.Optional(Type.Literal(true, { description: 'Present if metrics or periods left figures out.' })),
});

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
        'The reviewed history of a building that listed REITs hold: rents, NOI, appraisals, occupancy by period, each ' +
        'citing its document, with how far sources agree. Amounts are exact decimal strings. A publication describes ' +
        "the REIT's interest, which may be a part of the building. An empty list means that none is accepted here; " +
        'get_asset may still have the owner and figures. A whole history is long: ask for `metrics` and `periods`. ' +
        'Example: {"id":"ASSET-JP-13-00000054","metrics":["noi","occupancyRate"],"periods":"latest"}',
      input: InputSchema,
      words: { id: '' },
      output: [OutputSchema],
      async answer({ id, metrics, periods }) {
        const found = await followMoves(id, (at) => reit.served(at, 'mcp'));
        if (!found.ok) return explainFailure(found.failure);
        const { id: buildingId, value: served } = found.value;
        if (metrics !== undefined || periods !== undefined) {
          const filter = { metrics, periods: periods === 'latest' ? 1 : periods };
          const publications = served.map((one) => restrict(readPublication(one), filter));
          const text = textOf(
            buildingId,
            publications.map((one) => digestPublication(buildingId, one, filter)),
          );
          const envelope = JSON.stringify({ buildingId, publications, filtered: true });
          return wholeAnswer(withMoveNotice(text, found.value), Buffer.from(envelope));
        }
        const text = textOf(
          buildingId,
          served.map((one) => digestOf(buildingId, one)),
        );
        return wholeAnswer(withMoveNotice(text, found.value), joinEnvelope(buildingId, served));
      },
    },
    onFault,
  );
}

const textOf = (buildingId: string, texts: readonly string[]): string =>
  texts.length === 0 ? `No reviewed REIT publication is accepted for ${buildingId}. ${ELSEWHERE}` : texts.join('\n\n');

const restrict = ({ document, ...publication }: Publication, filter: FigureFilter): Publication => ({
  ...publication,
  document: restrictDocument(document, filter),
});

/** A few kilobytes each. */
const RECENT_TEXTS = 1_000;
