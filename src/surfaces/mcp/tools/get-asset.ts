import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { parseBody } from '../../../registry/records.ts';
import type { Finished, Registry } from '../../../registry/registry.ts';
import { AssetIdSchema, type BuildingPage, BuildingPageSchema } from '../../../vocabulary/building-page.ts';
import { type BuildingSummary, BuildingSummarySchema } from '../../../vocabulary/building-summary.ts';
import { ViewSchema } from '../../../vocabulary/search-arguments.ts';
import { digestBuilding, digestSummary, withMoveNotice } from '../digest.ts';
import {
  contentOf,
  defineTool,
  explainFailure,
  followMoves,
  type OnFault,
  type Tool,
  type ToolAnswer,
  wholeAnswer,
  withContent,
} from './tool.ts';

/** `today` tells the day in Japan. */
export function getAsset(registry: Registry, baseUrl: string | undefined, onFault: OnFault, today: () => string): Tool {
  /** By day, and by tag, which changes with the record, so that nothing goes stale. */
  const texts = new LRUCache<string, Uint8Array>({ max: RECENT_TEXTS });
  const answerOf = ({ etag, body }: Finished): ToolAnswer => {
    const key = `${today()} ${etag}`;
    let content = texts.get(key);
    if (content === undefined) {
      content = contentOf(digestBuilding(parseBody<BuildingPage>(body), baseUrl, today()));
      texts.set(key, content);
    }
    return withContent(content, body);
  };
  return defineTool(
    {
      name: 'get_asset',
      title: 'Get a building',
      description:
        'Everything that is known about one building. `fields` has each known value with its unit, its provenance (source, ' +
        'record, URL, date, confidence; dnk is the service itself) and its `conflict`: the best value that a source states ' +
        'differently, or null. An absent field is not known; it is not zero and not false. `estimated` values were computed ' +
        'or inherited from a complex. `view: "summary"` leaves out geometry, history and neighbours. For the id of a merged ' +
        'building the surviving one is returned. Example: {"id":"ASSET-JP-13-00000002","view":"summary"}',
      input: Type.Object({ id: AssetIdSchema, view: Type.Optional(ViewSchema) }),
      words: { id: 'ASSET-JP-NN-NNNNNNNN', view: 'full (default) or summary.' },
      output: [BuildingPageSchema, BuildingSummarySchema],
      async answer({ id, view }) {
        if (view === 'summary') {
          const found = await followMoves(id, registry.getSummary);
          if (!found.ok) return explainFailure(found.failure);
          const { body } = found.value.value;
          const digest = digestSummary(parseBody<BuildingSummary>(body), baseUrl, today());
          return wholeAnswer(withMoveNotice(digest, found.value), body);
        }
        const found = await followMoves(id, registry.getPage);
        if (!found.ok) return explainFailure(found.failure);
        const { value, moved } = found.value;
        if (!moved) return answerOf(value);
        const digest = digestBuilding(parseBody<BuildingPage>(value.body), baseUrl, today());
        return wholeAnswer(withMoveNotice(digest, found.value), value.body);
      },
    },
    onFault,
  );
}

/** A few kilobytes each. */
const RECENT_TEXTS = 4_000;
