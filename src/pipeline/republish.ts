import { changedFields } from '../consolidation/changed-fields.ts';
import { consolidate } from '../consolidation/consolidate.ts';
import { loadEvidence } from '../observations/source-records.ts';
import { Areas } from '../registry/areas.ts';
import { type Building, findBuildings, findMembers } from '../registry/buildings.ts';
import {
  clearStale,
  countStale,
  type Decision,
  findCurrentVersions,
  markAllStale,
  publish,
  takeStale,
  unpublish,
} from '../registry/publish.ts';
import { refreshPages } from '../registry/refresh-pages.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import type { Canonical } from '../vocabulary/canonical.ts';
import type { RecordEvidence } from '../vocabulary/evidence.ts';
import { asWriter, type Context } from './context.ts';

const BUILDINGS_PER_TRANSACTION = 500;

/** `republish`: whatever is stale, or with `all` every building, from what is stored. */
export function republish(context: Context, all: boolean): Promise<{ consolidated: number; pages: number }> {
  return asWriter(context, async () => {
    if (all) await context.storage.transaction(markAllStale);
    return republishStale(context);
  });
}

/** Consolidates every stale building and makes the pages around it true again. Safe to cut short and run again. */
export async function republishStale(context: Context): Promise<{ consolidated: number; pages: number }> {
  const { storage, report } = context;
  const areas = await Areas.load(storage.db);
  const stale = await countStale(storage.db);
  report.stage('consolidating');
  let consolidated = 0;
  for (;;) {
    const done = await storage.transaction((tx) => consolidateSome(tx, areas, context.now()));
    if (done === 0) break;
    consolidated += done;
    report.progress(consolidated, stale);
  }
  report.stage('publishing');
  const pages = await refreshPages(storage, areas, (done, of) => report.progress(done, of));
  return { consolidated, pages };
}

async function consolidateSome(tx: Tx, areas: Areas, now: string): Promise<number> {
  const ids = await takeStale(tx, BUILDINGS_PER_TRANSACTION);
  if (ids.length === 0) return 0;
  const buildings = [...(await findBuildings(tx, ids)).values()];
  const live = buildings.filter((building) => building.state === 'live');
  const evidence = await evidenceOf(tx, live);
  const spokenOf = live.filter((building) => evidence.has(building.id));
  const currents = await findCurrentVersions(
    tx,
    spokenOf.filter((b) => b.version > 0).map((b) => b.id),
  );

  const decisions: Decision[] = [];
  for (const building of spokenOf) {
    const canonical = consolidate(building.id, evidence.get(building.id) ?? []);
    const current = currents.get(building.id);
    const changed = changedFields(current?.decode(), canonical);
    decisions.push({ building, canonical, area: await placeOf(tx, areas, canonical), current, changed });
  }
  await publish(tx, decisions, now);
  await unpublish(
    tx,
    buildings.filter((building) => !spokenOf.includes(building)),
  );
  await clearStale(tx, ids);
  return ids.length;
}

/** A building's evidence is its own and that of every building merged into it. */
async function evidenceOf(tx: Tx, live: readonly Building[]): Promise<Map<AssetKey, RecordEvidence[]>> {
  const survivorOf = await findMembers(
    tx,
    live.map((building) => building.id),
  );
  const byMember = await loadEvidence(tx, [...survivorOf.keys()]);
  const evidence = new Map<AssetKey, RecordEvidence[]>();
  for (const [member, records] of byMember) {
    const survivor = survivorOf.get(member) as AssetKey;
    evidence.set(survivor, [...(evidence.get(survivor) ?? []), ...records]);
  }
  return evidence;
}

/** The machi-aza its sources name, else the one whose boundary holds it, else none yet. */
async function placeOf(tx: Tx, areas: Areas, { areas: named, point }: Canonical): Promise<string | null> {
  const known = named.find((code) => areas.get(code)?.level === 'machiAza');
  if (known !== undefined) return known;
  return (point && (await areas.locate(tx.db, point))) ?? null;
}
