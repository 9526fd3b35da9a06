import type { Db } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId, prefectureOfAsset } from '../../vocabulary/asset-id.ts';
import type { Difference } from '../../vocabulary/difference.ts';
import type { BuildingRow } from '../buildings.ts';
import type { IdRange } from './stored-buildings.ts';

/** The last change of a building's identity. */
interface LastEvent {
  kind: 'merge' | 'unmerge' | 'retire';
  into_building: AssetKey | null;
}

type Identity = Pick<BuildingRow, 'state' | 'successor'>;

/** The identity that the last change left. */
export function identityAfter(event: LastEvent | undefined): Identity {
  switch (event?.kind) {
    case 'merge':
      return { state: 'merged', successor: event.into_building };
    case 'retire':
      return { state: 'retired', successor: event.into_building };
    default:
      return { state: 'live', successor: null };
  }
}

/** The last change of each building of a range that was ever merged or retired. */
export async function lastEvents(db: Db, { from, to }: IdRange): Promise<Map<AssetKey, LastEvent>> {
  const rows = await db
    .selectFrom('identity_event')
    .select(['building', 'kind', 'into_building'])
    .where('building', '>=', from)
    .where('building', '<=', to)
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ building, ...event }) => [building, event]));
}

/** VRF-04: how the state and the successor of a building differ from the log of identity events. */
export function compareIdentity(row: BuildingRow, event: LastEvent | undefined): Difference[] {
  const expected = identityAfter(event);
  const wrong = (['state', 'successor'] as const).filter((column) => row[column] !== expected[column]);
  if (wrong.length === 0) return [];
  return [
    {
      kind: 'differs',
      table: 'building',
      row: formatAssetId(row.id),
      detail: wrong.join(', '),
      remedy: { by: 'identity', building: row.id },
    },
  ];
}

/** VRF-04: chains of successors that never end. */
export async function checkChains(db: Db): Promise<Difference[]> {
  const successors = new Map<AssetKey, AssetKey>();
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await db
      .selectFrom('building')
      .select(['id', 'successor'])
      .where('successor', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    for (const { id, successor } of rows) successors.set(id, successor as AssetKey);
    if (rows.length < CHUNK) break;
    after = rows.at(-1)?.id ?? after;
  }
  const ends = new Set<AssetKey>();
  const found: Difference[] = [];
  for (const start of successors.keys()) {
    const passed = new Set<AssetKey>();
    let id: AssetKey | undefined = start;
    while (id !== undefined && !ends.has(id) && !passed.has(id)) {
      passed.add(id);
      id = successors.get(id);
    }
    if (id !== undefined && passed.has(id)) {
      const row = formatAssetId(start);
      // The log of changes decides where the chain is broken, if it does.
      found.push({ kind: 'unresolved', table: 'building', row, detail: 'its successors form a circle', remedy: null });
    }
    for (const each of passed) ends.add(each);
  }
  return found;
}

const CHUNK = 10_000;

/** VRF-04: the last assigned number of each prefecture is at least that of its buildings (ID-05). */
export async function checkMinted(db: Db): Promise<Difference[]> {
  const minted = await db.selectFrom('minted').selectAll().execute();
  const lastOf = new Map(minted.map(({ prefecture, last }) => [prefecture, last]));
  const found: Difference[] = [];
  for (const [prefecture, last] of await lastMinted(db)) {
    const stored = lastOf.get(prefecture);
    if (stored !== undefined && stored >= last) continue;
    found.push({
      kind: stored === undefined ? 'missing' : 'differs',
      table: 'minted',
      row: prefecture,
      detail: stored === undefined ? null : 'a building has a higher number',
      remedy: { by: 'numbering' },
    });
  }
  return found;
}

/** The highest number that matching assigned in each prefecture. */
export async function lastMinted(db: Db): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  for (let prefecture = 0; prefecture < PREFECTURES; prefecture++) {
    const row = await db
      .selectFrom('building')
      .select('id')
      .where('id', '>=', prefecture * NUMBERS)
      .where('id', '<', (prefecture + 1) * NUMBERS)
      .where('minted', '=', 1)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) last.set(prefectureOfAsset(row.id), row.id % NUMBERS);
  }
  return last;
}

const PREFECTURES = 100;
const NUMBERS = 100_000_000;
