import { changeIdentity } from '../matching/change-identity.ts';
import { markSurroundingsToMatch } from '../matching/match-markers.ts';
import { wasUnmerged } from '../registry/identity.ts';
import type { MergeEntry } from '../sources/records/entry.ts';
import { formatAssetId } from '../vocabulary/asset-id.ts';
import type { Context } from './context.ts';
import type { Counts } from './counts.ts';

/** A merge line of a file of records, and how what becomes of it is counted. */
export interface MergeLine {
  line: number;
  entry: MergeEntry;
  counts: Counts;
  reject: (line: number, reason: string) => void;
}

/** Applies merge lines in their order. One that an operator has undone since stays undone. */
export async function applyMerges({ storage, now }: Context, merges: readonly MergeLine[]): Promise<void> {
  for (const { line, entry, counts, reject } of merges) {
    const { from, into, reason } = entry;
    const outcome = await storage.transaction(async (tx) => {
      if (await wasUnmerged(tx, from, into)) return { ok: true as const, value: 'unchanged' as const };
      await markSurroundingsToMatch(tx, [from, into]);
      return changeIdentity(tx, { kind: 'merge', building: from, into, reason }, { at: now(), actor: 'operator' });
    });
    if (!outcome.ok) {
      counts.rejected += 1;
      reject(line, `merge of ${formatAssetId(from)} into ${formatAssetId(into)}: ${outcome.failure.reason}`);
    } else counts[outcome.value === 'done' ? 'new' : 'unchanged'] += 1;
  }
}
