import { type AreaGeometry, measure, type Position, polygonsOf } from '../../vocabulary/geometry.ts';

/** A point inside: the middle of the widest stretch at half the height. Undefined for what has no inside. */
export function interiorPoint(geometry: AreaGeometry): Position | undefined {
  const [polygon] = polygonsOf(geometry);
  if (polygon === undefined) return undefined;
  const { bbox } = measure({ type: 'Polygon', coordinates: polygon });
  const y = (bbox[1] + bbox[3]) / 2;
  const crossings: number[] = [];
  for (const ring of polygon) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i] as Position;
      const [bx, by] = ring[j] as Position;
      if (ay > y !== by > y) crossings.push(((bx - ax) * (y - ay)) / (by - ay) + ax);
    }
  }
  crossings.sort((a, b) => a - b);
  let widest: Position | undefined;
  let width = 0;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [from, to] = [crossings[i] as number, crossings[i + 1] as number];
    if (to - from <= width) continue;
    width = to - from;
    widest = [(from + to) / 2, y];
  }
  return widest;
}
