import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { BuildingTable } from '../storage/tables.ts';
import { type AssetKey, assetKey } from '../vocabulary/asset-id.ts';

export type BuildingRow = BuildingTable;

/** What publishing sets. `successor` is not among them: checking that it exists takes SQLite as long as the rest. */
export const PUBLISHED_COLUMNS = [
  ...(['id', 'area', 'placed_by', 'lat', 'lon', 'mesh'] as const),
  ...(['name_ja', 'name_en', 'category', 'version', 'recorded_at', 'logged'] as const),
] as const;

/** What the log of changes last said of a building. */
export const LOGGED = { never: 0, changed: 1, merged: 2 } as const;

export async function loadBuildings(db: Db, ids: readonly AssetKey[]): Promise<Map<AssetKey, BuildingRow>> {
  const found = new Map<AssetKey, BuildingRow>();
  for (const batch of batches(ids)) {
    const rows = await db.selectFrom('building').selectAll().where('id', 'in', batch).execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

export async function findExisting(db: Db, ids: readonly AssetKey[]): Promise<Set<AssetKey>> {
  const found = new Set<AssetKey>();
  for (const batch of batches(ids)) {
    const rows = await db.selectFrom('building').select('id').where('id', 'in', batch).execute();
    for (const row of rows) found.add(row.id);
  }
  return found;
}

/** The buildings of a machi-aza. */
export async function findBuildingsIn(db: Db, area: string): Promise<AssetKey[]> {
  const rows = await db.selectFrom('building').select('id').where('area', '=', area).orderBy('id').execute();
  return rows.map((row) => row.id);
}

/** The next buildings that were never published, after an ID. */
export async function findUnpublished(db: Db, after: AssetKey, limit: number): Promise<AssetKey[]> {
  // Two queries: PostgreSQL may read all buildings for one.
  for (let last = after; ; ) {
    const stale = await db
      .selectFrom('stale_building')
      .select('building')
      .where('building', '>', last)
      .orderBy('building')
      .limit(limit)
      .execute();
    if (stale.length === 0) return [];
    const ids = stale.map(({ building }) => building);
    const rows = await db
      .selectFrom('building')
      .select('id')
      .where('id', 'in', ids)
      .where('version', '=', 0)
      .where('state', '=', 'live')
      .orderBy('id')
      .execute();
    if (rows.length > 0) return rows.map((row) => row.id);
    last = ids.at(-1) as AssetKey;
  }
}

export async function setAreas(tx: Tx, areas: ReadonlyMap<AssetKey, string>): Promise<void> {
  for (const [id, area] of areas) await tx.db.updateTable('building').set({ area }).where('id', '=', id).execute();
}

/** `named` by a file, or `minted` by matching. */
export async function createBuildings(tx: Tx, ids: readonly AssetKey[], origin: 'named' | 'minted'): Promise<void> {
  await tx.insert(
    'building',
    ['id', 'state', 'version', 'minted', 'logged'],
    ids.map((id) => [id, 'live', 0, origin === 'minted' ? 1 : 0, LOGGED.never]),
  );
}

export function toPublishedRow(building: BuildingRow): unknown[] {
  return PUBLISHED_COLUMNS.map((column) => building[column]);
}

/** ID-05: numbers that no building of the prefecture ever had. */
export async function mintIds(tx: Tx, prefecture: string, count: number): Promise<AssetKey[]> {
  const row = await tx.db.selectFrom('minted').select('last').where('prefecture', '=', prefecture).executeTakeFirst();
  const minted: AssetKey[] = [];
  let last = row?.last ?? 0;
  while (minted.length < count) {
    const next = Array.from({ length: count - minted.length }, (_, i) => assetKey(prefecture, last + 1 + i));
    const taken = await findExisting(tx.db, next);
    minted.push(...next.filter((id) => !taken.has(id)));
    last += next.length;
  }
  await tx.upsert('minted', ['prefecture', 'last'], [[prefecture, last]]);
  return minted;
}

export async function markBuildingsStale(tx: Tx, ids: Iterable<AssetKey>): Promise<void> {
  await tx.insertNew(
    'stale_building',
    ['building'],
    [...ids].map((id) => [id]),
  );
}

/** Maps these buildings, and all buildings merged into them through chains, to the survivor that has their evidence. */
export async function findMembers(db: Db, survivors: readonly AssetKey[]): Promise<Map<AssetKey, AssetKey>> {
  const survivorOf = new Map<AssetKey, AssetKey>(survivors.map((id) => [id, id]));
  for (let level = [...survivors]; level.length > 0; ) {
    const next: AssetKey[] = [];
    for (const batch of batches(level)) {
      const rows = await db
        .selectFrom('building')
        .select(['id', 'successor'])
        .where('successor', 'in', batch)
        .where('state', '=', 'merged')
        .execute();
      for (const row of rows) {
        survivorOf.set(row.id, survivorOf.get(row.successor as AssetKey) as AssetKey);
        next.push(row.id);
      }
    }
    level = next;
  }
  return survivorOf;
}

/** The number of published buildings of a machi-aza, from the index on areas alone. */
interface AreaCount {
  area: string;
  count: number;
}

/** The machi-aza with published buildings, sorted by code; optionally only those whose code has a prefix. */
export async function countBuildingsByArea(db: Db, prefix = ''): Promise<AreaCount[]> {
  let query = db
    .selectFrom('building')
    .select(['area', (eb) => eb.fn.countAll().as('count')])
    .where('area', 'is not', null);
  if (prefix !== '') query = query.where('area', '>=', prefix).where('area', '<', `${prefix}~`);
  const rows = await query.groupBy('area').execute();
  return rows
    .map(({ area, count }) => ({ area: area as string, count: Number(count) }))
    .sort((a, b) => (a.area < b.area ? -1 : 1));
}

/** The buildings at these ranks, counted through all areas in order. */
export async function buildingsByRank(
  db: Db,
  areas: readonly AreaCount[],
  places: readonly number[],
): Promise<AssetKey[]> {
  const wanted = new Map<string, { place: number; index: number }[]>();
  const ordered = [...places].sort((a, b) => a - b);
  let before = 0;
  let next = 0;
  for (const { area, count } of areas) {
    for (; next < ordered.length && (ordered[next] as number) < before + count; next++) {
      const place = ordered[next] as number;
      wanted.set(area, [...(wanted.get(area) ?? []), { place, index: place - before }]);
    }
    before += count;
  }
  const found = new Map<number, AssetKey>();
  for (const batch of batches([...wanted.keys()], 100)) {
    const inside = new Map<string, AssetKey[]>();
    const rows = await db.selectFrom('building').select(['area', 'id']).where('area', 'in', batch).execute();
    for (const { area, id } of rows) {
      const known = inside.get(area as string);
      if (known === undefined) inside.set(area as string, [id]);
      else known.push(id);
    }
    for (const [area, ids] of inside) {
      ids.sort((a, b) => a - b);
      for (const { place, index } of wanted.get(area) ?? []) {
        const id = ids[index];
        if (id !== undefined) found.set(place, id);
      }
    }
  }
  return places.flatMap((place) => found.get(place) ?? []);
}
