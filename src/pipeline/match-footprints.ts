import { LIES_IN } from '../matching/find-meetings.ts';
import { pairFootprints } from '../matching/pair-footprints.ts';
import { findSourceRecords, findStatements, NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import { findRecords, type Meeting, meetingsOf, recordsOfBuildings } from '../observations/spots.ts';
import { createBuildings, mintIds } from '../registry/buildings.ts';
import { merge, unmerge, wasMergedByMatching, wasUnmerged } from '../registry/identity.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Position } from '../vocabulary/geometry.ts';
import { GEOMETRY_PRECEDENCE } from '../vocabulary/precedence.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { lieOf } from './lie-of-record.ts';
import { addressesIn } from './load-claims.ts';
import { findSurvivors, type MatchingRun, reassign } from './matching-run.ts';

const MERGED_BECAUSE = 'their footprints are one';
const PARTED_BECAUSE = 'their footprints are no longer one';

interface Change {
  record: SourceRecord;
  building: AssetKey | null;
  reason: SourceRecord['reason'];
}

export function isCreating({ source }: Pick<SourceRecord, 'source'>): boolean {
  return CREATING_SOURCES.has(source as Source);
}

/**
 * Settles which footprints are one building. Each group of them keeps the building it has; one that
 * has none gets a new one; two buildings that turn out to be one are merged, and parted again when
 * they turn out not to be. What an operator merged, parted or named is left as it is.
 */
export async function matchFootprints(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  const own: SourceRecord[] = [];
  for (const record of records) {
    if (!isCreating(record) || record.claimed !== NAMES_NONE || run.settled.has(record.id)) continue;
    if (record.reason === 'ambiguous' && (await isNamedForSeveral(tx, record))) continue;
    own.push(record);
  }
  if (own.length === 0) return;
  const ground = await survey(tx, own);
  const changes = new Map<number, Change>();
  const buildingOf = (record: SourceRecord) => (changes.get(record.id) ?? record).building;
  const change = (record: SourceRecord, building: AssetKey | null, reason: SourceRecord['reason'] = null) =>
    void changes.set(record.id, { record, building, reason });

  partGroups(ground, change);
  const homeless: SourceRecord[][] = [];
  const groups = groupsOf(own, ground);
  for (const group of groups) {
    for (const record of group) run.settled.add(record.id);
    const buildings = [...new Set(group.flatMap((record) => buildingOf(record) ?? []))];
    await partBuildings(tx, run, ground, group, buildings);
    const targets = [...new Set(buildings.flatMap((id) => ground.survivors.get(id) ?? []))].sort((a, b) => a - b);
    const [target, another] = targets;
    if (target === undefined) homeless.push(group);
    else if (another === undefined) {
      for (const record of group) if (buildingOf(record) === null) change(record, target);
    } else await joinBuildings(tx, run, group, target, another);
  }
  const isPoint = ([record]: SourceRecord[]) => record !== undefined && ground.points.has(record.id);
  await house(
    tx,
    run,
    homeless.filter((group) => !isPoint(group)),
    ground,
    change,
  );
  const points = groups.filter(isPoint).flat();
  const alone: SourceRecord[][] = [];
  for (const point of points) {
    const joined = await joinHolder(tx, run, ground, point, buildingOf, change);
    if (!joined && buildingOf(point) === null) alone.push([point]);
  }
  await house(tx, run, alone, ground, change);
  await reassign(tx, run, [...changes.values()]);
}

async function isNamedForSeveral(tx: Tx, { key }: SourceRecord): Promise<boolean> {
  return ((await findSourceRecords(tx, [key])).get(key) ?? []).length > 2;
}

/** What has to be known of some footprints, those they meet, and those they share a building with. */
interface Ground {
  rows: Map<number, SourceRecord>;
  pairs: Map<number, number>;
  meetings: Meeting[];
  survivors: Map<AssetKey, AssetKey>;
  /** Those that are places without a shape, in the footprint of another source. */
  points: Set<number>;
  /** Of each building the footprints that speak of it directly. */
  sharers: Map<AssetKey, SourceRecord[]>;
}

async function survey(tx: Tx, own: readonly SourceRecord[]): Promise<Ground> {
  const rows = new Map(own.map((record) => [record.id, record]));
  const buildings = [...new Set(own.flatMap((record) => record.building ?? []))];
  const sharers = new Map<AssetKey, SourceRecord[]>();
  for (const record of (await recordsOfBuildings(tx.db, buildings)).filter(isCreating)) {
    rows.set(record.id, rows.get(record.id) ?? record);
    const building = record.building as AssetKey;
    sharers.set(building, [...(sharers.get(building) ?? []), rows.get(record.id) as SourceRecord]);
  }
  // Two steps out: whether two are each other's best needs all that either meets.
  const meetings = await meetingsOf(tx.db, [...rows.keys()]);
  const partners = await findNew(tx, rows, meetings);
  const further = await meetingsOf(tx.db, partners);
  await findNew(tx, rows, further);
  const all = [...meetings, ...further];
  const survivors = await findSurvivors(
    tx.db,
    [...rows.values()].flatMap((record) => record.building ?? []),
  );
  const isStanding = (id: number) => {
    const record = rows.get(id);
    if (record === undefined || !isCreating(record)) return false;
    return record.building === null || survivors.has(record.building);
  };
  const keyOf = (id: number) => rows.get(id)?.key ?? '';
  const between = all.filter(
    ({ record, other, overlap }) => overlap > LIES_IN && isStanding(record) && isStanding(other),
  );
  const points = new Set(all.flatMap(({ record, overlap }) => (overlap === LIES_IN ? record : [])));
  return { rows, pairs: pairFootprints(between, keyOf), meetings: all, points, survivors, sharers };
}

async function findNew(tx: Tx, rows: Map<number, SourceRecord>, meetings: readonly Meeting[]): Promise<number[]> {
  const ids = [...new Set(meetings.map((meeting) => meeting.other))].filter((id) => !rows.has(id));
  const found = await findRecords(tx.db, ids);
  for (const [id, record] of found) rows.set(id, record);
  return [...found.values()].filter(isCreating).map((record) => record.id);
}

/** Footprints that were one building and are not any more: the building stays with the one that shows it. */
function partGroups(ground: Ground, change: (record: SourceRecord, building: null) => void): void {
  for (const sharers of ground.sharers.values()) {
    if (sharers.length < 2) continue;
    const [keeper] = [...sharers].sort(byClaimToBuilding);
    for (const record of sharers) {
      const stays = record === keeper || ground.pairs.get(record.id) === keeper?.id;
      if (!stays && record.claimed === NAMES_NONE && !ground.points.has(record.id)) change(record, null);
    }
  }
}

function byClaimToBuilding(a: SourceRecord, b: SourceRecord): number {
  const rank = ({ claimed, source }: SourceRecord) =>
    claimed !== NAMES_NONE ? -1 : GEOMETRY_PRECEDENCE.indexOf(source as Source);
  return rank(a) - rank(b) || a.id - b.id;
}

/** Each footprint with the one that it is, in the order of their keys. */
function groupsOf(own: readonly SourceRecord[], { rows, pairs }: Ground): SourceRecord[][] {
  const grouped = new Set<number>();
  const groups: SourceRecord[][] = [];
  for (const record of own) {
    if (grouped.has(record.id)) continue;
    const partner = rows.get(pairs.get(record.id) ?? -1);
    const group = partner === undefined ? [record] : [record, partner];
    for (const { id } of group) grouped.add(id);
    groups.push(group);
  }
  return groups;
}

/** Takes back a merge that matching made, where the footprints that were its reason are no longer one. */
async function partBuildings(
  tx: Tx,
  run: MatchingRun,
  { survivors }: Ground,
  group: readonly SourceRecord[],
  buildings: readonly AssetKey[],
): Promise<void> {
  for (const building of buildings) {
    const survivor = survivors.get(building);
    if (survivor === undefined || survivor === building) continue;
    const isStillOne = group.some((record) => {
      const other = record.building;
      return other !== null && other !== building && survivors.get(other) === survivor;
    });
    if (isStillOne || !(await wasMergedByMatching(tx, building))) continue;
    await unmerge(tx, building, PARTED_BECAUSE, run.at, 'matching');
    run.identities.push({ change: 'parted', building, other: survivor, reason: PARTED_BECAUSE });
    survivors.set(building, building);
    for (const record of group) run.moved.add(record.id);
  }
}

async function joinBuildings(
  tx: Tx,
  run: MatchingRun,
  group: readonly SourceRecord[],
  older: AssetKey,
  younger: AssetKey,
): Promise<void> {
  const pinned = new Set(group.flatMap(({ claimed }) => (claimed === NAMES_NONE ? [] : claimed)));
  if (pinned.size > 1) return;
  const [loser, survivor] = pinned.has(younger) ? [older, younger] : [younger, older];
  if ((await wasUnmerged(tx, loser, survivor)) || (await wasUnmerged(tx, survivor, loser))) return;
  await mergeMatched(tx, run, loser, survivor);
  for (const record of group) run.moved.add(record.id);
}

async function mergeMatched(tx: Tx, run: MatchingRun, loser: AssetKey, survivor: AssetKey): Promise<void> {
  await merge(tx, loser, survivor, MERGED_BECAUSE, run.at, 'matching');
  run.identities.push({ change: 'merged', building: loser, other: survivor, reason: MERGED_BECAUSE });
}

/** A place without a shape, such as the centre of an object, joins the one building in whose footprint it lies. */
async function joinHolder(
  tx: Tx,
  run: MatchingRun,
  { rows, meetings, survivors }: Ground,
  point: SourceRecord,
  buildingOf: (record: SourceRecord) => AssetKey | null,
  change: (record: SourceRecord, building: AssetKey) => void,
): Promise<boolean> {
  const holders = meetings.filter(({ record, overlap }) => record === point.id && overlap === LIES_IN);
  const targets = new Set(
    holders.flatMap(({ other }) => {
      const holder = rows.get(other);
      return survivors.get((holder && buildingOf(holder)) ?? -1) ?? [];
    }),
  );
  const [target] = targets;
  if (targets.size !== 1 || target === undefined) return false;
  const own = survivors.get(buildingOf(point) ?? -1);
  if (own === undefined) change(point, target);
  else if (own !== target && !(await wasUnmerged(tx, own, target))) {
    await mergeMatched(tx, run, own, target);
    run.moved.add(point.id);
  }
  return true;
}

/** Gives each group without a building a new one, where it is known which prefecture it stands in. */
async function house(
  tx: Tx,
  run: MatchingRun,
  homeless: readonly SourceRecord[][],
  { survivors }: Ground,
  change: (record: SourceRecord, building: AssetKey | null, reason?: SourceRecord['reason']) => void,
): Promise<void> {
  const byPrefecture = new Map<string, SourceRecord[][]>();
  for (const group of homeless) {
    const area = await placeOf(tx, run, group);
    if (area === undefined) for (const record of group) change(record, null, 'unplaced');
    else {
      const prefecture = area.slice(0, 2);
      const groups = byPrefecture.get(prefecture);
      if (groups === undefined) byPrefecture.set(prefecture, [group]);
      else groups.push(group);
    }
  }
  for (const [prefecture, groups] of byPrefecture) {
    const ids = await mintIds(tx, prefecture, groups.length);
    await createBuildings(tx, ids);
    for (const id of ids) survivors.set(id, id);
    groups.forEach((group, i) => {
      for (const record of group) change(record, ids[i] as AssetKey);
    });
  }
}

/** Where a new building would stand; the shape that it would show comes first. */
async function placeOf(tx: Tx, { areas }: MatchingRun, group: readonly SourceRecord[]): Promise<string | undefined> {
  const members = [...group].sort(byClaimToBuilding);
  for (const { area } of members) if (area !== null && areas.get(area)?.level === 'machiAza') return area;
  for (const record of members) {
    const point: Position | null = record.lat === null || record.lon === null ? null : [record.lon, record.lat];
    const located = point === null ? undefined : await areas.locate(tx.db, point);
    if (located !== undefined) return located;
  }
  for (const record of members) {
    const said = await findStatements(tx.db, [record.id]);
    const place = await areas.findPlace(tx.db, lieOf(record, said).point, addressesIn(record, said));
    if (place !== undefined) return place;
  }
  return undefined;
}
