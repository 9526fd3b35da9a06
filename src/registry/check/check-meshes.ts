import type { Db, Reads } from '../../storage/storage.ts';
import type { Difference } from '../../vocabulary/difference.ts';
import { addToCells, countTiles, type MeshCount } from '../map-tiles/mesh-counts.ts';

const PREFIX_LENGTH = 4;

/** The first-order cells that have buildings or counts. */
export async function listLargeMeshes(db: Db): Promise<string[]> {
  const cells = new Set<string>();
  for (const table of ['building', 'mesh_count'] as const) {
    const rows = await db.selectFrom(table).select('mesh').distinct().where('mesh', 'is not', null).execute();
    for (const { mesh } of rows) cells.add((mesh as string).slice(0, PREFIX_LENGTH));
  }
  return [...cells].sort();
}

/** VRF-07: how the counts of a first-order cell and of those inside differ from its published buildings. */
export async function checkMeshes(reads: Reads, large: string): Promise<Difference[]> {
  const end = `${large}~`;
  const tiles = await reads.all<{ mesh: string }>(
    'select distinct mesh from building where mesh >= ? and mesh < ? order by mesh',
    [large, end],
  );
  const counts = await countTiles(
    reads,
    tiles.map(({ mesh }) => mesh),
  );
  const expected = new Map<string, MeshCount>();
  for (const count of counts.values()) addToCells(expected, count);
  const stored = await reads.all<MeshCount>('select * from mesh_count where mesh >= ? and mesh < ? order by mesh', [
    large,
    end,
  ]);
  const found: Difference[] = [];
  const add = (kind: Difference['kind'], row: string, detail: string | null = null) =>
    found.push({ kind, table: 'mesh_count', row, detail, remedy: { by: 'counting' } });
  for (const row of stored) {
    const count = expected.get(row.mesh) ?? { mesh: row.mesh, count: 0, lat_sum: 0, lon_sum: 0 };
    expected.delete(row.mesh);
    const wrong = (['count', 'lat_sum', 'lon_sum'] as const).filter((column) => row[column] !== count[column]);
    if (wrong.length > 0) add('differs', row.mesh, wrong.join(', '));
  }
  for (const mesh of expected.keys()) add('missing', mesh);
  return found;
}
