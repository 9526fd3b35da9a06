import { expect, it } from 'vitest';
import { ingest } from '../../src/pipeline/run.ts';
import { markTodo } from '../../src/registry/markers.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { AREA, AREAS, id, MARUNOUCHI, record, square, writeRecords } from '../support/records.ts';
import { pageOf } from '../support/registry-state.ts';

onBothEngines('a database of an earlier version', (fresh) => {
  it('has its records located before anything is matched with them', async () => {
    const database = await fresh();
    const context = await openContext(database);
    try {
      const osm = record('osm', 'way/1', {}, { building: id(1), area: AREA, geometry: square(MARUNOUCHI) });
      await ingest(context, 'records', [writeRecords(database.dir, [...AREAS, osm])]);
      // The tables before records had tiles.
      await context.storage.transaction(async (tx) => {
        await tx.db.updateTable('source_record').set({ tile: null, lat: null, lon: null, area: null }).execute();
        await tx.db.deleteFrom('spot').execute();
        await markTodo(tx, 'place records');
      });
      const plateau = record('plateau', 'b1', { heightM: 12 }, { geometry: square(MARUNOUCHI) });
      await ingest(context, 'records', [writeRecords(database.dir, [plateau])]);
      const page = await pageOf(context.storage, id(1));
      expect(page?.sources.map((entry) => entry.source)).toEqual(['osm', 'plateau']);
      expect(page?.fields.heightM).toMatchObject({ value: 12 });
      expect(await context.storage.db.selectFrom('todo').selectAll().execute()).toEqual([]);
    } finally {
      await context.storage.close();
    }
  });
});
