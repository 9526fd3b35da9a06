import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeTile } from '../../../src/registry/map-tiles/build-tile.ts';
import type { Position, Ring } from '../../../src/vocabulary/geometry.ts';
import { boxOfMapTile, parseMapTile } from '../../../src/vocabulary/map-tile.ts';
import { fromTiles, readTile, toTiles } from '../../support/map-tiles.ts';

const EXTENT = 4_096;
const BUFFER = 64;

it('a box is drawn at its position, clipped to the tile with its buffer', () => {
  const tile = fc.record({ z: fc.integer({ min: 10, max: 16 }), lon: fc.double({ min: 123, max: 153, noNaN: true }) });
  const corner = fc.tuple(fc.double({ min: -1, max: 2, noNaN: true }), fc.double({ min: -1, max: 2, noNaN: true }));
  const size = fc.tuple(fc.double({ min: 0.001, max: 2, noNaN: true }), fc.double({ min: 0.001, max: 2, noNaN: true }));
  fc.assert(
    fc.property(tile, corner, size, ({ z, lon }, [left, top], [width, height]) => {
      const [x, y] = toTiles([lon, 36], z).map(Math.floor) as Position;
      const corners: Position[] = [
        [left, top],
        [left, top + height],
        [left + width, top + height],
        [left + width, top],
        [left, top],
      ];
      const ring = corners.map(([dx, dy]) => fromTiles([x + dx, y + dy], z)) as Ring;
      const body = encodeTile(
        'boxes',
        [{ id: 1, geometry: { type: 'Polygon', coordinates: [ring] }, properties: { name: 'box', none: null } }],
        { z, x, y },
      );
      const [shown] = readTile(body, { z, x, y }).boxes ?? [];
      const [from, to] = [-BUFFER / EXTENT, 1 + BUFFER / EXTENT];
      const isOutside = left > to || top > to || left + width < from || top + height < from;
      expect(shown === undefined).toBe(isOutside);
      if (shown === undefined) return;
      expect(shown.properties).toEqual({ name: 'box' });
      const cut = (at: number) => Math.min(Math.max(at, from), to) * EXTENT;
      const bounds = [cut(left), cut(top), cut(left + width), cut(top + height)];
      const xs = shown.rings.flat().map(([px]) => px);
      const ys = shown.rings.flat().map(([, py]) => py);
      const drawn = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      for (const [i, bound] of bounds.entries()) expect(Math.abs((drawn[i] as number) - bound)).toBeLessThan(0.51);
    }),
    { numRuns: 300 },
  );
});

it('a tile is the same for the same features, and empty without features', () => {
  const tile = { z: 14, x: 14_552, y: 6_451 };
  const [lon, lat] = fromTiles([14_552.5, 6_451.5], 14);
  const features = [
    { id: 1, geometry: { type: 'Point' as const, coordinates: [lon, lat] as Position }, properties: {} },
  ];
  expect(encodeTile('points', features, tile)).toEqual(encodeTile('points', features, tile));
  expect(encodeTile('points', [], tile)).toHaveLength(0);
});

it('the box of a tile spans its corners', () => {
  fc.assert(
    fc.property(fc.nat(16), fc.nat(65_535), fc.nat(65_535), fc.constantFrom(0, BUFFER), (z, a, b, buffer) => {
      const [x, y] = [a % 2 ** z, b % 2 ** z];
      expect(parseMapTile(String(z), String(x), String(y))).toEqual({ z, x, y });
      const [west, south, east, north] = boxOfMapTile({ z, x, y }, buffer);
      const margin = buffer / EXTENT;
      const [left, top] = toTiles([west, north], z);
      const [right, bottom] = toTiles([east, south], z);
      const sides: [number, number][] = [
        [left, x - margin],
        [top, y - margin],
        [right, x + 1 + margin],
        [bottom, y + 1 + margin],
      ];
      for (const [is, should] of sides) expect(Math.abs(is - should)).toBeLessThan(1e-6);
    }),
  );
});
