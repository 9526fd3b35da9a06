import type { Position } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import type { AreaPoints } from './area-points.ts';
import { machiAzaCodeOf, wardCodeOf } from './name-areas.ts';
import { parsePoint } from './parse-point.ts';
import { type AbrRow, readTables, type Table } from './read-table.ts';

/** The blocks of a machi-aza: what their points add up to, and the point nearest to their centre so far. */
interface Blocks {
  sum: Position;
  count: number;
  middle: { point: Position; distance: number } | undefined;
}

/**
 * Blocks (街区) are no addresses of buildings: 2番 is the number of all that stand around one. But their points lie in their
 * machi-aza, so the one in the middle is that of a machi-aza which the table of positions of its municipality leaves out.
 */
export async function* readBlocks(tables: readonly Table[], points: AreaPoints): AsyncGenerator<Item[]> {
  const [first] = tables.filter(({ kind }) => kind === 'block' || kind === 'blockPoint');
  if (first === undefined) return;
  let rows = 0;
  for await (const entries of readTables(tables, 'block')) {
    const items = entries.filter((entry): entry is Item => entry.kind !== 'row');
    rows += entries.length - items.length;
    yield items;
  }
  const lacking = new Map<string, Blocks>();
  for await (const entries of readTables(tables, 'blockPoint')) {
    yield entries.flatMap((entry) => {
      if (entry.kind !== 'row') return [entry];
      rows += 1;
      return add(entry, points, lacking);
    });
  }
  if (lacking.size > 0) await findMiddles(tables, lacking);
  for (const [code, { middle }] of lacking) if (middle !== undefined) points.set(code, middle.point);
  const reason = `blocks (街区) are no addresses of buildings: ${rows} rows of them make no records`;
  const used = lacking.size === 0 ? '' : `; ${lacking.size} machi-aza without a point have that of a block`;
  yield [{ kind: 'remark', file: first.file.name, reason: `${reason}${used}`, alone: true }];
}

const codeOf = ({ cells }: AbrRow<'blockPoint'>): string => machiAzaCodeOf(cells.lg_code, cells.machiaza_id);

function add(row: AbrRow<'blockPoint'>, points: AreaPoints, lacking: Map<string, Blocks>): Item[] {
  const code = codeOf(row);
  const point = parsePoint(row.cells);
  if (typeof point === 'string') {
    return [{ kind: 'note', at: { file: row.file, line: row.line }, record: code, reason: point }];
  }
  if (point === null || points.has(code) || !points.hasSomeOf(wardCodeOf(row.cells.lg_code))) return [];
  const { sum, count } = lacking.get(code) ?? { sum: [0, 0], count: 0 };
  lacking.set(code, { sum: [sum[0] + point[0], sum[1] + point[1]], count: count + 1, middle: undefined });
  return [];
}

async function findMiddles(tables: readonly Table[], lacking: ReadonlyMap<string, Blocks>): Promise<void> {
  for await (const entries of readTables(tables, 'blockPoint')) {
    for (const entry of entries) {
      const blocks = entry.kind === 'row' ? lacking.get(codeOf(entry)) : undefined;
      const point = entry.kind === 'row' && blocks !== undefined ? parsePoint(entry.cells) : null;
      if (blocks === undefined || point === null || typeof point === 'string') continue;
      const [lon, lat] = blocks.sum;
      const distance = Math.hypot(point[0] - lon / blocks.count, point[1] - lat / blocks.count);
      if (blocks.middle === undefined || distance < blocks.middle.distance) blocks.middle = { point, distance };
    }
  }
}
