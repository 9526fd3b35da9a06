import { batches, isAmong, listParameter, type Reads, type Tx } from '../../storage/storage.ts';
import type { MeshCountTable } from '../../storage/tables.ts';
import { boxOfMapTile, type MapTile } from '../../vocabulary/map-tile.ts';
import { type MeshDigits, meshCellsOf } from '../../vocabulary/mesh.ts';
import type { TileFeature } from './building-features.ts';

export type MeshCount = MeshCountTable;

/** The counts of cells of any mesh order that have published buildings. */
async function readMeshCounts(reads: Reads, cells: readonly string[]): Promise<Map<string, MeshCount>> {
  const rows = await reads.all<MeshCount>(`select * from mesh_count where ${isAmong(reads, 'mesh')}`, [
    listParameter(reads, cells),
  ]);
  return new Map(rows.map((row) => [row.mesh, row]));
}

/** Recounts the cells with stale places, once per run. */
export async function recountMeshes(tx: Tx): Promise<void> {
  const stale = await tx.db.selectFrom('stale_place').select('mesh').distinct().execute();
  if (stale.length === 0) return;
  const tiles = stale.map(({ mesh }) => mesh);
  const before = await readMeshCounts(tx, tiles);
  const now = await countTiles(tx, tiles);
  const changes = new Map<string, MeshCount>();
  for (const tile of tiles) {
    const change = plus(now.get(tile) ?? nothingIn(tile), before.get(tile) ?? nothingIn(tile), -1);
    if (change.lat_sum === 0 && change.lon_sum === 0 && change.count === 0) continue;
    addToCells(changes, change);
  }
  const kept = await readMeshCounts(tx, [...changes.keys()]);
  const rows = [...changes.values()].map((change) => plus(kept.get(change.mesh) ?? nothingIn(change.mesh), change, 1));
  await tx.upsert('mesh_count', COLUMNS, rows.map(toRow));
}

/** Adds the count of a tile to those of the cells around it. */
export function addToCells(counts: Map<string, MeshCount>, count: MeshCount): void {
  for (const cell of [count.mesh, count.mesh.slice(0, 6), count.mesh.slice(0, 4)]) {
    counts.set(cell, plus(counts.get(cell) ?? nothingIn(cell), count, 1));
  }
}

/** Counts all cells again. */
export async function recountAllMeshes(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('mesh_count').execute();
  const tiles = await tx.db.selectFrom('building').select('mesh').distinct().where('mesh', 'is not', null).execute();
  const counts = new Map<string, MeshCount>();
  for (const batch of batches(tiles.map(({ mesh }) => mesh as string))) {
    for (const count of (await countTiles(tx, batch)).values()) addToCells(counts, count);
  }
  await tx.insert('mesh_count', COLUMNS, [...counts.values()].map(toRow));
}

const COLUMNS = ['mesh', 'count', 'lat_sum', 'lon_sum'] as const;
const toRow = (row: MeshCount) => COLUMNS.map((column) => row[column]);
const nothingIn = (mesh: string): MeshCount => ({ mesh, count: 0, lat_sum: 0, lon_sum: 0 });

/** Integers, so that additions and removals cancel exactly. */
function plus(a: MeshCount, b: MeshCount, sign: 1 | -1): MeshCount {
  return {
    mesh: a.mesh,
    count: a.count + sign * b.count,
    lat_sum: a.lat_sum + sign * b.lat_sum,
    lon_sum: a.lon_sum + sign * b.lon_sum,
  };
}

/** The published buildings of some tiles, from their rows. */
export async function countTiles(reads: Reads, tiles: readonly string[]): Promise<Map<string, MeshCount>> {
  const rows = await reads.all<MeshCount>(
    `select mesh, count(*) as count, sum(round(lat * 1e7)) as lat_sum, sum(round(lon * 1e7)) as lon_sum from building
      where ${isAmong(reads, 'mesh')} and state = 'live' and area is not null group by mesh`,
    [listParameter(reads, tiles)],
  );
  return new Map(rows.map((row) => [row.mesh, row]));
}

/** The number of published buildings per mesh cell, at their centre of mass, in the one tile that contains it. */
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

/** Cells of about 1 km, 10 km and 80 km: at each zoom at most a few hundred per tile. */
function digitsAt(zoom: number): MeshDigits {
  if (zoom >= 11) return 8;
  return zoom >= 8 ? 6 : 4;
}
