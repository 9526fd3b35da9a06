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

const PARTED_BECAUSE = 'their footprints are no longer one';

/** The building that a record is about, by what is decided already. */
export type BuildingOf = (record: SourceRecord) => AssetKey | null;

/**
 * Takes back merges that matching made, where the footprints that were their reason are no longer one. What an
 * operator merged stays together: it parts as a whole from what matching merged it with.
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
      if (await isHeldTogether(tx, members, survivor, buildingOf)) continue;
      const change = { kind: 'unmerge', building: merged, reason: PARTED_BECAUSE } as const;
      await changeIdentity(tx, change, { at: run.at, actor: 'matching', publish: 'later' });
      run.parted.push(merged, survivor);
      run.identities.push({ change: 'parted', building: merged, other: survivor, reason: PARTED_BECAUSE });
      await updateSurvivors(tx, survivors);
      await markMoved(tx, run, group);
      break;
    }
  }
}

/** Buildings whose IDs lead to themselves again have a record in the same transaction. */
export async function publishUnmerged(tx: Tx, run: MatchingRun): Promise<void> {
  const parted = [...new Set(run.parted.splice(0))];
  if (parted.length > 0) await run.publish(tx, run.areas, parted, run.at);
}

/** Whether some footprint of these buildings is one with a footprint of the others that have the same survivor. */
async function isHeldTogether(
  tx: Tx,
  members: ReadonlySet<AssetKey>,
  survivor: AssetKey,
  buildingOf: BuildingOf,
): Promise<boolean> {
  const speaking = (await recordsOfBuildings(tx.db, [...members])).filter(isCreating);
  const records = speaking.filter((record) => members.has(buildingOf(record) ?? NAMES_NONE));
  const ground = await surveyFootprints(tx, records);
  const { mates, holders, survivors } = ground;
  return records.some((record) => {
    const others = isInSeveralBuildings(ground, record) ? holders.get(record.id) : mates.get(record.id);
    return others?.some((other) => {
      const building = buildingOf(other);
      return building !== null && !members.has(building) && survivors.get(building) === survivor;
    });
  });
}

/** Noted as well, so that what hangs on these is looked at also where the run is cut short and done again. */
export async function markMoved(tx: Tx, run: MatchingRun, records: readonly SourceRecord[]): Promise<void> {
  for (const { id } of records) run.moved.add(id);
  await markRecordsToMatch(
    tx,
    records.map((record) => record.id),
  );
}

/** Where the IDs of these buildings lead after a change. */
export async function updateSurvivors(tx: Tx, survivors: Map<AssetKey, AssetKey>): Promise<void> {
  for (const [id, survivor] of await findSurvivors(tx.db, [...survivors.keys()])) survivors.set(id, survivor);
}
