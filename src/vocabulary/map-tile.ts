import type { Measures } from './geometry.ts';

/** A square of the web map grid (Web Mercator); elsewhere in the code, a tile is a mesh cell. */
export interface MapTile {
  z: number;
  x: number;
  y: number;
}

const LAST_ZOOM = 16;
/** Buildings are drawn from this zoom on, counts below. */
export const FIRST_ZOOM_OF_BUILDINGS = 14;

/** The width of a tile in units, and the margin that is drawn around it. */
export const EXTENT = 4_096;
export const BUFFER = 64;

const FORM = /^(0|[1-9]\d{0,4})$/;

/** Undefined if the tile does not exist. */
export function parseMapTile(z: string, x: string, y: string): MapTile | undefined {
  if (![z, x, y].every((part) => FORM.test(part))) return undefined;
  const tile = { z: Number(z), x: Number(x), y: Number(y) };
  return tile.z <= LAST_ZOOM && Math.max(tile.x, tile.y) < 2 ** tile.z ? tile : undefined;
}

/** The box of a tile, with a margin in units. */
export function boxOfMapTile({ z, x, y }: MapTile, buffer: number): Measures['bbox'] {
  const margin = buffer / EXTENT;
  const lon = (at: number) => (at / 2 ** z) * 360 - 180;
  const lat = (at: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * at) / 2 ** z))) * 180) / Math.PI;
  return [lon(x - margin), lat(y + 1 + margin), lon(x + 1 + margin), lat(y - margin)];
}
