import Flatbush from 'flatbush';
import {
  type AreaGeometry,
  contains,
  measure,
  type Position,
  polygonsOf,
  type Ring,
} from '../../vocabulary/geometry.ts';

const MAX_POSITIONS = 200_000;

type Assembled = { geometry: AreaGeometry; strayHoles: number } | { fault: string };

/** Builds a multipolygon: joins outer lines end to end in any direction, and assigns holes to the rings around them. */
export function assemblePolygons(outerLines: Position[][], innerLines: Position[][]): Assembled {
  const positions = [...outerLines, ...innerLines].reduce((sum, line) => sum + line.length, 0);
  if (positions > MAX_POSITIONS) return { fault: `has more than ${MAX_POSITIONS} positions` };
  const outers = joinRings(outerLines);
  const inners = joinRings(innerLines);
  if (outers === undefined || inners === undefined) return { fault: 'has a ring that is not closed' };
  if (outers.length === 0) return { fault: 'has no outer ring' };
  const polygons = outers.map((ring) => [ring]);
  let strayHoles = 0;
  if (inners.length > 0) {
    const holderOf = indexHolders(outers);
    for (const hole of inners) {
      const holder = holderOf(hole);
      if (holder === undefined) strayHoles += 1;
      else polygons[holder]?.push(hole);
    }
  }
  const [only] = polygons;
  const geometry: AreaGeometry =
    polygons.length === 1
      ? { type: 'Polygon', coordinates: only as Ring[] }
      : { type: 'MultiPolygon', coordinates: polygons };
  return { geometry, strayHoles };
}

/** Finds the smallest outer ring that contains a hole; an island inside the hole is smaller than the hole. */
function indexHolders(outers: Ring[]): (hole: Ring) => number | undefined {
  const shapes = outers.map((ring): AreaGeometry => ({ type: 'Polygon', coordinates: [ring] }));
  const measures = shapes.map(measure);
  const index = new Flatbush(outers.length);
  for (const { bbox } of measures) index.add(...bbox);
  index.finish();
  return (hole) => {
    const shape: AreaGeometry = { type: 'Polygon', coordinates: [hole] };
    const point = interiorPoint(shape);
    if (point === undefined) return undefined;
    const { areaM2 } = measure(shape);
    return index
      .search(...point, ...point)
      .filter((at) => (measures[at]?.areaM2 ?? 0) > areaM2 && contains(shapes[at] as AreaGeometry, point))
      .sort((a, b) => (measures[a]?.areaM2 ?? 0) - (measures[b]?.areaM2 ?? 0))[0];
  };
}

const keyOf = (position: Position) => `${position[0]},${position[1]}`;

/**
 * Closed lines are rings; open lines are joined end to end. Where the path meets itself, the loop becomes a ring of its own,
 * so rings that touch in a point stay separate. Undefined if an end remains.
 */
export function joinRings(lines: Position[][]): Ring[] | undefined {
  const rings: Ring[] = [];
  const open: Position[][] = [];
  for (const line of lines) {
    if (line.length < 2) continue;
    if (keyOf(line[0] as Position) === keyOf(line[line.length - 1] as Position)) rings.push(line);
    else open.push(line);
  }
  const at = new Map<string, number[]>();
  open.forEach((line, i) => {
    for (const end of [line[0], line[line.length - 1]] as Position[]) {
      const key = keyOf(end);
      const there = at.get(key);
      if (there === undefined) at.set(key, [i]);
      else there.push(i);
    }
  });
  const used = new Uint8Array(open.length);
  for (let first = 0; first < open.length; first++) {
    if (used[first] === 1) continue;
    const path: Position[][] = [];
    const starts = new Map<string, number>();
    let next: number | undefined = first;
    let from = keyOf((open[first] as Position[])[0] as Position);
    while (next !== undefined) {
      used[next] = 1;
      const line = open[next] as Position[];
      const oriented: Position[] = keyOf(line[0] as Position) === from ? line : line.toReversed();
      starts.set(from, path.length);
      path.push(oriented);
      from = keyOf(oriented[oriented.length - 1] as Position);
      const loop = starts.get(from);
      if (loop !== undefined) {
        const cut = path.splice(loop);
        for (const part of cut) starts.delete(keyOf(part[0] as Position));
        rings.push(cut.flatMap((part, i) => (i === 0 ? part : part.slice(1))));
        if (path.length === 0) break;
      }
      const there: number[] = at.get(from) ?? [];
      while (there.length > 0 && used[there[there.length - 1] as number] === 1) there.pop();
      next = there[there.length - 1];
    }
    if (path.length > 0) return undefined;
  }
  return rings;
}

/** A point inside: the middle of the widest section at half the height. Undefined for a shape without area. */
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
