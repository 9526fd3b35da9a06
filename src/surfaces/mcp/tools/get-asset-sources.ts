import { Type } from 'typebox';
import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import { AssetIdSchema, type SourcesEntry, SourcesSchema } from '../../../vocabulary/building-page.ts';
import { digestSources, withMoveNotice } from '../digest/building.ts';
import { defineTool, explainFailure, followMoves, type OnFault, type Tool, wholeAnswer } from './tool.ts';

/** MCP-12: structured content must be an object, so the list is a property of one. */
const BEFORE = Buffer.from('{"sources":');
const AFTER = Buffer.from('}');

export function getAssetSources(registry: Registry, onFault: OnFault): Tool {
  return defineTool(
    {
      name: 'get_asset_sources',
      title: 'List the sources of a building',
      description:
        'Every source record that was consulted for a building, and the fields whose published value is from that ' +
        'record. An empty list of fields means that other sources took precedence for every field, or that the record ' +
        'supplied only the outline. get_asset has the values. ' +
        'Example: {"id":"ASSET-JP-13-00000002"}',
      input: Type.Object({ id: AssetIdSchema }),
      words: { id: '' },
      output: [Type.Object({ sources: SourcesSchema })],
      async answer({ id }) {
        const found = await followMoves(id, registry.getSources);
        if (!found.ok) return explainFailure(found.failure);
        const { value, id: at } = found.value;
        const digest = digestSources(at, parseBody<SourcesEntry[]>(value.body));
        return wholeAnswer(withMoveNotice(digest, found.value), BEFORE, value.body, AFTER);
      },
    },
    onFault,
  );
}
