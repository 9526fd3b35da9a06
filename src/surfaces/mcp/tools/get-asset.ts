import { Type } from 'typebox';
import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import { AssetIdSchema, BuildingPageSchema } from '../../../vocabulary/building-page.ts';
import { type BuildingSummary, BuildingSummarySchema } from '../../../vocabulary/building-summary.ts';
import { ViewSchema } from '../../../vocabulary/search-arguments.ts';
import { digestSummary, moveNotice, withMoveNotice } from '../digest/building.ts';
import { digestRecord } from '../digest-record.ts';
import { toJson } from '../stored-text.ts';
import {
  contentOfJson,
  defineTool,
  explainFailure,
  followMoves,
  type OnFault,
  type Tool,
  wholeAnswer,
  withContent,
} from './tool.ts';

/** `today` tells the day in Japan. */
export function getAsset(registry: Registry, baseUrl: string | undefined, onFault: OnFault, today: () => string): Tool {
  return defineTool(
    {
      name: 'get_asset',
      title: 'Get a building',
      description:
        'Everything that is known about one building. `fields` has each known value with its unit, its provenance (source, ' +
        'record, URL, date, confidence) and its `conflict`: the best value that a source states ' +
        'differently, or null. An absent field is not known; it is not zero and not false. `estimated` values were computed ' +
        'or inherited from a complex. `view: "summary"` leaves out geometry, history and neighbours. For the id of a merged ' +
        'building the surviving one is returned. Example: {"id":"ASSET-JP-13-00000002","view":"summary"}',
      input: Type.Object({ id: AssetIdSchema, view: Type.Optional(ViewSchema) }),
      words: { id: '', view: 'full by default.' },
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
        const { body } = found.value.value;
        const notice = moveNotice(found.value);
        const text = `${notice === '' ? '' : toJson(notice)}${digestRecord(body, baseUrl, today())}`;
        return withContent(contentOfJson(text), body);
      },
    },
    onFault,
  );
}
