import { Type } from 'typebox';
import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import { AssetIdSchema, type SourcesEntry, SourcesSchema } from '../../../vocabulary/building-page.ts';
import { digestSources, withMove } from '../digest.ts';
import { defineTool, explainFailure, followMoves, type OnFault, type Tool, wholeAnswer } from './tool.ts';

/** MCP-12: what is structured must be an object, so that the list has a name. */
const BEFORE = Buffer.from('{"sources":');
const AFTER = Buffer.from('}');

export function getAssetSources(registry: Registry, onFault: OnFault): Tool {
  return defineTool(
    {
      name: 'get_asset_sources',
      title: 'List the sources of a building',
      description:
        'Every source record that was consulted for a building, and the fields whose published value is that ' +
        "record's. An empty list of fields means that the record lost every field to a better source, or supplied the " +
        'outline alone. Use it to cite, or to see what a record rests on; get_asset has the values themselves.',
      input: Type.Object({ id: AssetIdSchema }),
      output: Type.Object({ sources: SourcesSchema }),
      async answer({ id }) {
        const found = await followMoves(id, registry.getSources);
        if (!found.ok) return explainFailure(found.failure);
        const { value, id: at } = found.value;
        const digest = digestSources(at, parseBody<SourcesEntry[]>(value.body));
        return wholeAnswer(withMove(digest, found.value), BEFORE, value.body, AFTER);
      },
    },
    onFault,
  );
}
