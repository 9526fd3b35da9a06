import { expect, it } from 'vitest';
import { matchAnew } from '../../src/storage/migrations/0015-match-anew.ts';
import { onBothEngines } from '../support/engines.ts';
import { HERE, inTown, osm, plateau, shape } from '../support/matching-registry.ts';

onBothEngines('the migration that has everything matched again', (fresh, engine) => {
  it('MAT-01 what an earlier version did not compare is compared at the next ingest', async () =>
    inTown(await fresh(), async ({ ingest, storage }) => {
      await ingest(...HERE, osm('a', shape([-10, 10, 10, 30])), plateau('b', shape([-9, 10, 11, 30])));
      const meetings = () => storage.db.selectFrom('meeting').selectAll().orderBy('record').execute();
      const met = await meetings();
      expect(met).toHaveLength(2);
      await storage.transaction((tx) => tx.db.deleteFrom('meeting').execute());
      await ingest(osm('elsewhere', shape([5000, 10, 5010, 30])));
      expect(await meetings()).toEqual([]);
      await storage.transaction((tx) => matchAnew.up(tx.db, engine));
      await ingest(osm('beside', shape([5100, 10, 5110, 30])));
      expect(await meetings()).toEqual(met);
    }));
});
