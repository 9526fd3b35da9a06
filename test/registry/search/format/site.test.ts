import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxOfSite,
  DistanceFrom,
  decodeSite,
  encodeSite,
  footprintOfSite,
  toUnitBox,
} from '../../../../src/registry/search/format/site.ts';
import type { Provenance } from '../../../../src/vocabulary/canonical.ts';
import { type AreaGeometry, boxOf, type Position, polygonsOf, round7 } from '../../../../src/vocabulary/geometry.ts';

const encode = (point: Position, geometry: AreaGeometry | null) =>
  encodeSite({
    point,
    footprint: geometry && { geometry, provenance: {} as Provenance, alternatives: [] },
  }) as Uint8Array;

const position = fc
  .tuple(fc.double({ min: 122, max: 154.5, noNaN: true }), fc.double({ min: 20, max: 46, noNaN: true }))
  .map(([lon, lat]): Position => [round7(lon), round7(lat)]);
const ring = fc
  .array(position, { minLength: 3, maxLength: 12 })
  .map((positions) => [...positions, positions[0] as Position]);
const geometry = fc
  .array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((polygons): AreaGeometry => ({ type: 'MultiPolygon', coordinates: polygons }));

describe('the site of a building', () => {
  it('FIT-07 keeps every coordinate as published', () => {
    fc.assert(
      fc.property(position, fc.option(geometry), ([lon, lat], drawn) => {
        const site = decodeSite(encode([lon, lat], drawn));
        expect([site.lon / 1e7, site.lat / 1e7]).toEqual([lon, lat]);
        const rings = site.polygons.map((polygon) => polygon.map((ring) => Array.from(ring, (unit) => unit / 1e7)));
        const expected = drawn === null ? [] : polygonsOf(drawn);
        expect(rings).toEqual(expected.map((polygon) => polygon.map((ring) => ring.slice(0, -1).flat())));
        if (drawn !== null) expect(boxOfSite(site).map((unit) => unit / 1e7)).toEqual(boxOf(drawn));
        const footprint = footprintOfSite(site);
        expect(footprint && polygonsOf(footprint)).toEqual(drawn && polygonsOf(drawn));
      }),
    );
    expect(encodeSite({ point: null, footprint: null })).toBeNull();
  });

  it('FIT-06 a box whose edge is the coordinate of a record contains it', () => {
    fc.assert(
      fc.property(position, ([lon, lat]) => {
        const units = [Math.round(lon * 1e7), Math.round(lat * 1e7)];
        expect(toUnitBox([lon, lat, lon, lat])).toEqual([...units, ...units]);
        const [west, south, east, north] = toUnitBox([lon + 1e-9, lat + 1e-9, lon - 1e-9, lat - 1e-9]);
        const [x, y] = units as [number, number];
        expect([west, south, east, north]).toEqual([x + 1, y + 1, x - 1, y - 1]);
      }),
    );
  });

  it('FIT-05 distances are those on the ellipsoid, to the nearest edge, and 0 only inside', () => {
    const square = (half: number): Position[] => [
      [139.76 - half, 35.68 - half],
      [139.76 + half, 35.68 - half],
      [139.76 + half, 35.68 + half],
      [139.76 - half, 35.68 + half],
      [139.76 - half, 35.68 - half],
    ];
    const court: AreaGeometry = { type: 'Polygon', coordinates: [square(0.001), square(0.0005)] };
    const site = decodeSite(encode([139.76, 35.68], court));
    const from = (lat: number, lon: number) => new DistanceFrom({ lat, lon }).toSite(site);
    expect(from(35.68075, 139.76)).toBe(0);
    // 0.0005 degrees of longitude at 35.68 are 45.3 m, and of latitude 55.5 m.
    expect(from(35.68, 139.76)).toBeCloseTo(45.26, 1);
    expect(from(35.682, 139.76)).toBeCloseTo(110.95, 1);
    // On GRS80, by Vincenty's inverse formula.
    const far = decodeSite(encode([139.8, 35.71], null));
    expect(new DistanceFrom({ lat: 35.68, lon: 139.76 }).toSite(far)).toBeCloseTo(4_918.004, 1);
  });
});
