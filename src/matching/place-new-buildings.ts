import { namesOne, type SourceRecord } from '../observations/source-records.ts';
import type { Areas } from '../registry/areas.ts';
import { findUnpublished, setAreas } from '../registry/buildings.ts';
import { placeBuilding } from '../registry/place-building.ts';
import type { Storage, Tx } from '../storage/storage.ts';
import { type AssetKey, prefectureOfAsset } from '../vocabulary/asset-id.ts';
import type { Position } from '../vocabulary/geometry.ts';
import { GEOMETRY_PRECEDENCE } from '../vocabulary/precedence.ts';
import type { Source } from '../vocabulary/sources.ts';
import { loadClaims, textsOf } from './load-claims.ts';
import { markRegistersToMatch } from './match-markers.ts';
import { areasWithRegisters, recordsOfBuildings } from './queries.ts';
import { isCreating } from './survey-footprints.ts';

const BUILDINGS_PER_TRANSACTION = 1_000;

/**
 * Places new buildings before they are first published, where registers may match them: the registers then are part of
 * the first version instead of causing a second one.
 */
export async function placeNewBuildings(storage: Storage, areas: Areas): Promise<void> {
  const registered = await areasWithRegisters(storage.db);
  if (registered.size === 0) return;
  for (let after = -1; ; ) {
    const ids = await findUnpublished(storage.db, after, BUILDINGS_PER_TRANSACTION);
    if (ids.length === 0) return;
    await storage.transaction((tx) => placeSome(tx, areas, ids, registered));
    after = ids.at(-1) ?? after;
  }
}

async function placeSome(
  tx: Tx,
  areas: Areas,
  ids: readonly AssetKey[],
  registered: ReadonlySet<string>,
): Promise<void> {
  const groups = new Map<AssetKey, SourceRecord[]>();
  for (const record of (await recordsOfBuildings(tx.db, ids)).filter(isCreating)) {
    const building = record.building as AssetKey;
    const known = groups.get(building);
    if (known === undefined) groups.set(building, [record]);
    else known.push(record);
  }
  const placed = new Map<AssetKey, string>();
  for (const [building, records] of groups) {
    const area = await placeGroup(tx, areas, records, prefectureOfAsset(building));
    if (area !== undefined && registered.has(area)) placed.set(building, area);
  }
  await setAreas(tx, placed);
  await markRegistersToMatch(tx, placed.values());
}

/**
 * The machi-aza of a new building, within the prefecture of its ID if it has one. The shape that is published comes
 * first.
 */
export async function placeGroup(
  tx: Tx,
  areas: Areas,
  group: readonly SourceRecord[],
  prefecture?: string,
): Promise<string | undefined> {
  const members = [...group].sort(comparePrecedence);
  const place = await placeBuilding(tx.db, areas, {
    named: members.flatMap(({ area }) => area ?? []),
    points: members.flatMap(({ lat, lon }): Position[] => (lat === null || lon === null ? [] : [[lon, lat]])),
    loadStatements: async () => {
      const claims = await loadClaims(tx.db, members);
      const said = members.flatMap(({ id }) => claims.get(id) ?? []);
      return {
        hinted: [],
        municipalities: said.flatMap(({ municipality }) => municipality ?? []),
        addresses: said.flatMap((record) => textsOf(record, 'addressJa')),
      };
    },
    prefecture,
  });
  return place?.area;
}

/** Records that name their building first, then by geometry precedence. */
export function comparePrecedence(a: SourceRecord, b: SourceRecord): number {
  const rank = ({ claimed, source }: SourceRecord) =>
    namesOne(claimed) ? -1 : GEOMETRY_PRECEDENCE.indexOf(source as Source);
  return rank(a) - rank(b) || a.id - b.id;
}
