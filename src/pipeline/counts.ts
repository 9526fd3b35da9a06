import { countJoined } from '../registry/area-pieces.ts';
import { countLeftOut } from '../registry/left-out.ts';
import type { Db } from '../storage/storage.ts';
import { IdSet } from '../vocabulary/id-set.ts';

/** Everything read is new, changed, unchanged or rejected; every record is matched, ambiguous or unmatched. */
export interface Counts {
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  /** Records that describe a building. */
  matched: number;
  ambiguous: number;
  unmatched: number;
  rejected: number;
  /** Records that moved from one building to the one that a line names. */
  moved: number;
}

export const noCounts = (): Counts => ({
  ...{ read: 0, new: 0, changed: 0, unchanged: 0 },
  ...{ matched: 0, ambiguous: 0, unmatched: 0, rejected: 0, moved: 0 },
});

/** What is counted together and printed as one line: a path on the command line, or a file of records. */
export interface Tally {
  counts: Counts;
  /** Every record that was read. */
  records: IdSet;
  /** Every boundary that was read. */
  boundaries: Set<string>;
}

export const newTally = (): Tally => ({ counts: noCounts(), records: new IdSet(), boundaries: new Set() });

/** Counts what matching made of the records and boundaries that were read. */
export async function countMatches(db: Db, { counts, records, boundaries }: Tally): Promise<void> {
  for (const ids of records.batches(2_000)) {
    const { ambiguous, unmatched } = await countLeftOut(db, ids);
    counts.ambiguous += ambiguous;
    counts.unmatched += unmatched;
    counts.matched += ids.length - ambiguous - unmatched;
  }
  const joined = await countJoined(db, [...boundaries]);
  counts.matched += joined;
  counts.unmatched += boundaries.size - joined;
}
