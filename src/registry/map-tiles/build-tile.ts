import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Reads } from '../../storage/storage.ts';
import type { Geometry, Position } from '../../vocabulary/geometry.ts';
import { BUFFER, boxOfMapTile, EXTENT, FIRST_ZOOM_OF_BUILDINGS, type MapTile } from '../../vocabulary/map-tile.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import type { BuildingFeatures } from './building-features.ts';
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

/** A feature of any layer. */
export interface TileShape {
  id: number;
  geometry: Geometry | LineString;
  /** Null values are omitted. */
  properties: Readonly<Record<string, string | number | null>>;
}

type LineString = { type: 'LineString'; coordinates: Position[] };

/** A Mapbox Vector Tile with one layer, without simplification; empty if there are no features. */
export function encodeTile(layer: string, features: readonly TileShape[], tile: MapTile): Uint8Array {
  return encodeLayers({ [layer]: features }, tile, 0);
}

/** Layers without features are omitted. Shapes are simplified by up to `tolerance` units. */
export function encodeLayers(
  layers: Readonly<Record<string, readonly TileShape[]>>,
  { z, x, y }: MapTile,
  tolerance: number,
): Uint8Array {
  const options = { extent: EXTENT, buffer: BUFFER, maxZoom: z, tolerance, clip: true };
  const encoded: Record<string, ReturnType<typeof geoJSONToTile>> = {};
  for (const [name, features] of Object.entries(layers)) {
    const collection = {
      type: 'FeatureCollection' as const,
      features: features.map(({ id, geometry, properties }) => ({
        type: 'Feature' as const,
        id,
        geometry,
        properties,
      })),
    };
    const tile = geoJSONToTile(collection, z, x, y, options);
    if (tile.features.length > 0) encoded[name] = tile;
  }
  if (Object.keys(encoded).length === 0) return new Uint8Array(0);
  return fromGeojsonVt(encoded, { version: VERSION, extent: EXTENT });
}
