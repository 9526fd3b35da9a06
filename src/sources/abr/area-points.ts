import type { Position } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { isMunicipalityCode, machiAzaCodeOf, prefectureCodeOf, wardCodeOf } from './name-areas.ts';
import { type PointCells, parsePoint } from './parse-point.ts';
import { type RowWith, readTables, type Table } from './read-table.ts';

const WARD_DIGITS = 5;

/** The points of half a million areas by code, the coordinates in one array, as they must all be held. */
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

  /** Whether it has the point of a machi-aza of a ward. */
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

export async function* readAreaPoints(tables: readonly Table[], points: AreaPoints): AsyncGenerator<Item[]> {
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
  { file, line, cells }: RowWith<PointCells>,
  code: string,
  points: AreaPoints,
  isPreferred: boolean,
): Item[] {
  const point = parsePoint(cells);
  if (typeof point === 'string') return [{ kind: 'note', at: { file, line }, record: code, reason: point }];
  if (point !== null && (isPreferred || !points.has(code))) points.set(code, point);
  return [];
}
