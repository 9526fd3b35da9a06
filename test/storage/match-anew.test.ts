import { expect, it } from 'vitest';
import { matchAnew } from '../../src/storage/migrations/0015-match-anew.ts';
import { onBothEngines } from '../support/engines.ts';
import { HERE, inTown, osm, plateau, shape } from '../support/matching-registry.ts';

onBothEngines('the migration that matches everything again', (fresh, engine) => {
  it('MAT-01 overlaps that an earlier version did not find are found at the next ingest', async () =>
    inTown(await fresh(), async ({ ingest, storage }) => {
      await ingest(...HERE, osm('a', shape([-10, 10, 10, 30])), plateau('b', shape([-9, 10, 11, 30])));
      const overlaps = () => storage.db.selectFrom('meeting').selectAll().orderBy('record').execute();
      const before = await overlaps();
      expect(before).toHaveLength(2);
      await storage.transaction((tx) => tx.db.deleteFrom('meeting').execute());
      await ingest(osm('elsewhere', shape([5000, 10, 5010, 30])));
      expect(await overlaps()).toEqual([]);
      await storage.transaction((tx) => matchAnew.up(tx.db, engine));
      await ingest(osm('beside', shape([5100, 10, 5110, 30])));
      expect(await overlaps()).toEqual(before);
    }));
});
