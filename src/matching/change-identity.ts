import { type Actor, findSurvivors, merge, retire, unmerge } from '../registry/identity.ts';
import { recheckPublications } from '../reit/life/matched-buildings.ts';
import type { Tx } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';

export type IdentityChange =
  | { kind: 'merge'; building: AssetKey; into: AssetKey; reason: string | null }
  | { kind: 'unmerge'; building: AssetKey; reason: string | null }
  | { kind: 'retire'; building: AssetKey; into: AssetKey | null; reason: string | null };

interface IdentityChangeOptions {
  at: string;
  actor: Actor;
  /**
   * Publishes the affected buildings before REIT publications are checked. With `later`, the caller publishes, which
   * also checks them.
   */
  publish?: ((buildings: readonly AssetKey[]) => Promise<void>) | 'later';
}

/**
 * The only way to merge, unmerge or retire a building (ID-04). Changes its identity and applies every consequence, such
 * as suspending REIT publications that refer to it (REIT-10), in one transaction.
 */
export async function changeIdentity(
  tx: Tx,
  change: IdentityChange,
  { at, actor, publish }: IdentityChangeOptions,
): ReturnType<typeof merge> {
  const ids = change.kind === 'merge' ? [change.building, change.into] : [change.building];
  const before = await findSurvivors(tx.db, ids);
  const outcome = await apply(tx, change, at, actor);
  if (!outcome.ok || outcome.value !== 'done' || publish === 'later') return outcome;
  if (publish !== undefined) {
    const after = await findSurvivors(tx.db, ids);
    await publish([...new Set([...before.values(), ...after.values()])]);
  }
  await recheckPublications(tx, publish === undefined ? [change.building] : ids, () => at);
  return outcome;
}

function apply(tx: Tx, change: IdentityChange, at: string, actor: Actor): ReturnType<typeof merge> {
  switch (change.kind) {
    case 'merge':
      return merge(tx, change.building, change.into, change.reason, at, actor);
    case 'unmerge':
      return unmerge(tx, change.building, change.reason, at, actor);
    case 'retire':
      return retire(tx, change.building, change.into, change.reason, at);
  }
}
