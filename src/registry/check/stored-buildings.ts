import type { StoredText } from '../../storage/compact/compact.ts';
import type { Db } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import type { Credits } from '../../vocabulary/attribution.ts';
import type { BuildingRow } from '../buildings.ts';
import type { SearchEntry } from '../search/format/entry.ts';

/** A version as it is stored. */
export interface VersionRow {
  version: number;
  recorded_at: string;
  changed_fields: string;
  canonical: StoredText;
}

/** Everything that is stored of one building, except the content of `nearby`. */
export interface StoredBuilding {
  id: AssetKey;
  /** Undefined if other tables have rows of a building that does not exist. */
  row: BuildingRow | undefined;
  /** Oldest first. */
  versions: VersionRow[];
  page: { etag: string; body: Uint8Array; credits: Credits | null } | undefined;
  hasNearby: boolean;
  lookupKeys: number[];
  entry: SearchEntry | undefined;
}

/** IDs of buildings, both ends included. */
export interface IdRange {
  from: AssetKey;
  to: AssetKey;
}

/** The ranges that divide all possible IDs so that each has about the same number of buildings. */
export async function* idRanges(db: Db, size: number): AsyncGenerator<IdRange & { count: number }> {
  for (let from = FIRST_ID; ; ) {
    const rows = await db
      .selectFrom('building')
      .select('id')
      .where('id', '>=', from)
      .orderBy('id')
      .limit(size)
      .execute();
    const to = rows.length < size ? LAST_ID : (rows.at(-1)?.id ?? LAST_ID);
    yield { from, to, count: rows.length };
    if (to === LAST_ID) return;
    from = to + 1;
  }
}

/** Also rows that no building can have are in a range. */
const FIRST_ID = Number.MIN_SAFE_INTEGER;
const LAST_ID = Number.MAX_SAFE_INTEGER;

/** What is stored of the buildings of a range, by ID. */
export async function loadStored(db: Db, { from, to }: IdRange): Promise<StoredBuilding[]> {
  const stored = new Map<AssetKey, StoredBuilding>();
  const of = (id: AssetKey): StoredBuilding => {
    let building = stored.get(id);
    if (building === undefined) {
      building = {
        id,
        row: undefined,
        versions: [],
        page: undefined,
        hasNearby: false,
        lookupKeys: [],
        entry: undefined,
      };
      stored.set(id, building);
    }
    return building;
  };
  const rows = await db
    .selectFrom('building')
    .selectAll()
    .where('id', '>=', from)
    .where('id', '<=', to)
    .orderBy('id')
    .execute();
  for (const row of rows) of(row.id).row = row;
  const versions = await db
    .selectFrom('building_version')
    .selectAll()
    .where('building', '>=', from)
    .where('building', '<=', to)
    .orderBy('building')
    .orderBy('version')
    .execute();
  for (const { building, ...version } of versions) of(building).versions.push(version);
  const pages = await db
    .selectFrom('page')
    .selectAll()
    .where('building', '>=', from)
    .where('building', '<=', to)
    .execute();
  for (const { building, ...page } of pages) of(building).page = page;
  const nearby = await db
    .selectFrom('nearby')
    .select('building')
    .where('building', '>=', from)
    .where('building', '<=', to)
    .execute();
  for (const { building } of nearby) of(building).hasNearby = true;
  const keys = await db
    .selectFrom('lookup_key')
    .selectAll()
    .where('building', '>=', from)
    .where('building', '<=', to)
    .orderBy('building')
    .orderBy('key')
    .execute();
  for (const { building, key } of keys) of(building).lookupKeys.push(key);
  const entries = await db
    .selectFrom('search_entry')
    .selectAll()
    .where('building', '>=', from)
    .where('building', '<=', to)
    .execute();
  for (const entry of entries) of(entry.building).entry = entry;
  return [...stored.values()].sort((a, b) => a.id - b.id);
}
