import { Areas } from '../registry/areas.ts';
import { merge, retire, unmerge } from '../registry/identity.ts';
import { followChanges } from '../reit/follow-changes.ts';
import type { Tx } from '../storage/storage.ts';
import { type AssetKey, parseAssetId } from '../vocabulary/asset-id.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { asWriter, type Context } from './context.ts';
import { findSurvivors } from './matching-run.ts';
import { noteAround } from './note-around.ts';
import { publishNow } from './publish-now.ts';
import { settle } from './settle.ts';

type Outcome = 'done' | 'unchanged';

export async function mergeBuildings(
  context: Context,
  loser: string,
  survivor: string,
  reason: string | null,
): Promise<Outcome> {
  const [from, into] = [readId(loser), readId(survivor)];
  return change(context, [from, into], (tx) => merge(tx, from, into, reason, context.now()));
}

export async function unmergeBuilding(context: Context, loser: string, reason: string | null): Promise<Outcome> {
  const from = readId(loser);
  return change(context, [from], (tx) => unmerge(tx, from, reason, context.now()));
}

export async function retireBuilding(
  context: Context,
  id: string,
  into: string | undefined,
  reason: string | null,
): Promise<Outcome> {
  return asWriter(context, () => retireNow(context, id, into, reason));
}

/** The same for whoever has the right to write already. */
export async function retireNow(
  context: Context,
  id: string,
  into: string | undefined,
  reason: string | null,
): Promise<Outcome> {
  const [building, successor] = [readId(id), into === undefined ? null : readId(into)];
  return changeNow(context, [building], (tx) => retire(tx, building, successor, reason, context.now()));
}

function readId(text: string): AssetKey {
  const key = parseAssetId(text);
  if (key === undefined) throw new FailureError({ kind: 'malformedId' });
  return key;
}

function change(
  context: Context,
  ids: readonly AssetKey[],
  work: (tx: Tx) => ReturnType<typeof merge>,
): Promise<Outcome> {
  return asWriter(context, () => changeNow(context, ids, work));
}

/** One change of identity, with the records of the buildings that it touches, and everything that follows from it. */
async function changeNow(
  context: Context,
  ids: readonly AssetKey[],
  work: (tx: Tx) => ReturnType<typeof merge>,
): Promise<Outcome> {
  const areas = await Areas.load(context.storage.db);
  const outcome = await context.storage.transaction(async (tx) => {
    // Before it changes: afterwards a building may no longer say where it stood, or where it led.
    await noteAround(tx, ids);
    const before = await findSurvivors(tx.db, ids);
    const changed = await work(tx);
    if (!changed.ok) throw new FailureError(changed.failure);
    if (changed.value === 'done') {
      const after = await findSurvivors(tx.db, ids);
      await publishNow(tx, areas, [...new Set([...before.values(), ...after.values()])], context.now());
      await followChanges(tx, ids, context.now);
    }
    return changed.value;
  });
  await settle(context);
  return outcome;
}
