import { JAPAN, type Measures, type Position } from './geometry.ts';

/** The tile of a position: its JIS X 0410 third-order mesh cell, about one kilometre wide, as eight digits. */
export function meshCodeOf(position: Position): string {
  return cellCode(...cellOf(position));
}

/** The JIS X 0410 quarter mesh of a position, a sixteenth of its tile. */
export function quarterMeshOf(position: Position): string {
  const [east, north] = unitsOf(position);
  const quarter = (size: number) => 1 + (Math.floor(east / size) % 2) + 2 * (Math.floor(north / size) % 2);
  return `${meshCodeOf(position)}${quarter(500_000)}${quarter(250_000)}`;
}

/** More tiles than any building touches. */
const MOST_TILES = 100;

/** Every tile that a box touches; only that of its centre if there are more than any building touches. */
export function meshTilesOf([west, south, east, north]: Measures['bbox']): string[] {
  const [left, bottom] = cellOf([west, south]);
  const [right, top] = cellOf([east, north]);
  if ((right - left + 1) * (top - bottom + 1) > MOST_TILES) {
    return [meshCodeOf([(west + east) / 2, (south + north) / 2])];
  }
  const tiles: string[] = [];
  for (let y = bottom; y <= top; y++) for (let x = left; x <= right; x++) tiles.push(cellCode(x, y));
  return tiles;
}

/** The width of the cells of each mesh order in tiles, by the digits of their codes. */
const MESH_STEPS = { 4: 80, 6: 10, 8: 1 } as const;
export type MeshDigits = keyof typeof MESH_STEPS;

/** Every cell of one mesh order that a box touches, within Japan. */
export function meshCellsOf([west, south, east, north]: Measures['bbox'], digits: MeshDigits): string[] {
  const [left, bottom] = cellOf([Math.max(west, JAPAN.west), Math.max(south, JAPAN.south)]);
  const [right, top] = cellOf([Math.min(east, JAPAN.east), Math.min(north, JAPAN.north)]);
  const step = MESH_STEPS[digits];
  const first = (at: number) => at - (at % step);
  const cells: string[] = [];
  for (let y = first(bottom); y <= top; y += step) {
    for (let x = first(left); x <= right; x += step) cells.push(cellCode(x, y).slice(0, digits));
  }
  return cells;
}

/** The tile and the eight around it. */
export function meshNeighbourhood(position: Position): string[] {
  const [x, y] = cellOf(position);
  return [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => cellCode(x + dx, y + dy)));
}

/** The cell in the grid of 1/80 by 1/120 of a degree, in integers, so that edges are exact. */
function cellOf(position: Position): [x: number, y: number] {
  const [east, north] = unitsOf(position);
  return [Math.floor(east / 1e6), Math.floor(north / 1e6)];
}

/** A cell is a million of these wide and high. */
function unitsOf([lon, lat]: Position): [east: number, north: number] {
  return [(Math.round(lon * 1e7) - 1e9) * 8, Math.round(lat * 1e7) * 12];
}

function cellCode(x: number, y: number): string {
  const first = `${Math.floor(y / 80)}${String(Math.floor(x / 80)).padStart(2, '0')}`;
  const second = `${Math.floor((y % 80) / 10)}${Math.floor((x % 80) / 10)}`;
  return `${first}${second}${y % 10}${x % 10}`;
}

/** The centre of a tile. */
export function meshCentre(code: string): Position {
  const d = (i: number, n = 1) => Number(code.slice(i, i + n));
  const y = d(0, 2) * 80 + d(4) * 10 + d(6);
  const x = d(2, 2) * 80 + d(5) * 10 + d(7);
  return [100 + (x + 0.5) / 80, (y + 0.5) / 120];
}
