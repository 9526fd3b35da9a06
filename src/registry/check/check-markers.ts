import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Difference } from '../../vocabulary/difference.ts';

/** What a run leaves until it is completed, and how to say it. */
const MARKERS: Partial<Record<keyof Tables, string>> = {
  new_area: 'new or changed areas',
  stale_tile: 'tiles to match',
  stale_match: 'records to match',
  stale_register: 'machi-aza whose registers are to be matched',
  stale_building: 'buildings to consolidate',
  stale_place: 'places whose neighbours are to be updated',
  stale_area: 'areas to count',
};

/** The marker of the sample says whose data it is, not that work is left. */
const WORK: readonly string[] = ['enter buildings', 'place records'];

/** VRF-10: work that an interrupted run, or an update of the program, left. */
export async function checkMarkers(db: Db): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const [table, what] of Object.entries(MARKERS) as [keyof Tables, string][]) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) === 0) continue;
    found.push({ kind: 'unfinished', table, row: `${count} rows`, detail: what, remedy: { by: 'finishing' } });
  }
  for (const { name } of await db.selectFrom('todo').select('name').orderBy('name').execute()) {
    if (!WORK.includes(name)) continue;
    found.push({ kind: 'unfinished', table: 'todo', row: name, detail: null, remedy: { by: 'finishing' } });
  }
  return found;
}
