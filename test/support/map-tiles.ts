import { VectorTile } from '@mapbox/vector-tile';
import type { Feature } from 'geojson';
import { PbfReader } from 'pbf';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { type AreaGeometry, type Position, polygonsOf, type Ring } from '../../src/vocabulary/geometry.ts';
import type { MapTile } from '../../src/vocabulary/map-tile.ts';

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
export const tileUrl = ({ z, x, y }: MapTile) => `/japan/tiles/${z}/${x}/${y}`;

export interface ReadFeature {
  id: number | undefined;
  properties: Record<string, string | number | boolean>;
  /** Points of each ring, in tile units. */
  rings: Position[][];
  geojson: Feature;
}

/** The features of a tile by layer, read by a different library than the one that writes them. */
export function readTile(body: Uint8Array, { z, x, y }: MapTile): Record<string, ReadFeature[]> {
  const { layers } = new VectorTile(new PbfReader(body));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => {
        const feature = layer.feature(i);
        const rings = feature.loadGeometry().map((ring) => ring.map(({ x, y }): Position => [x, y]));
        return { id: feature.id, properties: feature.properties, rings, geojson: feature.toGeoJSON(x, y, z) };
      }),
    ]),
  );
}

/** A location in tile coordinates of a zoom level; integers are tile edges. */
export function toTiles([lon, lat]: Position, z: number): Position {
  const turn = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  return [((lon + 180) / 360) * 2 ** z, ((1 - turn) / 2) * 2 ** z];
}

export function fromTiles([x, y]: Position, z: number): Position {
  return [(x / 2 ** z) * 360 - 180, (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI];
}

/** Every tile that touches the box between two corners in tile coordinates, plus a margin. */
export function tilesBetween(z: number, corners: readonly Position[], margin: number): MapTile[] {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const from = (list: number[]) => Math.floor(Math.min(...list) - margin);
  const to = (list: number[]) => Math.floor(Math.max(...list) + margin);
  const tiles: MapTile[] = [];
  for (let x = from(xs); x <= to(xs); x++) for (let y = from(ys); y <= to(ys); y++) tiles.push({ z, x, y });
  return tiles.filter(({ x, y }) => Math.min(x, y) >= 0 && Math.max(x, y) < 2 ** z);
}

const MARGIN = 64 / 4096;

/** The tiles that must contain a building whose parts are boxes. */
export function tilesWith({ geometry, location: { lat, lon } }: BuildingPage, z: number): string[] {
  const parts: Ring[] = geometry === null ? [] : polygonsOf(geometry as AreaGeometry).map(([outer]) => outer as Ring);
  if (geometry === null && lat !== null && lon !== null) parts.push([[lon, lat]]);
  const tiles = parts.flatMap((ring) => {
    const corners = ring.map((place) => toTiles(place, z));
    return tilesBetween(z, corners, MARGIN).map(tileUrl);
  });
  return [...new Set(tiles)].sort();
}
