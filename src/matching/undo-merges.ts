import { NAMES_NONE, type SourceRecord } from '../observations/source-records.ts';
import { findMembers } from '../registry/buildings.ts';
import { findSurvivors, mergesByMatching } from '../registry/identity.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { changeIdentity } from './change-identity.ts';
import { markRecordsToMatch } from './match-markers.ts';
import type { MatchingRun } from './matching-run.ts';
import { recordsOfBuildings } from './queries.ts';
import { type FootprintSurvey, isCreating, isInSeveralBuildings, surveyFootprints } from './survey-footprints.ts';

const UNMERGE_REASON = 'their footprints no longer match';

/** The building of a record, including decisions of this run. */
export type BuildingOf = (record: SourceRecord) => AssetKey | null;

/**
 * Undoes merges by matching whose footprints no longer match. What an operator merged stays together: it leaves as a
 * whole what matching merged it with.
 */
export async function undoMerges(
  tx: Tx,
  run: MatchingRun,
  { survivors }: FootprintSurvey,
  group: readonly SourceRecord[],
  buildings: readonly AssetKey[],
  buildingOf: BuildingOf,
): Promise<void> {
  for (const building of buildings) {
    const survivor = survivors.get(building);
    if (survivor === undefined || survivor === building) continue;
    for (const merged of await mergesByMatching(tx, building)) {
      const members = new Set((await findMembers(tx.db, [merged])).keys());
      if (buildings.some((other) => !members.has(other) && survivors.get(other) === survivor)) continue;
      if (await stillMatches(tx, members, survivor, buildingOf)) continue;
      const change = { kind: 'unmerge', building: merged, reason: UNMERGE_REASON } as const;
      await changeIdentity(tx, change, { at: run.at, actor: 'matching', publish: 'later' });
      run.unmerged.push(merged, survivor);
      run.identities.push({ change: 'parted', building: merged, other: survivor, reason: UNMERGE_REASON });
      await updateSurvivors(tx, survivors);
      await markMoved(tx, run, group);
      break;
    }
  }
}

/** Publishes unmerged buildings in the transaction that unmerged them, so that their IDs never lead nowhere. */
export async function publishUnmerged(tx: Tx, run: MatchingRun): Promise<void> {
  const parted = [...new Set(run.unmerged.splice(0))];
  if (parted.length > 0) await run.publish(tx, run.areas, parted, run.at);
}

/** Whether a footprint of these buildings still matches a footprint of another building with the same survivor. */
async function stillMatches(
  tx: Tx,
  members: ReadonlySet<AssetKey>,
  survivor: AssetKey,
  buildingOf: BuildingOf,
): Promise<boolean> {
  const footprints = (await recordsOfBuildings(tx.db, [...members])).filter(isCreating);
  const records = footprints.filter((record) => members.has(buildingOf(record) ?? NAMES_NONE));
  const survey = await surveyFootprints(tx, records);
  const { sameBuilding, containers, survivors } = survey;
  return records.some((record) => {
    const isSplit = isInSeveralBuildings(survey, record);
    const matches = (isSplit ? containers : sameBuilding).get(record.id) ?? [];
    const buildings = matches.flatMap((match) => buildingOf(match) ?? []);
    const isOfSurvivor = (building: AssetKey) => survivors.get(building) === survivor;
    // A point in several footprints belongs to none of them unless they are all one building.
    if (isSplit && !buildings.every(isOfSurvivor)) return false;
    return buildings.some((building) => !members.has(building) && isOfSurvivor(building));
  });
}

/** Also stores a marker, so that dependent records are matched again if the run is interrupted. */
export async function markMoved(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  for (const { id } of records) run.moved.add(id);
  await markRecordsToMatch(
    tx,
    records.map((record) => record.id),
  );
}

/** Refreshes the survivors after a change. */
export async function updateSurvivors(tx: Tx, survivors: Map<AssetKey, AssetKey>): Promise<void> {
  for (const [id, survivor] of await findSurvivors(tx.db, [...survivors.keys()])) survivors.set(id, survivor);
}
