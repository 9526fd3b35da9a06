import { batches, type Tx } from '../storage/storage.ts';
import type { AreaGeometry, MultiPolygon, Ring } from '../vocabulary/geometry.ts';
import { polygonsOf } from '../vocabulary/geometry.ts';
import type { Areas } from './areas.ts';

export interface Piece {
  id: string;
  ward: string;
  nameJa: string;
  boundary: AreaGeometry;
  ingest: number;
  line: number;
}

/** Keeps the boundary of a neighbourhood until it is joined to a machi-aza of that name. */
export async function putPiece(tx: Tx, piece: Piece): Promise<'new' | 'changed' | 'unchanged'> {
  const { id, ward, nameJa, ingest, line } = piece;
  const boundary = JSON.stringify(piece.boundary);
  const known = await tx.db.selectFrom('area_piece').selectAll().where('id', '=', id).executeTakeFirst();
  if (known?.ward === ward && known.name_ja === nameJa && known.boundary === boundary) return 'unchanged';
  await tx.upsert(
    'area_piece',
    ['id', 'ward', 'name_ja', 'area', 'boundary', 'ingest', 'line'],
    [[id, ward, nameJa, null, boundary, ingest, line]],
  );
  return known === undefined ? 'new' : 'changed';
}

/** Joins pieces to the machi-aza of their names, and draws the boundaries of these anew; gives what was drawn. */
export async function joinPieces(tx: Tx, areas: Areas): Promise<AreaGeometry[]> {
  const waiting = await tx.db
    .selectFrom('area_piece')
    .select(['id', 'ward', 'name_ja'])
    .where('area', 'is', null)
    .execute();
  const joined = new Set<string>();
  for (const { id, ward, name_ja } of waiting) {
    const area = areas.findByName(ward, name_ja);
    if (area === undefined) continue;
    await tx.db.updateTable('area_piece').set({ area }).where('id', '=', id).execute();
    joined.add(area);
  }
  const drawn: AreaGeometry[] = [];
  for (const batch of batches([...joined].sort())) {
    const pieces = await tx.db
      .selectFrom('area_piece')
      .select(['area', 'boundary'])
      .where('area', 'in', batch)
      .orderBy('id')
      .execute();
    for (const code of batch) {
      const polygons = pieces
        .filter((piece) => piece.area === code)
        .flatMap((piece): Ring[][] => polygonsOf(JSON.parse(piece.boundary) as AreaGeometry));
      const boundary = toGeometry(polygons);
      await areas.bound(tx, code, boundary);
      drawn.push(boundary);
    }
  }
  return drawn;
}

function toGeometry(polygons: Ring[][]): AreaGeometry {
  const [only, another] = polygons;
  if (only !== undefined && another === undefined) return { type: 'Polygon', coordinates: only };
  return { type: 'MultiPolygon', coordinates: polygons } satisfies MultiPolygon;
}
