import { sql } from 'kysely';
import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import { batches, type Db, type Tx } from '../storage/storage.ts';
import type { LinkTable, MeetingTable } from '../storage/tables.ts';
import { CREATING_SOURCES, REGISTERS, type Source } from '../vocabulary/sources.ts';

export type Overlap = MeetingTable;
export type RecordLink = LinkTable;

/** The tiles of a record: that of its centre first, then the others that its shape touches. */
export interface RecordTiles {
  record: number;
  tiles: readonly number[];
}

/** Stores the tiles beyond the first, and the links of records. */
export async function addTilesAndLinks(
  tx: Tx,
  spots: readonly RecordTiles[],
  links: readonly RecordLink[],
): Promise<void> {
  const rows = spots.flatMap(({ record, tiles }) => tiles.slice(1).map((tile) => [tile, record]));
  if (rows.length > 0) await tx.insertNew('spot', ['tile', 'record'], rows);
  if (links.length > 0) {
    await tx.insertNew(
      'link',
      ['name', 'record'],
      links.map(({ name, record }) => [name, record]),
    );
  }
}

/** Removes tiles, links and overlaps of records before new ones are stored. */
export async function removeTilesAndLinks(tx: Tx, records: readonly number[]): Promise<void> {
  for (const batch of batches(records)) {
    await tx.db.deleteFrom('spot').where('record', 'in', batch).execute();
    await tx.db.deleteFrom('link').where('record', 'in', batch).execute();
    const met = await tx.db.selectFrom('meeting').select(['record', 'other']).where('record', 'in', batch).execute();
    await removeOverlaps(
      tx,
      met.map(({ record, other }) => ({ record: other, other: record })),
    );
    await tx.db.deleteFrom('meeting').where('record', 'in', batch).execute();
  }
}

export async function otherTilesOf(db: Db, records: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (const batch of batches(records)) {
    const rows = await db.selectFrom('spot').selectAll().where('record', 'in', batch).execute();
    for (const { record, tile } of rows) found.set(record, [...(found.get(record) ?? []), tile]);
  }
  return found;
}

/** The records of a tile, in key order. */
export async function recordsInTile(db: Db, tile: number): Promise<SourceRecord[]> {
  // Two queries: PostgreSQL would read every record for one with both conditions.
  const [own, others] = await Promise.all([
    db.selectFrom('source_record').selectAll().where('tile', '=', tile).execute(),
    db
      .selectFrom('spot as s')
      .innerJoin('source_record as r', 'r.id', 's.record')
      .selectAll('r')
      .where('s.tile', '=', tile)
      .execute(),
  ]);
  const rows = [...new Map([...own, ...others].map((row) => [row.id, row])).values()];
  return rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.claimed - b.claimed));
}

/** The records of some tiles that describe buildings of other records. */
export async function attachingRecordsIn(db: Db, tiles: readonly number[]): Promise<number[]> {
  const creating = [...CREATING_SOURCES];
  const found: number[] = [];
  for (const batch of batches(tiles)) {
    const [own, others] = await Promise.all([
      db
        .selectFrom('source_record')
        .select('id')
        .where('tile', 'in', batch)
        .where('source', 'not in', creating)
        .execute(),
      db
        .selectFrom('spot as s')
        .innerJoin('source_record as r', 'r.id', 's.record')
        .select('r.id')
        .where('s.tile', 'in', batch)
        .where('r.source', 'not in', creating)
        .execute(),
    ]);
    for (const { id } of [...own, ...others]) found.push(id);
  }
  return found;
}

/** Those of some tiles that have a record which names no building, in the same order. */
export async function tilesWithUnnamed(db: Db, tiles: readonly number[]): Promise<number[]> {
  const found = new Set<number>();
  for (const batch of batches(tiles)) {
    const rows = await db
      .selectFrom('source_record')
      .select('tile')
      .where('tile', 'in', batch)
      .where('claimed', '=', NAMES_NONE)
      .union(
        db
          .selectFrom('spot as s')
          .innerJoin('source_record as r', 'r.id', 's.record')
          .select('s.tile')
          .where('s.tile', 'in', batch)
          .where('r.claimed', '=', NAMES_NONE),
      )
      .execute();
    for (const { tile } of rows) found.add(tile as number);
  }
  return tiles.filter((tile) => found.has(tile));
}

/** How many records have their centre in some tiles. */
export async function countRecordsIn(db: Db, tiles: readonly number[]): Promise<number> {
  let sum = 0;
  for (const batch of batches(tiles)) {
    const row = await db
      .selectFrom('source_record')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('tile', 'in', batch)
      .executeTakeFirst();
    sum += Number(row?.count ?? 0);
  }
  return sum;
}

async function addOverlaps(tx: Tx, overlaps: readonly Overlap[]): Promise<void> {
  await tx.insertNew(
    'meeting',
    ['record', 'other', 'overlap'],
    overlaps.map(({ record, other, overlap }) => [record, other, overlap]),
  );
}

async function removeOverlaps(tx: Tx, overlaps: readonly Pick<Overlap, 'record' | 'other'>[]): Promise<void> {
  for (const { record, other } of overlaps) {
    await tx.db.deleteFrom('meeting').where('record', '=', record).where('other', '=', other).execute();
  }
}

/** Stores what comparing a tile found. */
export async function storeOverlaps(
  tx: Tx,
  { gone, found }: { gone: readonly Overlap[]; found: readonly Overlap[] },
): Promise<void> {
  await removeOverlaps(tx, gone);
  await addOverlaps(tx, found);
}

export async function overlapsOf(db: Db, records: readonly number[]): Promise<Overlap[]> {
  const found: Overlap[] = [];
  for (const batch of batches(records)) {
    found.push(...(await db.selectFrom('meeting').selectAll().where('record', 'in', batch).execute()));
  }
  return found;
}

export async function findRecords(db: Db, ids: readonly number[]): Promise<Map<number, SourceRecord>> {
  const found = new Map<number, SourceRecord>();
  for (const batch of batches(ids)) {
    for (const row of await db.selectFrom('source_record').selectAll().where('id', 'in', batch).execute()) {
      found.set(row.id, row);
    }
  }
  return found;
}

export async function recordsOfBuildings(db: Db, buildings: readonly number[]): Promise<SourceRecord[]> {
  const found: SourceRecord[] = [];
  for (const batch of batches(buildings)) {
    found.push(...(await db.selectFrom('source_record').selectAll().where('building', 'in', batch).execute()));
  }
  return found;
}

export async function recordsByKey(db: Db, keys: readonly string[]): Promise<SourceRecord[]> {
  const found: SourceRecord[] = [];
  for (const batch of batches(keys)) {
    found.push(...(await db.selectFrom('source_record').selectAll().where('key', 'in', batch).execute()));
  }
  return found;
}

/** Links that matching follows; others are only further identifiers. */
export const RECORD_LINK = /^(?:wikidata|osm|complex|member):/;

export async function linksFrom(db: Db, records: readonly number[]): Promise<RecordLink[]> {
  const found: RecordLink[] = [];
  for (const batch of batches(records)) {
    found.push(...(await db.selectFrom('link').selectAll().where('record', 'in', batch).execute()));
  }
  return found;
}

/** The records of linked items: the item itself, its complex, its members. */
export async function linkedItems(db: Db, records: readonly number[]): Promise<number[]> {
  const keys = (await linksFrom(db, records)).flatMap(({ name }) => {
    const item = /^(?:wikidata|complex|member):(Q\d+)$/.exec(name)?.[1];
    return item === undefined ? [] : [`wikidata:${item}`];
  });
  return (await recordsByKey(db, [...new Set(keys)])).map((row) => row.id);
}

export async function linksTo(db: Db, names: readonly string[]): Promise<RecordLink[]> {
  const found: RecordLink[] = [];
  for (const batch of batches(names)) {
    found.push(...(await db.selectFrom('link').selectAll().where('name', 'in', batch).execute()));
  }
  return found;
}

export async function hasRecordsOf(db: Db, sources: readonly Source[]): Promise<boolean> {
  const row = await db
    .selectFrom('source_record')
    .select(sql<number>`1`.as('one'))
    .where('source', 'in', sources)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The buildings that inherit from a complex (CON-12). */
export async function inheritingBuildings(db: Db, record: number): Promise<number[]> {
  const rows = await db
    .selectFrom('lent')
    .select('building')
    .where('record', '=', record)
    .orderBy('building')
    .execute();
  return rows.map((row) => row.building);
}

/** The same for several records, without those that nothing inherits from. */
export async function inheritingByRecord(db: Db, records: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (const batch of batches(records)) {
    const rows = await db.selectFrom('lent').selectAll().where('record', 'in', batch).orderBy('building').execute();
    for (const { record, building } of rows) found.set(record, [...(found.get(record) ?? []), building]);
  }
  return found;
}

export async function setInheriting(tx: Tx, record: number, buildings: readonly number[]): Promise<void> {
  await tx.db.deleteFrom('lent').where('record', '=', record).execute();
  await tx.insert(
    'lent',
    ['building', 'record'],
    buildings.map((building) => [building, record]),
  );
}

/** Records of registers and disclosures in a machi-aza. */
export async function registersIn(db: Db, area: string): Promise<SourceRecord[]> {
  const rows = await db.selectFrom('source_record').selectAll().where('area', '=', area).orderBy('key').execute();
  return rows.filter(({ source }) => REGISTERS.has(source));
}

/** Other records whose address is in a machi-aza, by the code they give. */
export async function recordsAddressedIn(db: Db, area: string): Promise<SourceRecord[]> {
  const rows = await db.selectFrom('source_record').selectAll().where('area', '=', area).orderBy('key').execute();
  return rows.filter(({ source, building }) => building !== null && !REGISTERS.has(source));
}

/** Registers in the machi-aza of some wards, whose addresses may resolve differently now. */
export async function registersOfWards(db: Db, wards: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const batch of batches(wards)) {
    const rows = await db
      .selectFrom('source_record as r')
      .innerJoin('area as a', 'a.code', 'r.area')
      .select('r.id')
      .where('a.parent', 'in', batch)
      .where('r.source', 'in', [...REGISTERS])
      .execute();
    found.push(...rows.map((row) => row.id));
  }
  return found;
}

/** The machi-aza that have records of registers. */
export async function areasWithRegisters(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('source_record')
    .select('area')
    .distinct()
    .where('area', 'is not', null)
    .where('source', 'in', [...REGISTERS])
    .execute();
  return new Set(rows.map((row) => row.area as string));
}

/** Registers without a machi-aza, and those given. */
export async function unplacedRegisters(db: Db, fresh: readonly number[]): Promise<SourceRecord[]> {
  const rows = new Map((await findRecords(db, fresh)).entries());
  const left = await db
    .selectFrom('source_record')
    .selectAll()
    .where('reason', '=', 'unmatched')
    .where('area', 'is', null)
    .where('claimed', '=', NAMES_NONE)
    .where('source', 'in', [...REGISTERS])
    .execute();
  for (const row of left) rows.set(row.id, row);
  return [...rows.values()].filter(({ source, claimed }) => REGISTERS.has(source) && claimed === NAMES_NONE);
}

/** The next records without a tile, by ID. */
export async function recordsWithoutTile(db: Db, after: number): Promise<SourceRecord[]> {
  return db
    .selectFrom('source_record')
    .selectAll()
    .where('id', '>', after)
    .where('tile', 'is', null)
    .orderBy('id')
    .limit(1_000)
    .execute();
}
