import { readRecordEvidence, recordIdOf } from '../observations/source-records.ts';
import { batches, type Db, isAmong, listParameter, type Reads } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { SourcesEntry } from '../vocabulary/building-page.ts';
import type { Disposition } from '../vocabulary/source-record.ts';
import type { Source } from '../vocabulary/sources.ts';
import { findMembers } from './buildings.ts';
import { findSurvivors } from './identity.ts';
import { isWithdrawn } from './left-out.ts';

/** A published building and where it is. */
export interface ExportedBuilding {
  id: AssetKey;
  lat: number | null;
  lon: number | null;
}

/** The published buildings of some machi-aza. */
export async function* listExported(db: Db, areas: readonly string[]): AsyncGenerator<ExportedBuilding[]> {
  for (const batch of batches(areas, AREAS_AT_ONCE)) {
    yield await db
      .selectFrom('building as b')
      .innerJoin('page as p', 'p.building', 'b.id')
      .select(['b.id', 'b.lat', 'b.lon'])
      .where('b.area', 'in', batch)
      .execute();
  }
}

const AREAS_AT_ONCE = 20;

/** The code of the area at slugs from the prefecture down, such as tokyo/minato-ku; undefined if there is none. */
export async function findAreaCode(db: Db, slugs: readonly string[]): Promise<string | undefined> {
  let code: string | undefined;
  for (const slug of slugs) {
    const row = await db
      .selectFrom('area_slug')
      .select('code')
      .where('parent', '=', code ?? '')
      .where('slug', '=', slug)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    code = row.code;
  }
  return code;
}

/** EXP-08: the live buildings to which a record of these sources belongs. */
export async function findBuildingsOfSources(db: Db, sources: readonly Source[]): Promise<AssetKey[]> {
  const rows = await db
    .selectFrom('source_record')
    .select('building')
    .distinct()
    .where('source', 'in', sources)
    .where('building', 'is not', null)
    .execute();
  const survivors = await findSurvivors(
    db,
    rows.map(({ building }) => building as AssetKey),
  );
  return [...new Set(survivors.values())].sort((a, b) => a - b);
}

/** EXP-06: a source record, and the building that it leads to. */
export interface BridgeRow {
  /** Null if its building was retired without a successor. */
  building: AssetKey | null;
  source: Source;
  sourceRecordId: string;
  disposition: Disposition;
}

interface RecordRow {
  id: number;
  key: string;
  source: Source;
  building: AssetKey;
}

/** The records of published buildings, of those merged into them, and of complexes that they inherit from. */
export async function readBridge(
  db: Db,
  reads: Reads,
  buildings: ReadonlyMap<AssetKey, readonly SourcesEntry[]>,
): Promise<BridgeRow[]> {
  const survivorOf = await findMembers(db, [...buildings.keys()]);
  const rows = await recordsOf(reads, [...survivorOf.keys()]);
  const consulted = new Map<string, BridgeRow & { hasWon: boolean }>();
  for (const [building, sources] of buildings) {
    for (const { source, sourceRecordId, fields } of sources) {
      const row = { building, source, sourceRecordId, disposition: 'contributes', hasWon: fields.length > 0 } as const;
      consulted.set(`${building} ${source}:${sourceRecordId}`, row);
    }
  }
  const keyOf = ({ building, key }: RecordRow) => `${survivorOf.get(building)} ${key}`;
  // What won a field was not withdrawn; only the others have to be read.
  const silent = rows.filter((row) => consulted.get(keyOf(row))?.hasWon !== true).map(({ id }) => id);
  const withdrawn = await findWithdrawn(reads, silent);
  const bridge = rows.map((row): BridgeRow => {
    const { id, key, source, building } = row;
    consulted.delete(keyOf(row));
    const survivor = survivorOf.get(building) as AssetKey;
    const disposition = withdrawn.has(id) ? 'withdrawn' : building === survivor ? 'contributes' : 'merged';
    return { building: survivor, source, sourceRecordId: recordIdOf(key), disposition };
  });
  return inOrder([...bridge, ...consulted.values()]);
}

/** The same of retired buildings of a prefecture, and of those merged into them. */
export async function* readRetiredBridge(db: Db, reads: Reads, prefecture: string): AsyncGenerator<BridgeRow[]> {
  const from = Number(prefecture) * NUMBERS_PER_PREFECTURE;
  for (let after = from - 1; ; ) {
    const rows: { id: AssetKey; successor: AssetKey | null }[] = await db
      .selectFrom('building')
      .select(['id', 'successor'])
      .where('state', '=', 'retired')
      .where('id', '>', after)
      .where('id', '<', from + NUMBERS_PER_PREFECTURE)
      .orderBy('id')
      .limit(RETIRED_AT_ONCE)
      .execute();
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? after;
    const retiredOf = await findMembers(
      db,
      rows.map(({ id }) => id),
    );
    const leads = new Map<AssetKey, AssetKey | null>();
    for (const { id, successor } of rows) {
      const survivor = successor === null ? undefined : (await findSurvivors(db, [successor])).get(successor);
      leads.set(id, survivor ?? null);
    }
    const records = await recordsOf(reads, [...retiredOf.keys()]);
    yield inOrder(
      records.map(({ key, source, building }) => ({
        building: leads.get(retiredOf.get(building) as AssetKey) ?? null,
        source,
        sourceRecordId: recordIdOf(key),
        disposition: 'retired',
      })),
    );
  }
}

const NUMBERS_PER_PREFECTURE = 100_000_000;
const RETIRED_AT_ONCE = 500;

function recordsOf(reads: Reads, buildings: readonly AssetKey[]): RecordRow[] | Promise<RecordRow[]> {
  return reads.all<RecordRow>(
    `select id, key, source, building from source_record where ${isAmong(reads, 'building')}`,
    [listParameter(reads, buildings)],
  );
}

async function findWithdrawn(reads: Reads, records: readonly number[]): Promise<Set<number>> {
  const withdrawn = new Set<number>();
  for (const [id, evidence] of await readRecordEvidence(reads, records)) if (isWithdrawn(evidence)) withdrawn.add(id);
  return withdrawn;
}

function inOrder(rows: BridgeRow[]): BridgeRow[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return rows.sort(
    (a, b) =>
      (a.building ?? 0) - (b.building ?? 0) ||
      compare(a.source, b.source) ||
      compare(a.sourceRecordId, b.sourceRecordId) ||
      compare(a.disposition, b.disposition),
  );
}
