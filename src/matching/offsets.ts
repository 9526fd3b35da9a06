import { type Measures, metresPerDegree } from '../vocabulary/geometry.ts';
import { meshCentre, meshCodeOf, quarterMeshOf } from '../vocabulary/mesh.ts';
import { type Footprint, type FootprintExtent, UNITS_PER_DEGREE } from './footprint.ts';

/** A translation, in the integer units of shapes. */
export interface Offset {
  x: number;
  y: number;
}

/** Maps differ by a few metres; anything farther away is another building. */
const MAX_OFFSET_M = 8;
/** A smaller offset is drawing noise. */
const MIN_OFFSET_M = 1;
/** Votes that must agree; any other offset may have at most half as many. */
const MIN_VOTES = 4;
/** By how much the sides of one building may differ between sources, and which share of its area must be equal. */
const MAX_SIDE_DIFFERENCE_M = 2;
const MIN_AREA_RATIO = 0.8;

const NONE: Offset = { x: 0, y: 0 };

/** The translation between two footprints of about the same size. */
export function offsetBetween(from: FootprintExtent, to: FootprintExtent): Offset | undefined {
  const [a, b] = [from.box, to.box];
  const scale = metresPerDegree(b[1]);
  const wider = Math.abs(b[2] - b[0] - (a[2] - a[0])) * scale.lon;
  const higher = Math.abs(b[3] - b[1] - (a[3] - a[1])) * scale.lat;
  if (wider > MAX_SIDE_DIFFERENCE_M || higher > MAX_SIDE_DIFFERENCE_M) return undefined;
  if (Math.min(from.area, to.area) < MIN_AREA_RATIO * Math.max(from.area, to.area)) return undefined;
  const by = { x: middle(b[0], b[2]) - middle(a[0], a[2]), y: middle(b[1], b[3]) - middle(a[1], a[3]) };
  return metresOf(by, b[1]) > MAX_OFFSET_M ? undefined : by;
}

/**
 * The offset that most pairs of similar footprints in a neighbourhood agree on, to about a metre; zero if it is too
 * small to matter. Undefined if there are too few votes or a second offset is nearly as frequent, as in a row of equal
 * houses. Vote order does not matter.
 */
export function commonOffset(votes: readonly Offset[], lat: number): Offset | undefined {
  const scale = metresPerDegree(lat);
  const placed = votes.map((by) => ({
    by,
    column: Math.round((by.x / UNITS_PER_DEGREE) * scale.lon),
    row: Math.round((by.y / UNITS_PER_DEGREE) * scale.lat),
  }));
  const counts = new Map<string, number>();
  for (const { column, row } of placed) {
    for (let x = column - 1; x <= column + 1; x++) {
      for (let y = row - 1; y <= row + 1; y++) counts.set(`${x} ${y}`, (counts.get(`${x} ${y}`) ?? 0) + 1);
    }
  }
  const centres = [...counts].map(([centre, count]) => {
    const [column, row] = centre.split(' ').map(Number) as [number, number];
    return { column, row, count, far: column ** 2 + row ** 2 };
  });
  centres.sort((a, b) => b.count - a.count || a.far - b.far || a.column - b.column || a.row - b.row);
  const [best] = centres;
  if (best === undefined || best.count < MIN_VOTES) return undefined;
  const apart = (one: { column: number; row: number }) =>
    Math.max(Math.abs(one.column - best.column), Math.abs(one.row - best.row));
  const rival = centres.find((one) => apart(one) > 2);
  if (rival !== undefined && 2 * rival.count > best.count) return undefined;
  const agreeing = placed.filter((one) => apart(one) <= 1);
  const mean = (along: 'x' | 'y') => Math.round(agreeing.reduce((sum, { by }) => sum + by[along], 0) / agreeing.length);
  const offset = { x: mean('x'), y: mean('y') };
  return metresOf(offset, lat) < MIN_OFFSET_M ? NONE : offset;
}

function metresOf({ x, y }: Offset, lat: number): number {
  const scale = metresPerDegree(lat);
  return Math.hypot((x / UNITS_PER_DEGREE) * scale.lon, (y / UNITS_PER_DEGREE) * scale.lat);
}

/** In integer units, so that the result does not depend on the tile. */
function middle(low: number, high: number): number {
  return Math.floor((Math.round(low * UNITS_PER_DEGREE) + Math.round(high * UNITS_PER_DEGREE)) / 2);
}

/**
 * The one tile in which two footprints are compared: that of the centre of the reference, where its whole neighbourhood
 * is known; otherwise the first that both touch.
 */
export function comparisonTileOf(a: Footprint, b: Footprint): string | undefined {
  if (a.isReference !== b.isReference) {
    const [reference, other] = a.isReference ? [a, b] : [b, a];
    const tile = meshCodeOf(reference.middle);
    if (other.tiles.includes(tile)) return tile;
  }
  return a.tiles.find((tile) => b.tiles.includes(tile));
}

/** A neighbourhood is a mesh cell of about 250 m; without a result, the 500 m cell around it, then the tile. */
const MESH_DIGITS = [10, 9, 8] as const;

/**
 * How far to move the other source onto a reference footprint, by the common offset of its neighbourhood. Known for
 * references whose centre is in the tile: every footprint that votes for these touches the tile too.
 */
export function neighbourhoodOffsets(
  tile: string,
  footprints: readonly Footprint[],
  around: (box: Measures['bbox']) => readonly Footprint[],
): (reference: Footprint) => Offset | undefined {
  const [, lat] = meshCentre(tile);
  const votes = new Map<string, Offset[]>();
  for (const reference of footprints) {
    if (!reference.isReference || meshCodeOf(reference.middle) !== tile) continue;
    const mesh = quarterMeshOf(reference.middle);
    for (const other of around(widenBox(reference.box, lat))) {
      const vote = other.isReference ? undefined : offsetBetween(other.extent, reference.extent);
      if (vote === undefined) continue;
      for (const digits of MESH_DIGITS) {
        const known = votes.get(mesh.slice(0, digits));
        if (known === undefined) votes.set(mesh.slice(0, digits), [vote]);
        else known.push(vote);
      }
    }
  }
  const offsets = new Map([...votes].map(([mesh, some]) => [mesh, commonOffset(some, lat)]));
  return (reference) => {
    const mesh = quarterMeshOf(reference.middle);
    const decided = MESH_DIGITS.map((digits) => offsets.get(mesh.slice(0, digits))).find((one) => one !== undefined);
    return decided?.x === 0 && decided.y === 0 ? undefined : decided;
  };
}

function widenBox([west, south, east, north]: Measures['bbox'], lat: number): Measures['bbox'] {
  const scale = metresPerDegree(lat);
  const [across, along] = [MAX_OFFSET_M / scale.lon, MAX_OFFSET_M / scale.lat];
  return [west - across, south - along, east + across, north + along];
}
