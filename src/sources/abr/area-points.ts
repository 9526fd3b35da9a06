import { faultInGeometry, type Position, round7 } from '../../vocabulary/geometry.ts';
import { printable } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import { isMunicipalityCode, machiAzaCodeOf, prefectureCodeOf, wardCodeOf } from './area-drafts.ts';
import { type AbrRow, type AbrTable, readTables, type TableRow } from './tables.ts';

const WARD_DIGITS = 5;

/** The points of areas by code. Half a million are held at once, so their coordinates share one array. */
export class AreaPoints {
  readonly #places = new Map<string, number>();
  readonly #coordinates: number[] = [];
  readonly #wards = new Set<string>();

  set(code: string, [lon, lat]: Position): void {
    if (code.length > WARD_DIGITS) this.#wards.add(code.slice(0, WARD_DIGITS));
    const place = this.#places.get(code) ?? this.#coordinates.length;
    this.#places.set(code, place);
    this.#coordinates[place] = lon;
    this.#coordinates[place + 1] = lat;
  }

  /** Whether the point of any machi-aza of the ward is known. */
  hasSomeOf(ward: string): boolean {
    return this.#wards.has(ward);
  }

  has(code: string): boolean {
    return this.#places.has(code);
  }

  get = (code: string): Position | null => {
    const place = this.#places.get(code);
    if (place === undefined) return null;
    return [this.#coordinates[place] as number, this.#coordinates[place + 1] as number];
  };
}

export async function* readAreaPoints(tables: readonly AbrTable[], points: AreaPoints): AsyncGenerator<Item[]> {
  for await (const entries of readTables(tables, 'areaPoint')) {
    const items: Item[] = [];
    for (const entry of entries) {
      if (entry.kind !== 'row') items.push(entry);
      else {
        const { lg_code } = entry.cells;
        const code = lg_code.slice(2, 5) === '000' ? prefectureCodeOf(lg_code) : wardCodeOf(lg_code);
        if (isMunicipalityCode(lg_code)) items.push(...take(entry, code, points, true));
      }
    }
    yield items;
  }
  for await (const entries of readTables(tables, 'machiAzaPoint')) {
    const items: Item[] = [];
    for (const entry of entries) {
      if (entry.kind !== 'row') items.push(entry);
      else {
        const { lg_code, machiaza_id, rsdt_addr_flg } = entry.cells;
        const code = machiAzaCodeOf(lg_code, machiaza_id);
        items.push(...take(entry, code, points, rsdt_addr_flg === '1'));
      }
    }
    yield items;
  }
}

function take(
  { file, line, cells }: TableRow<PointCells>,
  code: string,
  points: AreaPoints,
  isPreferred: boolean,
): Item[] {
  const point = parsePoint(cells);
  if (typeof point === 'string') return [{ kind: 'note', at: { file, line }, record: code, reason: point }];
  if (point !== null && (isPreferred || !points.has(code))) points.set(code, point);
  return [];
}

/** JGD2011 and JGD2000; a file may mix them, since they differ by less than the size of a building. */
const DEGREES_OF_JAPAN = new Set(['EPSG:6668', 'EPSG:4612']);

export interface PointCells {
  readonly rep_lon: string;
  readonly rep_lat: string;
  readonly rep_srid: string;
}

/** The representative point of a row, null if it has none, or a string with what is wrong. */
export function parsePoint({ rep_lon, rep_lat, rep_srid }: PointCells): Position | null | string {
  if (rep_lon === '' || rep_lat === '') return null;
  if (!DEGREES_OF_JAPAN.has(rep_srid)) {
    return `point in ${printable(rep_srid, 20) || 'an unnamed reference system'}; expected EPSG:6668 or EPSG:4612`;
  }
  const position: Position = [Number(rep_lon), Number(rep_lat)];
  const fault = faultInGeometry({ type: 'Point', coordinates: position });
  return fault === undefined ? [round7(position[0]), round7(position[1])] : `point ${fault}`;
}

/** The blocks of a machi-aza: the sum of their points, and the point nearest to their centre so far. */
interface Blocks {
  sum: Position;
  count: number;
  middle: { point: Position; distance: number } | undefined;
}

/**
 * Blocks (街区) are not addresses of buildings: every building of a block has the number 2番. But their points are inside their
 * machi-aza, so the most central one serves as the point of a machi-aza that has none in its municipality's position table.
 */
export async function* readBlocks(tables: readonly AbrTable[], points: AreaPoints): AsyncGenerator<Item[]> {
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
  const reason = `blocks (街区) are not addresses of buildings: ${rows} rows left out`;
  const used = lacking.size === 0 ? '' : `; ${lacking.size} machi-aza without a point take that of a block`;
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

async function findMiddles(tables: readonly AbrTable[], lacking: ReadonlyMap<string, Blocks>): Promise<void> {
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
