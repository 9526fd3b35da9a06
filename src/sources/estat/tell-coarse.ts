import { measure, polygonsOf, type Ring } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';

/** As published, a corner follows another after some 30 m; in a copy for maps of all Japan, after kilometres. */
const COARSE_M = 200;

/** Says of boundaries of municipalities that were simplified that they cannot be trusted near a border. */
export async function* tellCoarse(file: string, reading: AsyncIterable<Item[]>): AsyncGenerator<Item[]> {
  let metres = 0;
  let edges = 0;
  for await (const items of reading) {
    for (const item of items) {
      if (item.kind !== 'boundary' || !item.boundary.id.includes('/')) continue;
      metres += measure(item.boundary.boundary).perimeterM;
      for (const [outer] of polygonsOf(item.boundary.boundary)) edges += (outer as Ring).length - 1;
    }
    yield items;
  }
  const length = Math.round(metres / edges);
  if (!(length > COARSE_M)) return;
  const reason = `its boundaries are simplified to a corner every ${length} m, and near borders wrong: take the file as published`;
  yield [{ kind: 'remark', file, reason, alone: true }];
}
