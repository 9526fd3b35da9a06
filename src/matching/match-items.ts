import type { CurrentClaims } from '../consolidation/current-claims.ts';
import { NAMES_NONE, recordIdOf, recordKey, type SourceRecord } from '../observations/source-records.ts';
import { findMembers, markBuildingsStale } from '../registry/buildings.ts';
import type { Db, Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { loadClaims, textsOf } from './load-claims.ts';
import { buildingsContaining, buildingsOfNamedObjects, toBuildings } from './match-points.ts';
import { type MatchingRun, reassign, reassignAttached, sameBuildings } from './matching-run.ts';
import {
  findRecords,
  inheritingBuildings,
  inheritingByRecord,
  linksFrom,
  linksTo,
  recordsByKey,
  recordsOfBuildings,
  setInheriting,
} from './queries.ts';
import { matchItem } from './rules.ts';

/**
 * Sources whose names are compared with those of an item. Names from registers are not used, because registers are
 * matched themselves.
 */
const NAMING_SOURCES = ['osm', 'plateau'];

/**
 * Assigns Wikidata items to the buildings they describe, and items of complexes to the buildings that inherit from
 * them.
 */
export async function matchItems(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  const items = records.filter(({ source, claimed }) => claimed === NAMES_NONE && source === 'wikidata');
  if (items.length === 0) return;
  const claims = await loadClaims(tx.db, items);
  const isComplex = (item: SourceRecord) => describesComplex(item, claims.get(item.id));
  const others = items.filter((item) => !isComplex(item));
  await endInheritance(tx, others);
  await assignItems(tx, run, others);
  await assignComplexes(tx, run, items.filter(isComplex));
}

/** Whether buildings inherit from a record (CON-12). */
function describesComplex({ source, claimed }: SourceRecord, claims: CurrentClaims | undefined): boolean {
  if (source !== 'wikidata' || claimed !== NAMES_NONE) return false;
  return claims?.claims.some((claim) => claim.complex !== null) ?? false;
}

/** An item that no longer describes a complex passes nothing on. */
async function endInheritance(tx: Tx, items: readonly SourceRecord[]): Promise<void> {
  const lent = await inheritingByRecord(
    tx.db,
    items.map(({ id }) => id),
  );
  for (const [record, buildings] of lent) {
    await setInheriting(tx, record, []);
    await markBuildingsStale(tx, buildings);
  }
}

async function assignItems(tx: Tx, run: MatchingRun, items: readonly SourceRecord[]): Promise<void> {
  const { db } = tx;
  const ids = items.map((item) => item.id);
  const tagged = await buildingsTaggedWith(db, items);
  const named = await buildingsOfNamedObjects(db, ids);
  const around = await buildingsContaining(db, ids);
  const claims = await loadClaims(db, items);
  const names = await namesOfBuildings(db, [...new Set([...around.values()].flat())]);
  await reassignAttached(
    tx,
    run,
    items.map((record) => {
      const own = claims.get(record.id);
      const verdict = matchItem({
        tagged: tagged.get(record.id) ?? [],
        named: named.get(record.id) ?? [],
        around: (around.get(record.id) ?? []).map((building) => ({ building, names: names.get(building) ?? [] })),
        names: own === undefined ? [] : textsOf(own, 'nameJa', 'nameEn', 'aliases'),
      });
      return 'building' in verdict
        ? { record, building: verdict.building, reason: null }
        : { record, building: null, reason: verdict.reason };
    }),
  );
}

/** The buildings whose OSM object is tagged with an item. */
async function buildingsTaggedWith(db: Db, items: readonly SourceRecord[]): Promise<Map<number, AssetKey[]>> {
  const byName = new Map(items.map((item) => [item.key, item.id]));
  const links = await linksTo(db, [...byName.keys()]);
  const holders = await findRecords(
    db,
    links.map((link) => link.record),
  );
  return toBuildings(
    db,
    links.flatMap(({ name, record }) => {
      const holder = holders.get(record);
      return holder?.source === 'osm' ? [{ record: byName.get(name) as number, holder }] : [];
    }),
  );
}

async function namesOfBuildings(db: Db, buildings: readonly AssetKey[]): Promise<Map<AssetKey, string[]>> {
  const survivorOf = await findMembers(db, buildings);
  const records = (await recordsOfBuildings(db, [...survivorOf.keys()])).filter(({ source }) =>
    NAMING_SOURCES.includes(source),
  );
  const claims = await loadClaims(db, records);
  const names = new Map<AssetKey, string[]>();
  for (const record of records) {
    const own = claims.get(record.id);
    const building = survivorOf.get(record.building as AssetKey) as AssetKey;
    if (own === undefined) continue;
    names.set(building, [...(names.get(building) ?? []), ...textsOf(own, 'nameJa', 'nameEn', 'aliases')]);
  }
  return names;
}

async function assignComplexes(tx: Tx, run: MatchingRun, complexes: readonly SourceRecord[]): Promise<void> {
  for (const complex of complexes) {
    const buildings = await buildingsOfComplex(tx.db, complex);
    const before = await inheritingBuildings(tx.db, complex.id);
    const inheriting = await keepFormer(tx.db, before, buildings);
    if (before.join() !== inheriting.join()) {
      await setInheriting(tx, complex.id, inheriting);
      await markBuildingsStale(tx, [...before, ...inheriting]);
    }
    const reason = buildings.length === 0 ? ('unmatched' as const) : null;
    await reassign(tx, run, [{ record: complex, building: null, reason }]);
  }
}

/** CON-12: buildings tagged with the complex, buildings whose items are part of it, and those it lists. */
async function buildingsOfComplex(db: Db, complex: SourceRecord): Promise<AssetKey[]> {
  const item = recordIdOf(complex.key);
  const tagged = (await buildingsTaggedWith(db, [complex])).get(complex.id) ?? [];
  const parts = await linksTo(db, [`complex:${item}`]);
  const partRows = await findRecords(
    db,
    parts.map((link) => link.record),
  );
  const members = (await linksFrom(db, [complex.id])).flatMap(({ name }) =>
    name.startsWith('member:') ? [recordKey('wikidata', name.slice('member:'.length))] : [],
  );
  const memberRows = await recordsByKey(db, members);
  const holders = [...partRows.values(), ...memberRows].map((holder) => ({ record: complex.id, holder }));
  const related = (await toBuildings(db, holders)).get(complex.id) ?? [];
  return [...new Set([...tagged, ...related])].sort((a, b) => a - b);
}

/** The buildings that inherit from a record, given those that are stored. */
export async function inheritingFrom(
  db: Db,
  record: SourceRecord,
  claims: CurrentClaims,
  stored: readonly AssetKey[],
): Promise<AssetKey[]> {
  return describesComplex(record, claims) ? keepFormer(db, stored, await buildingsOfComplex(db, record)) : [];
}

/** REF-06: a building that inherits and was merged or retired stays in place of its survivor, or of none. */
async function keepFormer(db: Db, before: readonly AssetKey[], now: readonly AssetKey[]): Promise<AssetKey[]> {
  const left = before.filter((building) => !now.includes(building));
  if (left.length === 0) return [...now];
  const isSame = await sameBuildings(db, left);
  if (now.length === 0) return left.filter((building) => isSame(building, null));
  return now
    .map((building) =>
      before.includes(building) ? building : (left.find((each) => isSame(each, building)) ?? building),
    )
    .sort((a, b) => a - b);
}
