import type { AreaGeometry, Geometry, Measures, Position } from '../vocabulary/geometry.ts';
import { meshTilesOf } from '../vocabulary/mesh.ts';
import { GEOMETRY_PRECEDENCE } from '../vocabulary/precedence.ts';
import { CREATING_SOURCES, type Source } from '../vocabulary/sources.ts';
import { type Outline, outlineOf, type Shape, toShape } from './overlap.ts';

/** A record of a tile, with its shape. */
export interface Placed {
  id: number;
  source: Source;
  /** It names its building, which matching never changes. */
  pinned: boolean;
  geometry: Geometry;
}

/** A record that can be a building, with the ground that it covers. */
export class Footprint {
  readonly record: Placed & { geometry: AreaGeometry };
  readonly outline: Outline;
  readonly tiles: readonly string[];
  #shape: Shape | undefined;

  constructor(record: Placed & { geometry: AreaGeometry }) {
    this.record = record;
    this.outline = outlineOf(record.geometry);
    this.tiles = meshTilesOf(this.outline.box);
  }

  /** Made when it is first laid over another, which most of one source never are. */
  get shape(): Shape {
    this.#shape ??= toShape(this.record.geometry);
    return this.#shape;
  }

  get box(): Measures['bbox'] {
    return this.outline.box;
  }

  get middle(): Position {
    const [west, south, east, north] = this.box;
    return [(west + east) / 2, (south + north) / 2];
  }

  /** Of the source whose shapes are shown, and which the other is held against. */
  get isReference(): boolean {
    return this.record.source === GEOMETRY_PRECEDENCE[0];
  }
}

export function isFootprint(record: Placed): record is Placed & { geometry: AreaGeometry } {
  return record.geometry.type !== 'Point' && CREATING_SOURCES.has(record.source);
}
