import { expect, it } from 'vitest';
import { Areas } from '../../src/registry/areas.ts';
import type { Position, Ring } from '../../src/vocabulary/geometry.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { AREAS } from '../support/records.ts';

const CENTRE: Position = [139.7, 35.6];
const METRE = 1 / 100_000;

/** A ring about five kilometres around the centre. */
function round(corners: number): Ring {
  const at = (i: number): Position => {
    const angle = (2 * Math.PI * (i % corners)) / corners;
    return [CENTRE[0] + 5_000 * METRE * Math.cos(angle), CENTRE[1] + 5_000 * METRE * Math.sin(angle)];
  };
  return Array.from({ length: corners + 1 }, (_, i) => at(i));
}

onBothEngines('the boundary of a ward', (fresh) => {
  it.each([
    ['as published', 1_000, '13101', '13101'],
    ['simplified', 40, '13101', undefined],
  ])('PLC-02 decides near its edge only if it is exact: %s', async (_, corners, inside, nearEdge) => {
    const { storage } = await openContext(await fresh());
    try {
      const areas = await Areas.load(storage.db);
      await storage.transaction(async (tx) => {
        const [prefecture, ward] = AREAS as unknown as [Parameters<Areas['put']>[1], Parameters<Areas['put']>[1]];
        await areas.put(tx, { ...prefecture }, null);
        await areas.put(tx, { ...ward }, { type: 'Polygon', coordinates: [round(corners)] });
      });
      const locate = (metres: number) =>
        areas.locateMunicipality(storage.db, [CENTRE[0] + metres * METRE, CENTRE[1] + 100 * METRE]);
      expect(await locate(0)).toBe(inside);
      expect(await locate(4_600)).toBe(nearEdge);
      expect(await locate(5_500)).toBeUndefined();
    } finally {
      await storage.close();
    }
  });
});
