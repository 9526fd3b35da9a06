import { batches, type Db, type Reads, type Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import { type BuildingRow, loadBuildings, markBuildingsStale } from './buildings.ts';
import { readRecords, removePages } from './records.ts';
import { normaliseLine, UNPUBLISHED } from './search/format/entry.ts';
import { changeEntries } from './search/write/change-entries.ts';

/** Who changed an identity: a person or a file of theirs, or the matching of footprints. */
export type Actor = 'operator' | 'matching';

type Refusal = Result<'done' | 'unchanged', FailureOf<'refused'>>;
const refuse = (reason: string) => fail({ kind: 'refused' as const, reason });

/** ID-04: the end of the chain that starts at a building; undefined where it ends in a retired one. */
export async function resolveSurvivor(db: Db, start: AssetKey): Promise<AssetKey | undefined> {
  for (let id: AssetKey | null = start; id !== null; ) {
    const row: Pick<BuildingRow, 'state' | 'successor'> | undefined = await db
      .selectFrom('building')
      .select(['state', 'successor'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (row.state === 'live') return id;
    id = row.successor;
  }
  return undefined;
}

/** Where the IDs of some buildings lead now; those of buildings that are no more are left out. */
export async function findSurvivors(db: Db, ids: readonly AssetKey[]): Promise<Map<AssetKey, AssetKey>> {
  const survivors = new Map<AssetKey, AssetKey>();
  for (const { id, state } of (await loadBuildings(db, [...new Set(ids)])).values()) {
    const survivor = state === 'live' ? id : state === 'merged' ? await resolveSurvivor(db, id) : undefined;
    if (survivor !== undefined) survivors.set(id, survivor);
  }
  return survivors;
}

/** From now on `loser` is known as `survivor`, which gains its evidence. */
export async function merge(
  tx: Tx,
  loser: AssetKey,
  survivor: AssetKey,
  reason: string | null,
  at: string,
  actor: Actor = 'operator',
): Promise<Refusal> {
  const from = await find(tx, loser);
  if (from === undefined) return refuse(`${formatAssetId(loser)} is no building`);
  if ((await find(tx, survivor)) === undefined) return refuse(`${formatAssetId(survivor)} is no building`);
  if (from.state === 'merged' && from.successor === survivor) return ok('unchanged');
  if (from.state !== 'live') return refuse(`${formatAssetId(loser)} ${describe(from)}`);
  const fault = (await faultInSuccessor(tx, loser, survivor)) ?? (await faultInMerge(tx, survivor));
  if (fault !== undefined) return refuse(fault);
  await leave(tx, from, 'merged', survivor);
  await record(tx, 'merge', loser, survivor, reason, at, actor);
  const end = await resolveSurvivor(tx.db, survivor);
  await markBuildingsStale(tx, end === undefined ? [] : [end]);
  return ok('done');
}

/** Whether an operator has taken this very merge back: a file that still asks for it does not bring it back. */
export async function wasUnmerged(tx: Tx, loser: AssetKey, survivor: AssetKey): Promise<boolean> {
  const last = await tx.db
    .selectFrom('identity_event')
    .select(['kind', 'actor'])
    .where('building', '=', loser)
    .where('into_building', '=', survivor)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.kind === 'unmerge' && last.actor === 'operator';
}

/** Whether it was matching that merged a building, which then may take that back. */
async function wasMergedByMatching(tx: Tx, loser: AssetKey): Promise<boolean> {
  const last = await tx.db
    .selectFrom('identity_event')
    .select(['kind', 'actor'])
    .where('building', '=', loser)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.kind === 'merge' && last.actor === 'matching';
}

/** Of the chain of merges from a building to its survivor, the buildings that matching merged. */
export async function mergesByMatching(tx: Tx, start: AssetKey): Promise<AssetKey[]> {
  const merged: AssetKey[] = [];
  for (let id: AssetKey | null = start; id !== null; ) {
    const building: BuildingRow | undefined = await find(tx, id);
    if (building?.state !== 'merged') break;
    if (await wasMergedByMatching(tx, id)) merged.push(id);
    id = building.successor;
  }
  return merged;
}

/** Of buildings with the survivors that they lead to, those that an operator merged, or merged something they lead to. */
export async function findAbsorbed(db: Db, survivorOf: ReadonlyMap<AssetKey, AssetKey>): Promise<Set<AssetKey>> {
  const members = [...survivorOf].flatMap(([member, survivor]) => (member === survivor ? [] : [member]));
  if (members.length === 0) return new Set();
  const buildings = await loadBuildings(db, members);
  const byOperator = new Map<AssetKey, boolean>();
  for (const batch of batches(members)) {
    const rows = await db
      .selectFrom('identity_event')
      .select(['building', 'actor'])
      .where('building', 'in', batch)
      .where('kind', '=', 'merge')
      .orderBy('id')
      .execute();
    for (const { building, actor } of rows) byOperator.set(building, actor === 'operator');
  }
  const isAbsorbed = (member: AssetKey): boolean => {
    for (let id = member; id !== survivorOf.get(member); id = buildings.get(id)?.successor as AssetKey) {
      if (byOperator.get(id) === true) return true;
    }
    return false;
  };
  return new Set(members.filter(isAbsorbed));
}

/** Takes a merge back: the building is its own again, with the evidence it had. */
export async function unmerge(
  tx: Tx,
  loser: AssetKey,
  reason: string | null,
  at: string,
  actor: Actor = 'operator',
): Promise<Refusal> {
  const from = await find(tx, loser);
  if (from === undefined) return refuse(`${formatAssetId(loser)} is no building`);
  if (from.state !== 'merged') return refuse(`${formatAssetId(loser)} is not merged into another building`);
  const end = await resolveSurvivor(tx.db, loser);
  await tx.db.updateTable('building').set({ state: 'live', successor: null }).where('id', '=', loser).execute();
  await record(tx, 'unmerge', loser, from.successor, reason, at, actor);
  await markBuildingsStale(tx, end === undefined ? [loser] : [loser, end]);
  return ok('done');
}

/** The building is no more; with a successor its ID leads there, but its evidence does not. */
export async function retire(
  tx: Tx,
  id: AssetKey,
  successor: AssetKey | null,
  reason: string | null,
  at: string,
): Promise<Refusal> {
  const building = await find(tx, id);
  if (building === undefined) return refuse(`${formatAssetId(id)} is no building`);
  if (building.state === 'retired' && building.successor === successor) return ok('unchanged');
  if (building.state !== 'live') return refuse(`${formatAssetId(id)} ${describe(building)}`);
  if (successor !== null) {
    if ((await find(tx, successor)) === undefined) return refuse(`${formatAssetId(successor)} is no building`);
    const fault = await faultInSuccessor(tx, id, successor);
    if (fault !== undefined) return refuse(fault);
  }
  await leave(tx, building, 'retired', successor);
  await record(tx, 'retire', id, successor, reason, at, 'operator');
  return ok('done');
}

async function find(tx: Tx, id: AssetKey): Promise<BuildingRow | undefined> {
  return tx.db.selectFrom('building').selectAll().where('id', '=', id).executeTakeFirst();
}

function describe(building: BuildingRow): string {
  const to = building.successor === null ? '' : ` into ${formatAssetId(building.successor)}`;
  return building.state === 'merged' ? `is already merged${to}: unmerge it first` : `is already retired${to}`;
}

/** No chain may come back to where it starts, nor end in nothing. */
async function faultInSuccessor(tx: Tx, id: AssetKey, successor: AssetKey): Promise<string | undefined> {
  if (id === successor) return `${formatAssetId(id)} cannot lead to itself`;
  const end = await resolveSurvivor(tx.db, successor);
  if (end === id) return `${formatAssetId(successor)} already leads to ${formatAssetId(id)}`;
  if (end === undefined) return `${formatAssetId(successor)} is retired without a successor`;
  return undefined;
}

/** A retired building passes its ID on, but no evidence: what is merged into it would be lost. */
async function faultInMerge(tx: Tx, survivor: AssetKey): Promise<string | undefined> {
  for (let id: AssetKey | null = survivor; id !== null; ) {
    const building: BuildingRow | undefined = await find(tx, id);
    if (building?.state === 'retired') {
      const live = await resolveSurvivor(tx.db, id);
      const through = id === survivor ? '' : `leads to ${formatAssetId(id)}, which `;
      return `${formatAssetId(survivor)} ${through}is retired: merge into its successor ${formatAssetId(live as AssetKey)}`;
    }
    id = building?.state === 'merged' ? building.successor : null;
  }
  return undefined;
}

async function leave(
  tx: Tx,
  building: BuildingRow,
  state: 'merged' | 'retired',
  successor: AssetKey | null,
): Promise<void> {
  await tx.db.updateTable('building').set({ state, successor, area: null }).where('id', '=', building.id).execute();
  await removePages(tx, [building.id]);
  await changeEntries(tx, [{ building: building.id, place: UNPUBLISHED, content: null }]);
  await markBuildingsStale(tx, [building.id]);
}

async function record(
  tx: Tx,
  kind: 'merge' | 'unmerge' | 'retire',
  building: AssetKey,
  into: AssetKey | null,
  reason: string | null,
  at: string,
  actor: Actor,
): Promise<void> {
  await tx.db.insertInto('identity_event').values({ kind, building, into_building: into, reason, at, actor }).execute();
}

/** A building that was merged or retired. */
export interface FormerBuilding {
  id: string;
  state: 'merged' | 'retired';
  /** Where its ID leads (ID-04); without a path while that building is not published. */
  survivor: { id: string; path: string | null } | null;
}

/** The ID that is the whole of a query, whatever its case and width. */
export function parseWholeId(q: string): AssetKey | undefined {
  return parseAssetId(normaliseLine(q).toUpperCase());
}

/** What became of a building; undefined where it is live or unknown. */
export async function findFormer(reads: Reads, key: AssetKey): Promise<FormerBuilding | undefined> {
  const building = await findBuilding(reads, key);
  if (building === undefined || building.state === 'live') return undefined;
  const end = await findSurvivor(reads, key);
  const survivor = end === undefined ? null : { id: formatAssetId(end), path: await findPath(reads, end) };
  return { id: formatAssetId(key), state: building.state, survivor };
}

/** The live building at the end of the chain that starts at one, which may be that building itself. */
export async function findSurvivor(reads: Reads, start: AssetKey): Promise<AssetKey | undefined> {
  for (let key: AssetKey | null = start; key !== null; ) {
    const building: Row | undefined = await findBuilding(reads, key);
    if (building === undefined) return undefined;
    if (building.state === 'live') return key;
    key = building.successor;
  }
  return undefined;
}

interface Row {
  state: 'live' | 'merged' | 'retired';
  successor: AssetKey | null;
}

async function findBuilding(reads: Reads, key: AssetKey): Promise<Row | undefined> {
  return (await reads.all<Row>('select state, successor from building where id = ?', [key]))[0];
}

async function findPath(reads: Reads, key: AssetKey): Promise<string | null> {
  const published = 'select building from page where building = ?';
  if ((await reads.all(published, [key])).length === 0) return null;
  const [record] = await readRecords(reads, [key]);
  return (JSON.parse(Buffer.from(record?.body ?? []).toString()) as BuildingPage).path;
}
