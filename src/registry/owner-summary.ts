import { batches, isAmong, listParameter, type Reads } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import { CATEGORIES, type Category } from '../vocabulary/categories.ts';
import { parseBody } from './records.ts';
import { ownerKey } from './search/format/entry.ts';

/** UI-62: what all buildings of an owner come to. */
export interface OwnerSummary {
  /** As the building recorded last spells it. */
  owner: string;
  buildingCount: number;
  latestRecordedAt: string;
  /** A building with two uses counts under both. */
  byUse: Record<Category, number>;
  /** By number of buildings. */
  prefectures: OwnerPrefecture[];
  /** The sum of the known floor areas, how many are known, and how many of these the service computed. */
  floorArea: { totalM2: number; known: number; estimated: number };
  /** The number of buildings per year built, oldest first. */
  byYear: { year: number; count: number }[];
}

interface OwnerPrefecture {
  slug: string;
  nameJa: string;
  nameEn: string | null;
  buildingCount: number;
}

interface OwnedRow {
  building: AssetKey;
  uses: number;
  built: number | null;
  prefecture: string;
}

const BODIES_AT_ONCE = 100;

export async function summariseOwner(reads: Reads, name: string): Promise<OwnerSummary | undefined> {
  const owned = await reads.all<OwnedRow>(
    `select building, uses, built, prefecture from search_entry
      where owner = ? and area is not null order by pos desc`,
    [ownerKey(name)],
  );
  const [latest] = owned;
  if (latest === undefined) return undefined;
  const { owner, latestRecordedAt, floorArea } = await readFigures(reads, owned);
  return {
    owner,
    buildingCount: owned.length,
    latestRecordedAt,
    byUse: Object.fromEntries(
      CATEGORIES.map((category, use) => [category, owned.filter(({ uses }) => uses & (1 << use)).length]),
    ) as Record<Category, number>,
    prefectures: await countPrefectures(reads, owned),
    floorArea,
    byYear: countYears(owned),
  };
}

/** Floor areas are only in the records. */
async function readFigures(reads: Reads, owned: readonly OwnedRow[]) {
  const floorArea = { totalM2: 0, known: 0, estimated: 0 };
  let [owner, latestRecordedAt] = ['', ''];
  for (const batch of batches(owned, BODIES_AT_ONCE)) {
    const ids = batch.map(({ building }) => building);
    const rows = await reads.all<{ building: AssetKey; body: Uint8Array }>(
      `select building, body from page where ${isAmong(reads, 'building')}`,
      [listParameter(reads, ids)],
    );
    for (const { building, body } of rows) {
      const { fields, history } = parseHead(body);
      const { gfaM2 } = fields;
      if (gfaM2 !== undefined) {
        floorArea.totalM2 += Number(gfaM2.value);
        floorArea.known += 1;
        if (gfaM2.estimated) floorArea.estimated += 1;
      }
      if (building === owned[0]?.building) {
        owner = String(fields.ownerPublic?.value);
        latestRecordedAt = history[0]?.recordedAt as string;
      }
    }
  }
  // Sums of decimals would otherwise end in noise such as .3000000004.
  floorArea.totalM2 = Math.round(floorArea.totalM2 * 100) / 100;
  return { owner, latestRecordedAt, floorArea };
}

/** The first part of a stored record lacks the end of its object. */
const parseHead = (body: Uint8Array) =>
  parseBody<Pick<BuildingPage, 'fields' | 'history'>>(Buffer.concat([body, Buffer.from('}')]));

async function countPrefectures(reads: Reads, owned: readonly OwnedRow[]): Promise<OwnerPrefecture[]> {
  const counts = new Map<string, number>();
  for (const { prefecture } of owned) counts.set(prefecture, (counts.get(prefecture) ?? 0) + 1);
  const areas = await reads.all<{ code: string; slug: string; nameJa: string; nameEn: string | null }>(
    `select code, slug, name_ja as "nameJa", name_en as "nameEn" from area where ${isAmong(reads, 'code')}`,
    [listParameter(reads, [...counts.keys()])],
  );
  return areas
    .map(({ code, ...area }) => ({ code, ...area, buildingCount: counts.get(code) as number }))
    .sort((a, b) => b.buildingCount - a.buildingCount || Number(a.code) - Number(b.code))
    .map(({ code: _, ...area }) => area);
}

function countYears(owned: readonly OwnedRow[]): OwnerSummary['byYear'] {
  const counts = new Map<number, number>();
  for (const { built } of owned) if (built !== null) counts.set(built, (counts.get(built) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b).map(([year, count]) => ({ year, count }));
}
