import { batches, type Db, type Tx } from '../storage/storage.ts';
import { type AreaGeometry, boxOf, type MultiPolygon, polygonsOf, type Ring } from '../vocabulary/geometry.ts';
import { meshCellsOf, meshTilesOf } from '../vocabulary/mesh.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import type { Areas } from './areas.ts';
import { findBuildingsIn, markBuildingsStale } from './buildings.ts';
import { joinByName, machiAzaByName } from './join-by-name.ts';
import { markBuildingsInTilesStale, markNewArea } from './markers.ts';

interface AreaPiece {
  id: string;
  ward: string;
  nameJa: string;
  boundary: AreaGeometry;
  ingest: number;
  line: number;
  retrievedAt: string;
}

/** Stores the boundary of a neighbourhood or ward until it is joined to its area. */
export async function putPiece(tx: Tx, piece: AreaPiece): Promise<'new' | 'changed' | 'unchanged'> {
  const { id, ward, nameJa, ingest, line } = piece;
  const boundary = JSON.stringify(piece.boundary);
  const known = await tx.db
    .selectFrom('area_piece as p')
    .innerJoin('ingest as i', 'i.id', 'p.ingest')
    .select(['p.ward', 'p.name_ja', 'p.area', 'p.boundary', 'i.retrieved_at'])
    .where('p.id', '=', id)
    .executeTakeFirst();
  if (known !== undefined) {
    const moment = instantSortKey(piece.retrievedAt);
    const knownMoment = instantSortKey(known.retrieved_at ?? piece.retrievedAt);
    const isSame = known.ward === ward && known.name_ja === nameJa && known.boundary === boundary;
    if (isSame && moment > knownMoment) {
      await tx.db.updateTable('area_piece').set({ ingest, line }).where('id', '=', id).execute();
    }
    // The latest fetch wins, whatever the order of reading; of equal times the greater text, so that the result is
    // deterministic.
    const isOlder =
      moment < knownMoment || (moment === knownMoment && `${nameJa}${boundary}` < `${known.name_ja}${known.boundary}`);
    if (isSame || isOlder) return 'unchanged';
    if (known.area !== null) await release(tx, known.area);
  }
  await tx.upsert(
    'area_piece',
    ['id', 'ward', 'name_ja', 'area', 'boundary', 'ingest', 'line'],
    [[id, ward, nameJa, null, boundary, ingest, line]],
  );
  return known === undefined ? 'new' : 'changed';
}

/** Removes the boundary of an area whose piece changed, and marks the area for placing its buildings again. */
async function release(tx: Tx, code: string): Promise<void> {
  await tx.db.updateTable('area_piece').set({ area: null }).where('area', '=', code).execute();
  const nothing = { boundary: null, west: null, south: null, east: null, north: null };
  await tx.db.updateTable('area').set(nothing).where('code', '=', code).execute();
  await markNewArea(tx, code);
}

/**
 * Joins pieces to the machi-aza of their names, and pieces of wards to the ward of their code, and redraws the areas
 * that gained or lost one. Returns whether there were any. All pieces are joined each time, so that the result depends
 * neither on input order nor on an earlier version of the rules.
 */
export async function joinPieces(tx: Tx, areas: Areas): Promise<boolean> {
  const wards = await tx.db.selectFrom('area_piece').select('ward').distinct().execute();
  const machiAza = areas.machiAzaByWard(new Set(wards.map(({ ward }) => ward)));
  const changed = new Set<string>();
  for await (const [ward, pieces] of piecesByWard(tx.db)) {
    const joined = joinByName(
      pieces.filter(({ key }) => !isWardKey(key)),
      machiAzaByName(machiAza.get(ward) ?? []),
    );
    const known = areas.get(ward)?.level === 'ward' ? ward : null;
    for (const { id, key, area } of pieces) {
      const code = isWardKey(key) ? known : (joined.get(id) ?? null);
      if (code === area) continue;
      await tx.db.updateTable('area_piece').set({ area: code }).where('id', '=', id).execute();
      for (const each of [code, area]) if (each !== null) changed.add(each);
    }
  }
  const isWard = (code: string) => areas.get(code)?.level === 'ward';
  const codes = [...changed].sort();
  // The boundary of a ward is as large as those of all its machi-aza together, so wards are redrawn one by one.
  for (const code of codes.filter(isWard)) await redraw(tx, areas, [code]);
  for (const batch of batches(codes.filter((code) => !isWard(code)))) await redraw(tx, areas, batch);
  return changed.size > 0;
}

/** The piece of a ward: its code, a slash and the source. */
const isWardKey = (key: string): boolean => key.charAt(5) === '/';

/** The KEY_CODE, without the source and the counter of names that share a code. */
const keyOf = (id: string): string => id.slice(id.indexOf(':') + 1).replace(/-\d+$/, '');

interface StoredPiece {
  id: string;
  key: string;
  nameJa: string;
  area: string | null;
}

/** All pieces, grouped by ward. IDs begin with the code of the ward, so that only one ward is in memory at a time. */
async function* piecesByWard(db: Db): AsyncGenerator<[ward: string, pieces: StoredPiece[]]> {
  let held: (StoredPiece & { ward: string })[] = [];
  const wardIn = (key: string) => key.slice(0, 5);
  const give = () => [...Map.groupBy(held, ({ ward }) => ward)];
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('area_piece')
      .select(['id', 'ward', 'name_ja', 'area'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(2_000)
      .execute();
    for (const { id, ward, name_ja: nameJa, area } of rows) {
      const key = keyOf(id);
      if (held.length > 0 && wardIn((held[0] as StoredPiece).key) !== wardIn(key)) {
        yield* give();
        held = [];
      }
      held.push({ id, key, nameJa, area, ward });
    }
    if (rows.length < 2_000) break;
    after = rows[rows.length - 1]?.id ?? after;
  }
  yield* give();
}

/** Redraws areas from their pieces and marks the buildings inside the old and new boundaries stale. */
async function redraw(tx: Tx, areas: Areas, codes: readonly string[]): Promise<void> {
  const before = await tx.db
    .selectFrom('area')
    .select('boundary')
    .where('code', 'in', codes)
    .where('boundary', 'is not', null)
    .execute();
  for (const { boundary } of before)
    await markBuildingsInTilesStale(tx, tilesOf(JSON.parse(boundary as string) as AreaGeometry));
  const pieces = await tx.db
    .selectFrom('area_piece')
    .select(['area', 'boundary'])
    .where('area', 'in', codes)
    .orderBy('id')
    .execute();
  for (const code of codes) {
    const polygons = pieces
      .filter((piece) => piece.area === code)
      .flatMap((piece): Ring[][] => polygonsOf(JSON.parse(piece.boundary) as AreaGeometry));
    const boundary = polygons.length === 0 ? null : toGeometry(polygons);
    await areas.setBoundary(tx, code, boundary);
    // Buildings placed here by the area's point may be outside the boundary.
    await markBuildingsStale(tx, await findBuildingsIn(tx.db, code));
    if (boundary !== null) await markBuildingsInTilesStale(tx, tilesOf(boundary));
  }
}

/** Square degrees; no municipality is as large. */
const LARGEST = 2;

/** Polygon by polygon, because the islands of one ward may be a thousand kilometres apart. */
function tilesOf(boundary: AreaGeometry): string[] {
  const tiles = polygonsOf(boundary).flatMap((coordinates) => {
    const box = boxOf({ type: 'Polygon', coordinates });
    return (box[2] - box[0]) * (box[3] - box[1]) < LARGEST ? meshCellsOf(box, 8) : meshTilesOf(box);
  });
  return [...new Set(tiles)];
}

/** How many of these pieces are joined to an area. */
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

/** REF-03: how many boundaries have an area, and how many areas are rows of a source. */
export async function countAreaRecords(db: Db): Promise<{ estat: number; abr: number }> {
  const { pieces, areas } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('area_piece')
        .select((e) => e.fn.countAll().as('count'))
        .where('area', 'is not', null)
        .as('pieces'),
      eb
        .selectFrom('area')
        .select((e) => e.fn.countAll().as('count'))
        .where('retrieved_at', 'is not', null)
        .as('areas'),
    ])
    .executeTakeFirstOrThrow();
  return { estat: Number(pieces), abr: Number(areas) };
}

interface UnjoinedPiece {
  id: string;
  ward: string;
  nameJa: string;
  file: string;
  line: number;
}

/** Boundaries without an area, and where each was last read. */
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
