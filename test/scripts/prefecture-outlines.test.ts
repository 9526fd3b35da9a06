import { expect, it } from 'vitest';
import { encodeOutlines } from '../../scripts/prefecture-outlines.ts';
import type { Position, Ring } from '../../src/vocabulary/geometry.ts';
import { decodeOutlines } from '../../src/vocabulary/prefecture-outlines.ts';

/** A border that wanders by less than the tolerance, from south to north. */
const BORDER: Position[] = [
  [139, 35],
  [139.121, 35.2],
  [139.3, 35.5],
  [139.299, 35.7],
  [139, 36],
];
const WEST: Ring = [...BORDER, [138, 36], [138, 35], [139, 35]];
const EAST: Ring = [[139, 35], [140, 35], [140, 36], ...BORDER.toReversed()];
const ISLAND: Ring = [
  [139.2, 34],
  [139.3, 34],
  [139.3, 34.1],
  [139.2, 34.1],
  [139.2, 34],
];

const feature = (name: string | null, rings: Ring[], country = 'JPN') => ({
  properties: { adm0_a3: country, name_local: name },
  geometry: { type: 'MultiPolygon' as const, coordinates: rings.map((ring) => [ring]) },
});

it('UI-80 neighbours keep one common border, simplified once', () => {
  const { areas, borders, coasts } = decodeOutlines(
    encodeOutlines([
      feature('神奈川県', [WEST]),
      feature('東京都', [EAST, ISLAND]),
      feature('경기도', [ISLAND], 'KOR'),
    ]),
  );
  expect(borders).toEqual([[BORDER[0], BORDER[2], BORDER[3], BORDER[4]]]);
  expect(coasts).toHaveLength(3);
  expect(areas).toHaveLength(47);
  expect(areas.map(({ coordinates }) => coordinates.length).filter((count) => count > 0)).toEqual([2, 1]);
  const has = (code: number, [lon, lat]: Position) =>
    areas[code - 1]?.coordinates.flat(2).some((point) => point[0] === lon && point[1] === lat);
  for (const point of borders.flat()) expect([has(13, point), has(14, point)]).toEqual([true, true]);
});

it('UI-80 a polygon without a name belongs to the prefecture around it', () => {
  const square: Ring = [
    [139.6, 35.6],
    [139.8, 35.6],
    [139.8, 35.8],
    [139.6, 35.8],
    [139.6, 35.6],
  ];
  const { areas } = decodeOutlines(encodeOutlines([feature(null, [square])]));
  expect(new Set(areas[12]?.coordinates[0]?.[0]?.map(String))).toEqual(new Set(square.map(String)));
});
