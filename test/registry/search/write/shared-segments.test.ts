import { expect, it } from 'vitest';
import { loadSegments, type Segment } from '../../../../src/registry/search/format/segments.ts';
import {
  addSegments,
  buildSegment,
  indexEntries,
  nextPosition,
  planSegments,
} from '../../../../src/registry/search/write/index-entries.ts';
import type { Storage } from '../../../../src/storage/storage.ts';
import { dumpTables } from '../../../support/dump-tables.ts';
import { onBothEngines } from '../../../support/engines.ts';
import { building } from '../../../support/records.ts';
import { openSmallRegistry } from '../../../support/small-registry.ts';

const LEAST = 20;
/** Entries that each of several jobs adds; each has positions for eight. */
const ADDED = [8, 3, 8, 0, 8, 7, 8, 8, 1, 8, 8, 5];
const POSITIONS = 8;

type Row = Record<string, unknown> & { pos: number };

/** Takes the entries of a registry, except the first two, and all segments out of the index. */
const takeEntries = (storage: Storage): Promise<Row[]> =>
  storage.transaction(async ({ db }) => {
    for (const table of ['search_segment', 'search_posting', 'search_filter', 'search_sort', 'search_site'] as const) {
      await db.deleteFrom(table).execute();
    }
    const rows = (await db.selectFrom('search_entry').selectAll().orderBy('pos').execute()) as unknown as Row[];
    const taken = rows.slice(2);
    const positions = taken.map(({ pos }) => pos);
    await db.deleteFrom('search_entry').where('pos', 'in', positions).execute();
    return taken;
  });

const put = (storage: Storage, rows: readonly Row[], first: number) =>
  storage.transaction(async (tx) => {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row, i) => columns.map((column) => (column === 'pos' ? first + i : row[column])));
    if (rows.length > 0) await tx.insert('search_entry', columns as never, values);
  });

async function searchTables(storage: Storage): Promise<object> {
  const dump = await dumpTables(storage);
  const segments = await storage.snapshot((reads) => loadSegments(reads));
  const tables = Object.entries(dump).filter(([name]) => name.startsWith('search_') && name !== 'search_segment');
  return { tables, segments: segments.map(({ stamp: _, ...segment }) => segment) };
}

onBothEngines('segments of entries that several processes added', (fresh) => {
  it('WRK-04 are those of one process that indexes after each addition, without gaps', async () => {
    const small = await openSmallRegistry(await fresh());
    await small.ingest(Array.from({ length: 80 }, (_, i) => building(100 + i, { floorsAbove: i })));
    const { storage } = small.context;
    const rows = await takeEntries(storage);
    const first = await storage.snapshot(nextPosition);

    let next = first;
    let at = 0;
    for (const added of ADDED) {
      await put(storage, rows.slice(at, at + added), next);
      await storage.transaction((tx) => indexEntries(tx, LEAST));
      at += added;
      next += added;
    }
    const byOne = await searchTables(storage);

    await takeEntries(storage);
    at = 0;
    for (const [i, added] of ADDED.entries()) {
      await put(storage, rows.slice(at, at + added), first + i * POSITIONS);
      at += added;
    }
    const end = first + ADDED.length * POSITIONS;
    const plans = await storage.transaction((tx) => planSegments(tx, first, end, ADDED, LEAST));
    expect(plans.length).toBeGreaterThan(2);
    const built: Segment[] = [];
    // In any order, and one of them twice.
    for (const plan of [...plans, ...plans.slice(0, 1)].reverse()) {
      built.push(await storage.transaction((tx) => buildSegment(tx, plan)));
    }
    expect(await storage.snapshot((reads) => loadSegments(reads))).toEqual([]);
    await storage.transaction((tx) => addSegments(tx, built.slice(0, -1)));
    expect(await searchTables(storage)).toEqual(byOne);
    // Without a new segment nothing is merged, not even a segment whose entries have all been replaced.
    const segments = await storage.transaction(async (tx) => {
      await tx.db
        .updateTable('search_segment')
        .set(({ ref }) => ({ dead: ref('size') }))
        .execute();
      await addSegments(tx, []);
      return loadSegments(tx);
    });
    expect(segments.map(({ id, dead }) => [id, dead])).toEqual(segments.map(({ id, size }) => [id, size]));
    expect(segments.length).toBe(plans.length);
    await small.close();
  });
});
