import type { Reads } from '../../storage/storage.ts';
import { BUFFER, boxOfMapTile, FIRST_ZOOM_OF_BUILDINGS, type MapTile } from '../../vocabulary/map-tile.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import { readDensity } from './density.ts';
import { encodeTile } from './encode-tile.ts';
import type { BuildingFeatures } from './footprints.ts';

/** One tile of the map: the buildings themselves where they can be told apart, how many there are elsewhere. */
export async function buildTile(reads: Reads, tile: MapTile, footprints: BuildingFeatures): Promise<FinishedResponse> {
  const body =
    tile.z >= FIRST_ZOOM_OF_BUILDINGS
      ? encodeTile('buildings', await footprints.within(reads, boxOfMapTile(tile, BUFFER)), tile)
      : encodeTile('density', await readDensity(reads, tile), tile);
  return { etag: `"${tagOf(body)}"`, body };
}
