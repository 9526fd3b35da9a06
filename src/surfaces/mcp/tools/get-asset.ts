import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { parseBody } from '../../../registry/records.ts';
import type { Finished, Registry } from '../../../registry/registry.ts';
import { AssetIdSchema, type BuildingPage, BuildingPageSchema } from '../../../vocabulary/building-page.ts';
import { digestBuilding, withMoveNotice } from '../digest.ts';
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
        'Everything that is known about one building, by its id. `fields` has each known value with its unit, its ' +
        'provenance (source, record, URL, date, confidence; source dnk is the service itself) and its `conflict`: the ' +
        'best value of a source that disagrees, or null if none does. A field that is absent is not known to any ' +
        'source; it is not zero and not false. `estimated` is true if the value was computed or inherited from a larger ' +
        'complex. Besides the fields there are the uses (assetTypes), aliases, location, outline (geometry), venues inside, nearby buildings with their ' +
        'ids, the sources and the history of the record. For the id of a building that was merged into another, ' +
        'the other building is returned: see `id` in the result.',
      input: Type.Object({ id: AssetIdSchema }),
      output: [BuildingPageSchema],
      async answer({ id }) {
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
