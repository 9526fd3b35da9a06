import { countLeftOut } from '../observations/left-out.ts';
import type { Db } from '../storage/storage.ts';
import type { Counts } from './context.ts';
import type { IdList } from './id-list.ts';

/** How many of the records that were read speak of a building now, and how many of none. */
export async function countMatches(
  db: Db,
  records: IdList,
): Promise<Pick<Counts, 'matched' | 'ambiguous' | 'unmatched'>> {
  const counts = { matched: 0, ambiguous: 0, unmatched: 0 };
  for (const ids of records.portions(2_000)) {
    const { ambiguous, unmatched } = await countLeftOut(db, ids);
    counts.ambiguous += ambiguous;
    counts.unmatched += unmatched;
    counts.matched += ids.length - ambiguous - unmatched;
  }
  return counts;
}
