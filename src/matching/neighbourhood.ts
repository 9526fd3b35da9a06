import { type Measures, metresPerDegree } from '../vocabulary/geometry.ts';
import { meshCentre, meshCodeOf, quarterMeshOf } from '../vocabulary/mesh.ts';
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

/** A neighbourhood is about 250 m wide; where nobody can say anything of it, the 500 m around it, then the tile. */
const DIGITS_OF_MESH = [10, 9, 8] as const;

/**
 * By how much the other source is to be moved onto a reference: what they have in common in its neighbourhood. Known
 * of those whose middle is in the tile; whoever can say something of these touches the tile too.
 */
export function offsetsIn(
  tile: string,
  footprints: readonly Footprint[],
  around: (box: Measures['bbox']) => readonly Footprint[],
): (reference: Footprint) => Offset | undefined {
  const [, lat] = meshCentre(tile);
  const votes = new Map<string, Offset[]>();
  for (const reference of footprints) {
    if (!reference.isReference || meshCodeOf(reference.middle) !== tile) continue;
    const mesh = quarterMeshOf(reference.middle);
    for (const other of around(widened(reference.box, lat))) {
      const vote = other.isReference ? undefined : offsetBetween(other.outline, reference.outline);
      if (vote === undefined) continue;
      for (const digits of DIGITS_OF_MESH) {
        const known = votes.get(mesh.slice(0, digits));
        if (known === undefined) votes.set(mesh.slice(0, digits), [vote]);
        else known.push(vote);
      }
    }
  }
  const offsets = new Map([...votes].map(([mesh, some]) => [mesh, commonOffset(some, lat)]));
  return (reference) => {
    const mesh = quarterMeshOf(reference.middle);
    const decided = DIGITS_OF_MESH.map((digits) => offsets.get(mesh.slice(0, digits))).find((one) => one !== undefined);
    return decided?.x === 0 && decided.y === 0 ? undefined : decided;
  };
}

function widened([west, south, east, north]: Measures['bbox'], lat: number): Measures['bbox'] {
  const scale = metresPerDegree(lat);
  const [across, along] = [FARTHEST_M / scale.lon, FARTHEST_M / scale.lat];
  return [west - across, south - along, east + across, north + along];
}
