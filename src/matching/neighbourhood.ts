import { type Measures, meshCentre, meshCodeOf, meshQuarterOf, metresPerDegree } from '../vocabulary/geometry.ts';
import { commonOffset, FARTHEST_M, type Offset, offsetBetween } from './common-offset.ts';
import type { Footprint } from './footprint.ts';

/**
 * The one tile in which two footprints are compared: that of the middle of the reference, where its whole
 * neighbourhood is known, else the first that both touch.
 */
export function meetingTileOf(a: Footprint, b: Footprint): string | undefined {
  if (a.isReference !== b.isReference) {
    const [reference, other] = a.isReference ? [a, b] : [b, a];
    const tile = meshCodeOf(reference.middle);
    if (other.tiles.includes(tile)) return tile;
  }
  return a.tiles.find((tile) => b.tiles.includes(tile));
}

/**
 * By how much the other source is to be moved onto a reference: what they have in common in its neighbourhood, a
 * quarter of the tile. Known of those whose middle is in the tile; whoever can say something of it touches the tile too.
 */
export function offsetsIn(
  tile: string,
  footprints: readonly Footprint[],
  around: (box: Measures['bbox']) => readonly Footprint[],
): (reference: Footprint) => Offset | undefined {
  const [, lat] = meshCentre(tile);
  const scale = metresPerDegree(lat);
  const [east, north] = [FARTHEST_M / scale.lon, FARTHEST_M / scale.lat];
  const votes = new Map<string, Offset[]>();
  for (const reference of footprints) {
    if (!reference.isReference || meshCodeOf(reference.middle) !== tile) continue;
    const [west, south, ...rest] = reference.box;
    for (const other of around([west - east, south - north, rest[0] + east, rest[1] + north])) {
      const vote = other.isReference ? undefined : offsetBetween(other.outline, reference.outline);
      if (vote === undefined) continue;
      const quarter = meshQuarterOf(reference.middle);
      const known = votes.get(quarter);
      if (known === undefined) votes.set(quarter, [vote]);
      else known.push(vote);
    }
  }
  const offsets = new Map([...votes].map(([quarter, some]) => [quarter, commonOffset(some, lat)]));
  return (reference) => offsets.get(meshQuarterOf(reference.middle));
}
