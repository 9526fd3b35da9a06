import { changeIdentity, type IdentityChange } from '../matching/change-identity.ts';
import { markSurroundingsToMatch } from '../matching/match-markers.ts';
import { Areas } from '../registry/areas.ts';
import { type AssetKey, parseAssetId } from '../vocabulary/asset-id.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { asWriter, type Context } from './context.ts';
import { publishNow } from './publish-stale.ts';
import { matchAndPublish } from './run.ts';

type Outcome = 'done' | 'unchanged';

export async function mergeBuildings(
  context: Context,
  loser: string,
  survivor: string,
  reason: string | null,
): Promise<Outcome> {
  const [from, into] = [readId(loser), readId(survivor)];
  return change(context, [from, into], { kind: 'merge', building: from, into, reason });
}

export async function unmergeBuilding(context: Context, loser: string, reason: string | null): Promise<Outcome> {
  const from = readId(loser);
  return change(context, [from], { kind: 'unmerge', building: from, reason });
}

export async function retireBuilding(
  context: Context,
  id: string,
  into: string | undefined,
  reason: string | null,
): Promise<Outcome> {
  return asWriter(context, () => retireNow(context, id, into, reason));
}

/** Retires a building, for a caller that holds the write lock. */
export async function retireNow(
  context: Context,
  id: string,
  into: string | undefined,
  reason: string | null,
): Promise<Outcome> {
  const [building, successor] = [readId(id), into === undefined ? null : readId(into)];
  return changeNow(context, [building], { kind: 'retire', building, into: successor, reason });
}

function readId(text: string): AssetKey {
  const key = parseAssetId(text);
  if (key === undefined) throw new FailureError({ kind: 'malformedId' });
  return key;
}

function change(context: Context, ids: readonly AssetKey[], identityChange: IdentityChange): Promise<Outcome> {
  return asWriter(context, () => changeNow(context, ids, identityChange));
}

/** Changes the identity of a building, publishes the affected records, and matches what follows from it. */
async function changeNow(context: Context, ids: readonly AssetKey[], identityChange: IdentityChange): Promise<Outcome> {
  const areas = await Areas.load(context.storage.db);
  const at = context.now();
  const outcome = await context.storage.transaction(async (tx) => {
    // Before the change: afterwards the building may have lost its location or its successor.
    await markSurroundingsToMatch(tx, ids);
    const publish = (buildings: readonly AssetKey[]) => publishNow(tx, areas, buildings, at);
    const changed = await changeIdentity(tx, identityChange, { at, actor: 'operator', publish });
    if (!changed.ok) throw new FailureError(changed.failure);
    return changed.value;
  });
  await matchAndPublish(context);
  return outcome;
}
