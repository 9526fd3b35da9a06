import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { AreaGeometry, MultiPolygon, Ring } from '../vocabulary/geometry.ts';
import { polygonsOf } from '../vocabulary/geometry.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import type { Areas } from './areas.ts';

export interface Piece {
  id: string;
  ward: string;
  nameJa: string;
  boundary: AreaGeometry;
  ingest: number;
  line: number;
  retrievedAt: string;
}

/** Keeps the boundary of a neighbourhood until it is joined to a machi-aza of that name. */
export async function putPiece(tx: Tx, piece: Piece): Promise<'new' | 'changed' | 'unchanged'> {
  const { id, ward, nameJa, ingest, line } = piece;
  const boundary = JSON.stringify(piece.boundary);
  const known = await tx.db
    .selectFrom('area_piece as p')
    .innerJoin('ingest as i', 'i.id', 'p.ingest')
    .select(['p.ward', 'p.name_ja', 'p.boundary', 'i.retrieved_at'])
    .where('p.id', '=', id)
    .executeTakeFirst();
  if (known !== undefined) {
    const moment = instantSortKey(piece.retrievedAt);
    const knownMoment = instantSortKey(known.retrieved_at ?? piece.retrievedAt);
    const isSame = known.ward === ward && known.name_ja === nameJa && known.boundary === boundary;
    if (isSame && moment > knownMoment) {
      await tx.db.updateTable('area_piece').set({ ingest, line }).where('id', '=', id).execute();
    }
    // What was fetched last stands, whatever the order of reading; of one moment the greater, for want of a better sign.
    const isOlder =
      moment < knownMoment || (moment === knownMoment && `${nameJa}${boundary}` < `${known.name_ja}${known.boundary}`);
    if (isSame || isOlder) return 'unchanged';
  }
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

/** How many of these pieces have found their machi-aza. */
export async function countJoined(db: Db, ids: readonly string[]): Promise<number> {
  let joined = 0;
  for (const batch of batches(ids)) {
    const row = await db
      .selectFrom('area_piece')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('id', 'in', batch)
      .where('area', 'is not', null)
      .executeTakeFirst();
    joined += Number(row?.count ?? 0);
  }
  return joined;
}

export interface UnjoinedPiece {
  id: string;
  ward: string;
  nameJa: string;
  file: string;
  line: number;
}

/** Boundaries that no machi-aza of their ward has the name of, and where each was last read. */
export async function* listUnjoined(db: Db): AsyncGenerator<UnjoinedPiece> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('area_piece as p')
      .innerJoin('ingest as i', 'i.id', 'p.ingest')
      .select(['p.id', 'p.ward', 'p.name_ja as nameJa', 'i.file', 'p.line'])
      .where('p.area', 'is', null)
      .where('p.id', '>', after)
      .orderBy('p.id')
      .limit(1_000)
      .execute();
    yield* rows;
    if (rows.length < 1_000) return;
    after = rows[rows.length - 1]?.id ?? after;
  }
}

function toGeometry(polygons: Ring[][]): AreaGeometry {
  const [only, another] = polygons;
  if (only !== undefined && another === undefined) return { type: 'Polygon', coordinates: only };
  return { type: 'MultiPolygon', coordinates: polygons } satisfies MultiPolygon;
}
