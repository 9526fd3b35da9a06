import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Reads } from '../../storage/storage.ts';
import { BUFFER, boxOfMapTile, EXTENT, FIRST_ZOOM_OF_BUILDINGS, type MapTile } from '../../vocabulary/map-tile.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import type { BuildingFeatures, TileFeature } from './building-features.ts';
import { readDensity } from './mesh-counts.ts';

/** One map tile: buildings at high zoom, counts per mesh cell below. */
export async function buildTile(reads: Reads, tile: MapTile, footprints: BuildingFeatures): Promise<FinishedResponse> {
  const body =
    tile.z >= FIRST_ZOOM_OF_BUILDINGS
      ? encodeTile('buildings', await footprints.within(reads, boxOfMapTile(tile, BUFFER)), tile)
      : encodeTile('density', await readDensity(reads, tile), tile);
  return { etag: `"${tagOf(body)}"`, body };
}

const VERSION = 2;

/** A Mapbox Vector Tile with one layer, without simplification; empty if there are no features. */
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
