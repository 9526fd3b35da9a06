import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS, precisionOf, type Score, scoreMatches } from '../../eval/match/score.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { formatAssetId } from '../../src/vocabulary/asset-id.ts';
import { fillOnce, onBothEngines, openContext } from '../support/engines.ts';
import { fillSample } from '../support/served-sample.ts';

onBothEngines('questions about the bundled sample', (fresh) => {
  let score: Score;
  let buildings: number;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const database = await fresh();
    await fillOnce('sample', database, fillSample);
    const { storage } = await openContext(database);
    close = () => storage.close();
    const rows = await storage.db.selectFrom('page').select('building').orderBy('building').execute();
    buildings = rows.length;
    score = await scoreMatches(
      openRegistry(storage),
      rows.map(({ building }) => formatAssetId(building)),
    );
  });
  afterAll(() => close());

  it('RCN-02 every building is found by its own address, name, point and record', () => {
    expect(score.missed).toEqual([]);
    for (const kind of ['address', 'name', 'point', 'record'] as const) {
      expect(score.figures[kind].asked).toBeGreaterThan(buildings / 2);
    }
  });

  it('RCN-02 no verdict match is wrong, and near-misses do not match', () => {
    expect(score.mistakes).toEqual([]);
    expect(precisionOf(score)).toBe(1);
    for (const kind of KINDS) expect([kind, score.figures[kind].wrong]).toEqual([kind, 0]);
  });
});
