import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Geometry } from '../../vocabulary/geometry.ts';
import { BUFFER, EXTENT, type MapTile } from '../../vocabulary/map-tile.ts';

export interface TileFeature {
  id: number;
  geometry: Geometry;
  /** What has no value is left out. */
  properties: Readonly<Record<string, string | number | null>>;
}

const VERSION = 2;

/** A Mapbox Vector Tile with one layer, nothing simplified; no bytes at all where it is empty. */
export function encodeTile(layer: string, features: readonly TileFeature[], { z, x, y }: MapTile): Uint8Array {
  const collection = {
    type: 'FeatureCollection' as const,
    features: features.map((feature) => ({ type: 'Feature' as const, ...feature })),
  };
  const options = { extent: EXTENT, buffer: BUFFER, maxZoom: z, tolerance: 0, clip: true };
  const tile = geoJSONToTile(collection, z, x, y, options);
  if (tile.features.length === 0) return new Uint8Array(0);
  return fromGeojsonVt({ [layer]: tile }, { version: VERSION, extent: EXTENT });
}
