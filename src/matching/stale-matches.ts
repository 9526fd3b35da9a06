import { batches, type Db, type Tx } from '../storage/storage.ts';

/** Notes of what matching is to look at again; they go when it has. */
export async function noteStaleTiles(tx: Tx, tiles: Iterable<number>): Promise<void> {
  await tx.insertNew(
    'stale_tile',
    ['tile'],
    [...new Set(tiles)].map((tile) => [tile]),
  );
}

export async function noteStaleMatches(tx: Tx, records: Iterable<number>): Promise<void> {
  await tx.insertNew(
    'stale_match',
    ['record'],
    [...new Set(records)].map((record) => [record]),
  );
}

export async function noteStaleRegisters(tx: Tx, areas: Iterable<string>): Promise<void> {
  await tx.insertNew(
    'stale_register',
    ['area'],
    [...new Set(areas)].map((area) => [area]),
  );
}

export async function staleTiles(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('stale_tile').select('tile').orderBy('tile').execute();
  return rows.map((row) => row.tile);
}

export async function staleMatches(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('stale_match').select('record').orderBy('record').execute();
  return rows.map((row) => row.record);
}

export async function staleRegisters(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('stale_register').select('area').orderBy('area').execute();
  return rows.map((row) => row.area);
}

export async function clearStaleMatches(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('stale_tile').execute();
  await tx.db.deleteFrom('stale_match').execute();
}

export async function clearStaleRegisters(tx: Tx, areas: readonly string[]): Promise<void> {
  for (const batch of batches(areas)) await tx.db.deleteFrom('stale_register').where('area', 'in', batch).execute();
}

/** Records that no area holds yet are looked at again when there are more areas. */
export async function noteUnplaced(tx: Tx): Promise<void> {
  const rows = await tx.db
    .selectFrom('source_record')
    .select(['id', 'tile'])
    .where('reason', '=', 'unplaced')
    .execute();
  await noteStaleTiles(
    tx,
    rows.flatMap((row) => row.tile ?? []),
  );
  await noteStaleMatches(
    tx,
    rows.map((row) => row.id),
  );
}
