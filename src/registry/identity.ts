import { batches, type Db, type Reads, type Tx } from '../storage/storage.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../vocabulary/asset-id.ts';
import type { BuildingPage } from '../vocabulary/building-page.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import { type BuildingRow, LOGGED, loadBuildings, markBuildingsStale } from './buildings.ts';
import { logChanges } from './changes/write-changes.ts';
import { readRecords, removePages } from './records.ts';
import { normaliseLine, UNPUBLISHED } from './search/format/entry.ts';
import { changeEntries } from './search/write/change-entries.ts';

/** Who changed an identity: an operator or their file, or matching. */
export type Actor = 'operator' | 'matching';

type Refusal = Result<'done' | 'unchanged', FailureOf<'refused'>>;
const refuse = (reason: string) => fail({ kind: 'refused' as const, reason });

/** ID-04: the live building at the end of the chain; undefined if the chain ends in a retired one. */
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

/** The survivors of buildings; buildings retired without a successor are omitted. */
export async function findSurvivors(db: Db, ids: readonly AssetKey[]): Promise<Map<AssetKey, AssetKey>> {
  const survivors = new Map<AssetKey, AssetKey>();
  for (const { id, state } of (await loadBuildings(db, [...new Set(ids)])).values()) {
    const survivor = state === 'live' ? id : state === 'merged' ? await resolveSurvivor(db, id) : undefined;
    if (survivor !== undefined) survivors.set(id, survivor);
  }
  return survivors;
}

/** The buildings whose evidence counts no more: retired, or merged into a retired one. */
export async function findGone(db: Db, ids: readonly AssetKey[]): Promise<Set<AssetKey>> {
  const gone = new Set<AssetKey>();
  /** Where the chains have arrived, and where those started. */
  let reached = new Map([...new Set(ids)].map((id) => [id, [id]]));
  while (reached.size > 0) {
    const next = new Map<AssetKey, AssetKey[]>();
    for (const { id, state, successor } of (await loadBuildings(db, [...reached.keys()])).values()) {
      const starts = reached.get(id) as AssetKey[];
      if (state === 'retired') for (const start of starts) gone.add(start);
      if (state === 'merged' && successor !== null) next.set(successor, [...(next.get(successor) ?? []), ...starts]);
    }
    reached = next;
  }
  return gone;
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
  if (from === undefined) return refuse(`building ${formatAssetId(loser)} not found`);
  if ((await find(tx, survivor)) === undefined) return refuse(`building ${formatAssetId(survivor)} not found`);
  if (from.state === 'merged' && from.successor === survivor) return ok('unchanged');
  if (from.state !== 'live') return refuse(`${formatAssetId(loser)} ${describeState(from)}`);
  const fault = (await successorProblem(tx, loser, survivor)) ?? (await mergeProblem(tx, survivor));
  if (fault !== undefined) return refuse(fault);
  await unpublish(tx, from, 'merged', survivor);
  const event = await recordEvent(tx, 'merge', loser, survivor, reason, at, actor);
  await logEnd(tx, from, 'merged', event, at);
  const end = await resolveSurvivor(tx.db, survivor);
  await markBuildingsStale(tx, end === undefined ? [] : [end]);
  return ok('done');
}

/** Whether an operator undid this merge. A file that still asks for it does not repeat it. */
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

/** Whether an operator undid the last merge of a building. */
async function wasLastUnmerged(tx: Tx, loser: AssetKey): Promise<boolean> {
  const last = await lastEvent(tx, loser);
  return last?.kind === 'unmerge' && last.actor === 'operator';
}

/** Whether matching merged a building, so that matching may undo it. */
async function wasMergedByMatching(tx: Tx, loser: AssetKey): Promise<boolean> {
  const last = await lastEvent(tx, loser);
  return last?.kind === 'merge' && last.actor === 'matching';
}

function lastEvent(tx: Tx, building: AssetKey) {
  return tx.db
    .selectFrom('identity_event')
    .select(['kind', 'actor'])
    .where('building', '=', building)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** The buildings that matching merged, along the chain from a building to its survivor. */
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

/** The members that an operator merged into their survivor, directly or through the chain. */
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

/** Undoes a merge: the building is live again, with its own evidence. */
export async function unmerge(
  tx: Tx,
  loser: AssetKey,
  reason: string | null,
  at: string,
  actor: Actor = 'operator',
): Promise<Refusal> {
  const from = await find(tx, loser);
  if (from === undefined) return refuse(`building ${formatAssetId(loser)} not found`);
  if (from.state !== 'merged') {
    // So that a command that was cut short after this can be completed by running it again, as a merge can.
    if (from.state === 'live' && (await wasLastUnmerged(tx, loser))) return ok('unchanged');
    return refuse(`${formatAssetId(loser)} is not merged into another building`);
  }
  const end = await resolveSurvivor(tx.db, loser);
  await tx.db.updateTable('building').set({ state: 'live', successor: null }).where('id', '=', loser).execute();
  await recordEvent(tx, 'unmerge', loser, from.successor, reason, at, actor);
  await markBuildingsStale(tx, end === undefined ? [loser] : [loser, end]);
  return ok('done');
}

/** Retires a building. With a successor its ID leads there, but its evidence does not. */
export async function retire(
  tx: Tx,
  id: AssetKey,
  successor: AssetKey | null,
  reason: string | null,
  at: string,
): Promise<Refusal> {
  const building = await find(tx, id);
  if (building === undefined) return refuse(`building ${formatAssetId(id)} not found`);
  if (building.state === 'retired' && building.successor === successor) return ok('unchanged');
  if (building.state !== 'live') return refuse(`${formatAssetId(id)} ${describeState(building)}`);
  if (successor !== null) {
    if ((await find(tx, successor)) === undefined) return refuse(`building ${formatAssetId(successor)} not found`);
    const fault = await successorProblem(tx, id, successor);
    if (fault !== undefined) return refuse(fault);
  }
  await unpublish(tx, building, 'retired', successor);
  const event = await recordEvent(tx, 'retire', id, successor, reason, at, 'operator');
  await logEnd(tx, building, 'retired', event, at);
  return ok('done');
}

async function find(tx: Tx, id: AssetKey): Promise<BuildingRow | undefined> {
  return tx.db.selectFrom('building').selectAll().where('id', '=', id).executeTakeFirst();
}

function describeState(building: BuildingRow): string {
  const to = building.successor === null ? '' : ` into ${formatAssetId(building.successor)}`;
  return building.state === 'merged' ? `is already merged${to}: unmerge it first` : `is already retired${to}`;
}

/** A chain must neither be a cycle nor end in a retired building. */
async function successorProblem(tx: Tx, id: AssetKey, successor: AssetKey): Promise<string | undefined> {
  if (id === successor) return `${formatAssetId(id)} cannot lead to itself`;
  const end = await resolveSurvivor(tx.db, successor);
  if (end === id) return `${formatAssetId(successor)} already leads to ${formatAssetId(id)}`;
  if (end === undefined) return `${formatAssetId(successor)} is retired without a successor`;
  return undefined;
}

/** A retired building passes on its ID but no evidence, so what is merged into it would be lost. */
async function mergeProblem(tx: Tx, survivor: AssetKey): Promise<string | undefined> {
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

async function unpublish(
  tx: Tx,
  building: BuildingRow,
  state: 'merged' | 'retired',
  successor: AssetKey | null,
): Promise<void> {
  const logged = state === 'merged' ? LOGGED.merged : LOGGED.changed;
  await tx.db
    .updateTable('building')
    .set({ state, successor, area: null, logged })
    .where('id', '=', building.id)
    .execute();
  await removePages(tx, [building.id]);
  await changeEntries(tx, [{ building: building.id, place: UNPUBLISHED, content: null }]);
  await markBuildingsStale(tx, [building.id]);
}

async function recordEvent(
  tx: Tx,
  kind: 'merge' | 'unmerge' | 'retire',
  building: AssetKey,
  into: AssetKey | null,
  reason: string | null,
  at: string,
  actor: Actor,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('identity_event')
    .values({ kind, building, into_building: into, reason, at, actor })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** `building` is its row before the change. It may have an area before it is first published. */
async function logEnd(
  tx: Tx,
  { id, version, area, logged }: BuildingRow,
  kind: 'merged' | 'retired',
  event: number,
  at: string,
): Promise<void> {
  const areaBefore = logged === LOGGED.changed ? area : null;
  await logChanges(tx, [{ building: id, kind, version, area: null, areaBefore, event }], at);
}

/** A merged or retired building. */
export interface FormerBuilding {
  id: string;
  state: 'merged' | 'retired';
  /** Where its ID leads (ID-04). The path is null while that building is not published. */
  survivor: { id: string; path: string | null } | null;
}

/** The asset ID that is the whole of a query, in any case and width. */
export function parseWholeId(q: string): AssetKey | undefined {
  return parseAssetId(normaliseLine(q).toUpperCase());
}

/** What became of a building; undefined if it is live or unknown. */
export async function findFormer(reads: Reads, key: AssetKey): Promise<FormerBuilding | undefined> {
  const building = await findBuilding(reads, key);
  if (building === undefined || building.state === 'live') return undefined;
  const end = await findSurvivor(reads, key);
  const survivor = end === undefined ? null : { id: formatAssetId(end), path: await findPath(reads, end) };
  return { id: formatAssetId(key), state: building.state, survivor };
}

/** As `resolveSurvivor`, within a snapshot. */
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
