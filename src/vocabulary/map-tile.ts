import type { Measures } from './geometry.ts';

/** A square of the web maps' grid (Web Mercator), not to be confused with the mesh cells that are tiles elsewhere. */
export interface MapTile {
  z: number;
  x: number;
  y: number;
}

const LAST_ZOOM = 16;
/** From here on buildings are drawn, below it how many there are. */
export const FIRST_ZOOM_OF_BUILDINGS = 14;

/** Units from one edge of a tile to the other, and how many beyond its edges are drawn too. */
export const EXTENT = 4_096;
export const BUFFER = 64;

const FORM = /^(0|[1-9]\d{0,4})$/;

/** Undefined where there is no such tile. */
export function parseMapTile(z: string, x: string, y: string): MapTile | undefined {
  if (![z, x, y].every((part) => FORM.test(part))) return undefined;
  const tile = { z: Number(z), x: Number(x), y: Number(y) };
  return tile.z <= LAST_ZOOM && Math.max(tile.x, tile.y) < 2 ** tile.z ? tile : undefined;
}

/** What a tile shows, with so many units beyond each of its edges. */
export function boxOfMapTile({ z, x, y }: MapTile, buffer: number): Measures['bbox'] {
  const margin = buffer / EXTENT;
  const lon = (at: number) => (at / 2 ** z) * 360 - 180;
  const lat = (at: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * at) / 2 ** z))) * 180) / Math.PI;
  return [lon(x - margin), lat(y + 1 + margin), lon(x + 1 + margin), lat(y - margin)];
}
