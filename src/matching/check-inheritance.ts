import type { StatedRecord } from '../observations/check-records.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import type { Db, Tx } from '../storage/storage.ts';
import type { Difference } from '../vocabulary/difference.ts';
import { claimsOf } from './load-claims.ts';
import { inheritingFrom } from './match-items.ts';
import { markRecordsToMatch } from './match-markers.ts';
import { inheritingByRecord, setInheriting } from './queries.ts';

/** VRF-14: how the buildings that inherit from some records differ from what links and complexes give (CON-12). */
export async function checkInheritance(db: Db, stated: readonly StatedRecord[]): Promise<Difference[]> {
  const lent = await inheritingByRecord(
    db,
    stated.map(({ record }) => record.id),
  );
  const found: Difference[] = [];
  for (const { record, statements } of stated) {
    const stored = lent.get(record.id) ?? [];
    // Only an item describes a complex.
    if (record.source !== 'wikidata' && stored.length === 0) continue;
    const expected = await inheritingFrom(db, record, claimsOf(record, statements), stored);
    if (expected.join() === stored.join()) continue;
    const remedy = { by: 'lending', record: record.id } as const;
    found.push({ kind: 'differs', table: 'lent', row: record.key, detail: null, remedy });
  }
  return found;
}

/** Has the buildings that inherit from a record found again. */
export async function mendInheritance(tx: Tx, record: number): Promise<void> {
  const before = (await inheritingByRecord(tx.db, [record])).get(record) ?? [];
  await setInheriting(tx, record, []);
  await markBuildingsStale(tx, before);
  await markRecordsToMatch(tx, [record]);
}
