import { expect, it } from 'vitest';
import { type Area, Areas } from '../../src/registry/areas.ts';
import { onBothEngines, openContext } from '../support/engines.ts';

const TOKYO: Area = { code: '13', level: 'prefecture', parent: null, slug: 'tokyo', nameJa: '東京都', nameEn: 'Tokyo' };

onBothEngines('areas of sources', (fresh) => {
  it('have the values of the latest fetch, in any order of reading', async () => {
    const { storage } = await openContext(await fresh());
    try {
      const put = async (retrievedAt: string, more: Partial<Area> = {}) => {
        const areas = await Areas.load(storage.db);
        const outcome = await storage.transaction((tx) => areas.put(tx, { ...TOKYO, ...more, retrievedAt }, null));
        return outcome.ok ? outcome.value : outcome.failure;
      };
      expect(await put('2026-02-01T00:00:00Z')).toBe('new');
      expect(await put('2026-01-01T00:00:00Z', { nameEn: 'Tokyo-to' })).toBe('unchanged');
      expect(await put('2026-04-01T00:00:00.5Z')).toBe('unchanged');
      expect(await put('2026-03-01T00:00:00Z', { nameEn: 'Tokyo-to' })).toBe('unchanged');
      expect((await Areas.load(storage.db)).get('13')).toMatchObject({ nameEn: 'Tokyo' });
      expect(await put('2026-05-01T00:00:00Z', { nameEn: 'Tokyo Metropolis' })).toBe('changed');
      const areas = await Areas.load(storage.db);
      expect(areas.get('13')).toMatchObject({ nameEn: 'Tokyo Metropolis' });
      expect([areas.isSlugTaken(null, 'tokyo', '14'), areas.isSlugTaken(null, 'tokyo', '13')]).toEqual([true, false]);
      // The first segments of the service's own paths are reserved.
      expect(['api', 'id', 'tiles', 'osaka'].map((slug) => areas.isSlugTaken(null, slug, '27'))).toEqual([
        ...[true, true, true],
        false,
      ]);
    } finally {
      await storage.close();
    }
  });
});
