import type { Reads } from '../storage/storage.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import { normaliseLine } from './search/entry.ts';
import { readRecords } from './search/search.ts';

/** A building that was merged or retired. */
export interface FormerBuilding {
  id: string;
  state: 'merged' | 'retired';
  /** Where its ID leads (ID-04); without a path while that building is not published. */
  survivor: { id: string; path: string | null } | null;
}

/** The ID that is the whole of a query, whatever its case and width. */
export function parseWholeId(q: string): AssetKey | undefined {
  return parseAssetId(normaliseLine(q).toUpperCase());
}

/** What became of a building; undefined where it is live or unknown. */
export async function findFormer(reads: Reads, key: AssetKey): Promise<FormerBuilding | undefined> {
  const building = await findBuilding(reads, key);
  if (building === undefined || building.state === 'live') return undefined;
  const end = await findSurvivor(reads, key);
  const survivor = end === undefined ? null : { id: formatAssetId(end), path: await findPath(reads, end) };
  return { id: formatAssetId(key), state: building.state, survivor };
}

/** The live building at the end of the chain that starts at one, which may be that building itself. */
export async function findSurvivor(reads: Reads, start: AssetKey): Promise<AssetKey | undefined> {
  for (let key: AssetKey | null = start; key !== null; ) {
    const building: Row | undefined = await findBuilding(reads, key);
    if (building === undefined) return undefined;
    if (building.state === 'live') return key;
    key = building.successor;
  }
  return undefined;
}

interface Row {
  state: 'live' | 'merged' | 'retired';
  successor: AssetKey | null;
}

async function findBuilding(reads: Reads, key: AssetKey): Promise<Row | undefined> {
  return (await reads.all<Row>('select state, successor from building where id = ?', [key]))[0];
}

async function findPath(reads: Reads, key: AssetKey): Promise<string | null> {
  const published = 'select building from page where building = ?';
  if ((await reads.all(published, [key])).length === 0) return null;
  const [record] = await readRecords(reads, [key]);
  return (JSON.parse(Buffer.from(record?.body ?? []).toString()) as BuildingPage).path;
}
