import { expand } from '../storage/compact/compact.ts';
import { batches, isAmong, listAsRows, listParameter, type Reads } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import { CATEGORIES, type Category } from '../vocabulary/categories.ts';
import type { ScalarField } from '../vocabulary/fields.ts';
import { parseBody, readRecords } from './records.ts';
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
  /** The number of buildings per year built, oldest first, and of those with a known floor area. */
  byYear: { year: number; count: number; withFloorArea: number }[];
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
  const [newest] = await readRecords(reads, [latest.building]);
  const { fields, history } = parseBody<BuildingPage>(newest?.body as Uint8Array);
  const { floorArea, withFloorArea } = await readFloorAreas(reads, owned);
  return {
    owner: String(fields.ownerPublic?.value),
    buildingCount: owned.length,
    latestRecordedAt: history[0]?.recordedAt as string,
    byUse: Object.fromEntries(
      CATEGORIES.map((category, use) => [category, owned.filter(({ uses }) => uses & (1 << use)).length]),
    ) as Record<Category, number>,
    prefectures: await countPrefectures(reads, owned),
    floorArea,
    byYear: countYears(owned, withFloorArea),
  };
}

/** Floor areas are only in the records. */
async function readFloorAreas(reads: Reads, owned: readonly OwnedRow[]) {
  const floorArea: OwnerSummary['floorArea'] = { totalM2: 0, known: 0, estimated: 0 };
  const withFloorArea = new Set<AssetKey>();
  for (const batch of batches(owned, BODIES_AT_ONCE)) {
    const rows = await reads.all<{ building: AssetKey; body: Uint8Array }>(
      `select p.building, p.body from ${listAsRows(reads, 'k')} join page p on p.building = k.value`,
      [
        listParameter(
          reads,
          batch.map(({ building }) => building),
        ),
      ],
    );
    for (const { building, body } of rows) {
      const area = parseField(expand(body), 'gfaM2');
      if (area === undefined) continue;
      floorArea.totalM2 += Number(area.value);
      floorArea.known += 1;
      withFloorArea.add(building);
      if (area.estimated) floorArea.estimated += 1;
    }
  }
  // Sums of decimals would otherwise end in noise such as .3000000004.
  floorArea.totalM2 = Math.round(floorArea.totalM2 * 100) / 100;
  return { floorArea, withFloorArea };
}

type FieldOf<F extends ScalarField> = NonNullable<BuildingPage['fields'][F]>;

/**
 * One field of a stored record. Parsing whole records takes most of the time of a large owner. In a string a quote is
 * escaped, so that this text can only be the key.
 */
function parseField<F extends ScalarField>(body: Uint8Array, field: F): FieldOf<F> | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const key = `"${field}":{`;
  const at = bytes.indexOf(key);
  if (at === -1) return undefined;
  const start = at + key.length - 1;
  return JSON.parse(bytes.toString('utf8', start, endOfObject(bytes, start))) as FieldOf<F>;
}

const [QUOTE, BACKSLASH, OPENING, CLOSING] = [0x22, 0x5c, 0x7b, 0x7d];

/** The end of the JSON object that begins at `start`. */
function endOfObject(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let isText = false;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPENING) depth += 1;
    else if (byte === CLOSING && --depth === 0) return i + 1;
  }
  return bytes.length;
}

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

function countYears(owned: readonly OwnedRow[], withFloorArea: ReadonlySet<AssetKey>): OwnerSummary['byYear'] {
  const years = new Map<number, AssetKey[]>();
  for (const { built, building } of owned) {
    if (built === null) continue;
    const buildings = years.get(built) ?? [];
    buildings.push(building);
    years.set(built, buildings);
  }
  return [...years]
    .sort(([a], [b]) => a - b)
    .map(([year, buildings]) => ({
      year,
      count: buildings.length,
      withFloorArea: buildings.filter((building) => withFloorArea.has(building)).length,
    }));
}
