import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contains, type Position } from '../../src/vocabulary/geometry.ts';
import { PREFECTURE_NAMES_EN, prefectureOutlines } from '../../src/vocabulary/prefecture-outlines.ts';
import { PREFECTURE_NAMES } from '../../src/vocabulary/prefectures.ts';

const CITIES: [code: number, name: string, position: Position][] = [
  [1, 'Hokkaido', [141.35, 43.06]],
  [13, 'Tokyo', [139.69, 35.69]],
  [20, 'Nagano', [138.18, 36.65]],
  [22, 'Shizuoka', [138.38, 34.98]],
  [26, 'Kyoto', [135.76, 35.01]],
  [47, 'Okinawa', [127.75, 26.35]],
];

it('UI-80 the bundled outlines have every prefecture, in the order of the codes', () => {
  const { areas } = prefectureOutlines();
  expect(areas).toHaveLength(PREFECTURE_NAMES.length);
  expect(PREFECTURE_NAMES_EN).toHaveLength(PREFECTURE_NAMES.length);
  for (const [code, name, position] of CITIES) {
    expect(PREFECTURE_NAMES_EN[code - 1]).toBe(name);
    const holders = areas.flatMap((area, i) => (contains(area, position) ? [i + 1] : []));
    expect(holders, name).toEqual([code]);
  }
});

it('UI-80 rings are closed, and the file stays small', () => {
  const { areas } = prefectureOutlines();
  for (const ring of areas.flatMap(({ coordinates }) => coordinates.flat())) {
    expect(ring.length).toBeGreaterThan(3);
    expect(ring.at(-1)).toEqual(ring[0]);
  }
  const file = new URL('../../src/vocabulary/prefecture-outlines.json', import.meta.url);
  expect(statSync(file).size).toBeLessThan(120_000);
});
