import { type AreaGeometry, faultInGeometry, type Position, type Ring } from '../../vocabulary/geometry.ts';
import { printable } from '../../vocabulary/text.ts';
import { CRS, type Crs, DEFAULT_CRS, POLYGONS, type ShapeName } from './mapping.ts';

/** A reference system as named in a file, and the dimension of its positions. */
export interface SpatialReference {
  crs: Crs | undefined;
  dimension: number;
  name: string;
}

export type ShapeOutcome = { geometry: AreaGeometry } | { fault: string };

/** Metres within which a face counts as level, and two faces as equally low. */
const LEVEL = 0.01;
const MAX_POLYGONS = 2_000;

export const DEFAULT_REFERENCE: SpatialReference = { crs: DEFAULT_CRS, dimension: DEFAULT_CRS.dimension, name: '' };

/** The reference system of an element, inherited unless its attributes state one. */
export function referenceOf(attributes: Readonly<Record<string, string>>, outer: SpatialReference): SpatialReference {
  const { srsName, srsDimension } = attributes;
  if (srsName === undefined && srsDimension === undefined) return outer;
  let { crs, dimension, name } = outer;
  if (srsName !== undefined && srsName.trim() !== '') {
    name = srsName.trim();
    const code =
      /CRS:?84h?$/i.exec(name)?.[0] ?? (/EPSG/i.test(name) ? /(?<!\d)\d+$/.exec(name)?.[0] : undefined) ?? '';
    crs = CRS[code.replace(/^crs:?84/i, 'CRS84')];
    dimension = crs?.dimension ?? dimension;
  }
  if (srsDimension === '2' || srsDimension === '3') dimension = Number(srsDimension);
  return { crs, dimension, name };
}

/** Collects the polygons of one shape of a building; of a solid only the bottom faces. */
export class ShapeReader {
  readonly shape: ShapeName;
  private readonly isSolid: boolean;
  private readonly references: SpatialReference[];
  private polygons: Ring[][] = [];
  private bottom = Number.POSITIVE_INFINITY;
  private polygon: HeightRing[] | undefined;
  private pieces: string[] = [];
  private fault: string | undefined;

  constructor(shape: ShapeName, attributes: Readonly<Record<string, string>>, outer: SpatialReference) {
    this.shape = shape;
    this.isSolid = shape === 'lod1Solid' || shape === 'lod1MultiSurface';
    this.references = [referenceOf(attributes, outer)];
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.references.push(referenceOf(attributes, this.reference));
    if (POLYGONS.has(name)) this.polygon = [];
    else if (name === 'LinearRing') this.pieces = [];
  }

  text(name: string, text: string): void {
    if (name === 'posList' || name === 'pos') this.pieces.push(text);
  }

  close(name: string): void {
    if (name === 'LinearRing' && this.polygon !== undefined) this.closeRing(this.polygon);
    else if (POLYGONS.has(name)) this.closePolygon();
    this.references.pop();
  }

  /** The outline, or what is wrong with it; undefined without any polygon. */
  end(): ShapeOutcome | undefined {
    // An invalid wall does not affect the bottom of a solid.
    if (this.fault !== undefined && !(this.isSolid && this.polygons.length > 0))
      return { fault: `${this.shape} ${this.fault}` };
    const [first] = this.polygons;
    if (first === undefined) return undefined;
    const geometry: AreaGeometry =
      this.polygons.length === 1
        ? { type: 'Polygon', coordinates: first }
        : { type: 'MultiPolygon', coordinates: this.polygons };
    const fault = faultInGeometry(geometry);
    return fault === undefined ? { geometry } : { fault: `${this.shape} ${fault}` };
  }

  private get reference(): SpatialReference {
    return this.references[this.references.length - 1] as SpatialReference;
  }

  private closeRing(polygon: HeightRing[]): void {
    const { crs, dimension, name } = this.reference;
    const ring =
      crs === undefined
        ? `is in the unsupported reference system ${printable(name, 60)}; transform it to EPSG:6697`
        : readRing(this.pieces.join(' '), crs.axes, dimension);
    this.pieces = [];
    if (typeof ring !== 'string') polygon.push(ring);
    else {
      this.fault ??= ring;
      this.polygon = undefined;
    }
  }

  private closePolygon(): void {
    const [outer] = this.polygon ?? [];
    const rings = (this.polygon ?? []).map(({ ring }) => ring);
    this.polygon = undefined;
    if (outer === undefined) return;
    if (this.isSolid) {
      const isLevel = outer.high - outer.low <= LEVEL;
      if (!isLevel || outer.low > this.bottom + LEVEL) return;
      if (outer.low < this.bottom - LEVEL) this.polygons = [];
      this.bottom = Math.min(this.bottom, outer.low);
    }
    if (this.polygons.length < MAX_POLYGONS) this.polygons.push(rings);
    else this.fault ??= `has more than ${MAX_POLYGONS} polygons`;
  }
}

interface HeightRing {
  ring: Ring;
  /** The lowest and the greatest height; NaN for positions without height. */
  low: number;
  high: number;
}

/** The positions of a posList, or a string with what is wrong. */
function readRing(text: string, axes: Crs['axes'], dimension: number): HeightRing | string {
  const trimmed = text.trim();
  const tokens = trimmed.split(/\s+/);
  if (trimmed === '') return 'has an empty ring';
  if (tokens.length % dimension !== 0)
    return `has a ring whose number of coordinates is not a multiple of ${dimension}`;
  const ring: Ring = [];
  let low = dimension === 3 ? Number.POSITIVE_INFINITY : Number.NaN;
  let high = dimension === 3 ? Number.NEGATIVE_INFINITY : Number.NaN;
  for (let i = 0; i < tokens.length; i += dimension) {
    const first = Number(tokens[i]);
    const second = Number(tokens[i + 1]);
    if (!Number.isFinite(first) || !Number.isFinite(second)) return 'has a position that is not a pair of numbers';
    const position: Position = axes === 'lat lon' ? [second, first] : [first, second];
    ring.push(position);
    if (dimension !== 3) continue;
    const height = Number(tokens[i + 2]);
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  return { ring, low, high };
}
