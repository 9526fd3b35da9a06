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

const MERGE_REASON = 'their footprints match';

interface Change {
  record: SourceRecord;
  building: AssetKey | null;
  reason: SourceRecord['reason'];
}

/**
 * Decides which footprints are one building. A group keeps the building it has; a group without one gets a new one.
 * Buildings that turn out to be one are merged, and unmerged when they no longer are (ID-04). What an operator merged,
 * unmerged, retired or named stays as it is.
 */
export async function matchFootprints(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  const undecided: SourceRecord[] = [];
  for (const record of records) if (isMovable(record) && !run.decided.has(record.id)) undecided.push(record);
  if (undecided.length === 0) return;
  const survey = await surveyFootprints(tx, undecided);
  // Other footprints of the same buildings are decided in their own tile, together with everything they share a
  // building with.
  for (const { id } of undecided) run.decided.add(id);
  const changes = new Map<number, Change>();
  const buildingOf: BuildingOf = (record) => {
    const changed = changes.get(record.id);
    return changed === undefined ? record.building : changed.building;
  };
  const change = (record: SourceRecord, building: AssetKey | null, reason: SourceRecord['reason'] = null) =>
    void changes.set(record.id, { record, building, reason });

  for (const record of survey.undecided) if (survey.parts.has(record.id)) change(record, null, 'ambiguous');
  await splitBuildings(tx, run, survey, change);
  const unassigned: SourceRecord[][] = [];
  for (const group of groupsOf(survey)) {
    const buildings = [...new Set(group.flatMap((record) => buildingOf(record) ?? []))];
    await undoMerges(tx, run, survey, group, buildings, buildingOf);
    await mergeBuildings(tx, run, survey, group, buildings);
    if (buildings.length === 0) unassigned.push(group);
    for (const record of group) {
      if (buildings.length === 0 || buildingOf(record) !== null) continue;
      const match = survey.sameBuilding.get(record.id)?.find((other) => buildingOf(other) !== null);
      change(record, (match && buildingOf(match)) ?? (buildings[0] as AssetKey));
    }
  }
  await assignBuildings(tx, run, unassigned, survey, change);
  const unassignedPoints: SourceRecord[][] = [];
  for (const point of survey.undecided.filter((record) => isInSeveralBuildings(survey, record))) {
    const joined = await joinContainer(tx, run, survey, point, buildingOf, change);
    if (!joined && buildingOf(point) === null) unassignedPoints.push([point]);
  }
  await assignBuildings(tx, run, unassignedPoints, survey, change);
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

/**
 * When the footprints of a building no longer match each other, the building stays with the one whose shape it shows.
 */
async function splitBuildings(
  tx: Tx,
  run: MatchingRun,
  survey: FootprintSurvey,
  change: (record: SourceRecord, building: null) => void,
): Promise<void> {
  const own = new Set(survey.undecided);
  for (const [building, all] of survey.footprintsOf) {
    const footprints = all.filter(({ id }) => !survey.parts.has(id));
    if (footprints.length < 2) continue;
    const keepers = footprints.filter(({ claimed }) => namesOne(claimed));
    const unnamed = footprints.filter(({ claimed }) => !namesOne(claimed)).sort(compareClaims(run));
    const staying = () => new Set(keepers.flatMap((keeper) => groupOf(keeper, survey)).map(({ id }) => id));
    const [first] = unnamed;
    // A building created for a footprint stays with it, even if another record is named for it.
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

/** A record that did not change keeps the building before one that did; then source precedence decides. */
function compareClaims({ changed }: MatchingRun): (a: SourceRecord, b: SourceRecord) => number {
  const rank = ({ id }: SourceRecord) => (changed.has(id) ? 1 : 0);
  return (a, b) => rank(a) - rank(b) || comparePrecedence(a, b);
}

/** Groups of matching footprints, in key order. */
function groupsOf(survey: FootprintSurvey): SourceRecord[][] {
  const grouped = new Set<number>();
  const groups: SourceRecord[][] = [];
  for (const record of survey.undecided) {
    if (grouped.has(record.id) || isInSeveralBuildings(survey, record) || survey.parts.has(record.id)) continue;
    const group = groupOf(record, survey);
    for (const { id } of group) grouped.add(id);
    groups.push(group);
  }
  return groups;
}

/** Merges the buildings of one group into the one that a record names, otherwise into the oldest. */
async function mergeBuildings(
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
    const merge = { kind: 'merge', building: loser, into: survivor as AssetKey, reason: MERGE_REASON } as const;
    await changeIdentity(tx, merge, { at: run.at, actor: 'matching' });
    run.identities.push({
      change: 'merged',
      building: loser,
      other: survivor as AssetKey,
      reason: MERGE_REASON,
    });
    await markMoved(tx, run, group);
  }
  await updateSurvivors(tx, survivors);
}

async function wereUnmerged(tx: Tx, a: AssetKey, b: AssetKey): Promise<boolean> {
  return (await wasUnmerged(tx, a, b)) || wasUnmerged(tx, b, a);
}

/** A point in several footprints joins them if they are one building. */
async function joinContainer(
  tx: Tx,
  run: MatchingRun,
  survey: FootprintSurvey,
  point: SourceRecord,
  buildingOf: BuildingOf,
  change: (record: SourceRecord, building: AssetKey) => void,
): Promise<boolean> {
  const { survivors, containers } = survey;
  const containing = (containers.get(point.id) ?? []).flatMap((container) => buildingOf(container) ?? []);
  const targets = new Set(containing.flatMap((building) => survivors.get(building) ?? []));
  const own = buildingOf(point);
  const isOne = targets.size === 1;
  if (own === null) {
    if (isOne) change(point, containing[0] as AssetKey);
    return isOne;
  }
  const buildings = isOne ? [own, ...containing] : [own];
  await undoMerges(tx, run, survey, [point], buildings, buildingOf);
  if (isOne) await mergeBuildings(tx, run, survey, [point], [own, ...targets]);
  return true;
}

/** Creates a building for each group that has none, if its prefecture is known (PLC-02). */
async function assignBuildings(
  tx: Tx,
  run: MatchingRun,
  unassigned: readonly SourceRecord[][],
  { survivors }: FootprintSurvey,
  change: (record: SourceRecord, building: AssetKey | null, reason?: SourceRecord['reason']) => void,
): Promise<void> {
  const byPrefecture = new Map<string, SourceRecord[][]>();
  for (const group of unassigned) {
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
