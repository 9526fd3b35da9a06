import { namesOne, type SourceRecord } from '../observations/source-records.ts';
import { createBuildings, loadBuildings, mintIds } from '../registry/buildings.ts';
import { wasUnmerged } from '../registry/identity.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { changeIdentity } from './change-identity.ts';
import { markRegistersToMatch } from './match-markers.ts';
import { type MatchingRun, reassign } from './matching-run.ts';
import { groupOf } from './pair-footprints.ts';
import { comparePrecedence, placeGroup } from './place-new-buildings.ts';
import { type FootprintSurvey, isInSeveralBuildings, isMovable, surveyFootprints } from './survey-footprints.ts';
import { type BuildingOf, markMoved, publishUnmerged, undoMerges, updateSurvivors } from './undo-merges.ts';

const MERGED_BECAUSE = 'their footprints are one';

interface Change {
  record: SourceRecord;
  building: AssetKey | null;
  reason: SourceRecord['reason'];
}

/**
 * Settles which footprints are one building. Each group of them keeps the building it has; one that
 * has none gets a new one; two buildings that turn out to be one are merged, and parted again when
 * they turn out not to be. What an operator merged, parted, retired or named is left as it is.
 */
export async function matchFootprints(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  const asked: SourceRecord[] = [];
  for (const record of records) if (isMovable(record) && !run.settled.has(record.id)) asked.push(record);
  if (asked.length === 0) return;
  const ground = await surveyFootprints(tx, asked);
  // Those whose building hangs on theirs are asked for in a tile of their own, with all they share it with.
  for (const { id } of asked) run.settled.add(id);
  const changes = new Map<number, Change>();
  const buildingOf: BuildingOf = (record) => {
    const changed = changes.get(record.id);
    return changed === undefined ? record.building : changed.building;
  };
  const change = (record: SourceRecord, building: AssetKey | null, reason: SourceRecord['reason'] = null) =>
    void changes.set(record.id, { record, building, reason });

  for (const record of ground.own) if (ground.parts.has(record.id)) change(record, null, 'ambiguous');
  await partGroups(tx, run, ground, change);
  const homeless: SourceRecord[][] = [];
  for (const group of groupsOf(ground)) {
    const buildings = [...new Set(group.flatMap((record) => buildingOf(record) ?? []))];
    await undoMerges(tx, run, ground, group, buildings, buildingOf);
    await joinBuildings(tx, run, ground, group, buildings);
    if (buildings.length === 0) homeless.push(group);
    for (const record of group) {
      if (buildings.length === 0 || buildingOf(record) !== null) continue;
      const mate = ground.mates.get(record.id)?.find((other) => buildingOf(other) !== null);
      change(record, (mate && buildingOf(mate)) ?? (buildings[0] as AssetKey));
    }
  }
  await assignBuildings(tx, run, homeless, ground, change);
  const alone: SourceRecord[][] = [];
  for (const point of ground.own.filter((record) => isInSeveralBuildings(ground, record))) {
    const joined = await joinHolder(tx, run, ground, point, buildingOf, change);
    if (!joined && buildingOf(point) === null) alone.push([point]);
  }
  await assignBuildings(tx, run, alone, ground, change);
  await reassign(tx, run, [...changes.values()]);
  await publishUnmerged(tx, run);
  const left = [...changes.values()].filter(
    ({ record, building }) => record.building !== null && record.building !== building,
  );
  await markMoved(
    tx,
    run,
    left.map((change) => change.record),
  );
}

/** Footprints that were one building and are not any more: the building stays with the one that shows it. */
async function partGroups(
  tx: Tx,
  run: MatchingRun,
  ground: FootprintSurvey,
  change: (record: SourceRecord, building: null) => void,
): Promise<void> {
  const own = new Set(ground.own);
  for (const [building, all] of ground.sharers) {
    const sharers = all.filter(({ id }) => !ground.parts.has(id));
    if (sharers.length < 2) continue;
    const keepers = sharers.filter(({ claimed }) => namesOne(claimed));
    const unnamed = sharers.filter(({ claimed }) => !namesOne(claimed)).sort(byClaimTo(run));
    const staying = () => new Set(keepers.flatMap((keeper) => groupOf(keeper, ground)).map(({ id }) => id));
    const [first] = unnamed;
    // A building that was created for a footprint stays with it, also when another record is named for it.
    if (first !== undefined && (keepers.length === 0 || (await isMinted(tx, building)))) {
      const named = staying();
      if (!unnamed.some(({ id }) => named.has(id))) keepers.push(first);
    }
    const kept = staying();
    for (const record of unnamed) if (!kept.has(record.id) && own.has(record)) change(record, null);
  }
}

async function isMinted(tx: Tx, building: AssetKey): Promise<boolean> {
  return (await loadBuildings(tx.db, [building])).get(building)?.minted === 1;
}

/** What stood still keeps a building before what moved, else the one whose shape is shown. */
function byClaimTo({ noted }: MatchingRun): (a: SourceRecord, b: SourceRecord) => number {
  const moved = ({ id }: SourceRecord) => (noted.has(id) ? 1 : 0);
  return (a, b) => moved(a) - moved(b) || comparePrecedence(a, b);
}

/** Each footprint with what it is one with, in the order of their keys. */
function groupsOf(ground: FootprintSurvey): SourceRecord[][] {
  const grouped = new Set<number>();
  const groups: SourceRecord[][] = [];
  for (const record of ground.own) {
    if (grouped.has(record.id) || isInSeveralBuildings(ground, record) || ground.parts.has(record.id)) continue;
    const group = groupOf(record, ground);
    for (const { id } of group) grouped.add(id);
    groups.push(group);
  }
  return groups;
}

/** Has the buildings of one group merged, into the one that a record names, else the oldest. */
async function joinBuildings(
  tx: Tx,
  run: MatchingRun,
  { survivors }: FootprintSurvey,
  group: readonly SourceRecord[],
  buildings: readonly AssetKey[],
): Promise<void> {
  const targets = [...new Set(buildings.flatMap((id) => survivors.get(id) ?? []))];
  if (targets.length < 2) return;
  const named = new Set(group.flatMap(({ claimed }) => survivors.get(claimed) ?? []));
  if (named.size > 1) return;
  const [survivor, ...losers] = targets.sort((a, b) => Number(named.has(b)) - Number(named.has(a)) || a - b);
  for (const [loser, { area }] of await loadBuildings(tx.db, losers)) {
    if (await wereUnmerged(tx, loser, survivor as AssetKey)) continue;
    await markRegistersToMatch(tx, area === null ? [] : [area]);
    const merge = { kind: 'merge', building: loser, into: survivor as AssetKey, reason: MERGED_BECAUSE } as const;
    await changeIdentity(tx, merge, { at: run.at, actor: 'matching' });
    run.identities.push({
      change: 'merged',
      building: loser,
      other: survivor as AssetKey,
      reason: MERGED_BECAUSE,
    });
    await markMoved(tx, run, group);
  }
  await updateSurvivors(tx, survivors);
}

async function wereUnmerged(tx: Tx, a: AssetKey, b: AssetKey): Promise<boolean> {
  return (await wasUnmerged(tx, a, b)) || wasUnmerged(tx, b, a);
}

/** A place in several footprints joins them where they are one building after all. */
async function joinHolder(
  tx: Tx,
  run: MatchingRun,
  ground: FootprintSurvey,
  point: SourceRecord,
  buildingOf: BuildingOf,
  change: (record: SourceRecord, building: AssetKey) => void,
): Promise<boolean> {
  const { survivors, holders } = ground;
  const around = (holders.get(point.id) ?? []).flatMap((holder) => buildingOf(holder) ?? []);
  const targets = new Set(around.flatMap((building) => survivors.get(building) ?? []));
  const own = buildingOf(point);
  const isOne = targets.size === 1;
  if (own === null) {
    if (isOne) change(point, around[0] as AssetKey);
    return isOne;
  }
  const buildings = isOne ? [own, ...around] : [own];
  await undoMerges(tx, run, ground, [point], buildings, buildingOf);
  if (isOne) await joinBuildings(tx, run, ground, [point], [own, ...targets]);
  return true;
}

/** Gives each group without a building a new one, where it is known which prefecture it stands in. */
async function assignBuildings(
  tx: Tx,
  run: MatchingRun,
  homeless: readonly SourceRecord[][],
  { survivors }: FootprintSurvey,
  change: (record: SourceRecord, building: AssetKey | null, reason?: SourceRecord['reason']) => void,
): Promise<void> {
  const byPrefecture = new Map<string, SourceRecord[][]>();
  for (const group of homeless) {
    const area = await placeGroup(tx, run.areas, group);
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
    await createBuildings(tx, ids, 'minted');
    for (const id of ids) survivors.set(id, id);
    groups.forEach((group, i) => {
      for (const record of group) change(record, ids[i] as AssetKey);
    });
  }
}
