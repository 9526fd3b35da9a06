import type { Reads } from '../../storage/storage.ts';
import { boxOfMapTile, type MapTile } from '../../vocabulary/map-tile.ts';
import { type MeshDigits, meshCellsOf } from '../../vocabulary/mesh.ts';
import type { TileFeature } from './encode-tile.ts';
import { readMeshCounts } from './mesh-counts.ts';

/** How many buildings are published in each mesh cell, at the centre of them: in the one tile that has this centre. */
export async function readDensity(reads: Reads, tile: MapTile): Promise<TileFeature[]> {
  const [west, south, east, north] = boxOfMapTile(tile, 0);
  const counts = await readMeshCounts(reads, meshCellsOf([west, south, east, north], digitsAt(tile.z)));
  const features: TileFeature[] = [];
  for (const { mesh, count, lat_sum, lon_sum } of counts.values()) {
    const [lon, lat] = [lon_sum / count / 1e7, lat_sum / count / 1e7];
    if (count === 0 || lon < west || lon >= east || lat <= south || lat > north) continue;
    features.push({
      id: Number(mesh),
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: { mesh, count },
    });
  }
  return features;
}

/** Cells of about 1 km, 10 km and 80 km: at each zoom a few hundred to a tile at most. */
function digitsAt(zoom: number): MeshDigits {
  if (zoom >= 11) return 8;
  return zoom >= 8 ? 6 : 4;
}
