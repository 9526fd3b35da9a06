import type { Db } from '../storage/storage.ts';
import { type AreaGeometry, metresPerDegree, type Position, polygonsOf } from '../vocabulary/geometry.ts';
import { meshCentre, meshCodeOf } from '../vocabulary/mesh.ts';

const CACHED_TILES = 64;
const [HALF_WIDTH, HALF_HEIGHT] = [1 / 160, 1 / 240];
/** Published boundaries have a vertex about every 30 m; one with a larger average distance was simplified. */
const COARSE_M = 200;
/** A shape with fewer vertices may be exact. */
const FEWEST_CORNERS = 12;
/**
 * A simplified boundary is off by up to about twice the distance of its vertices; the margin is never larger than this.
 */
const WIDEST_MARGIN_M = 2_000;

/** The edges of a boundary at the latitudes of one tile: four numbers per edge, one array per polygon. */
interface Band {
  code: string;
  /** How far inside a position has to be, because the boundary was simplified. */
  marginM: number;
  polygons: Float64Array[];
}

/**
 * The boundaries of wards, read tile by tile when needed. A coast has tens of thousands of edges, but only those at the
 * latitudes of a tile decide what is inside.
 */
export class WardBoundaries {
  readonly #tiles = new Map<string, Band[]>();

  clear(): void {
    this.#tiles.clear();
  }

  /**
   * The ward whose boundary contains a position; undefined if none does, or more than one, or if the position is too
   * close to a simplified boundary.
   */
  async locate(db: Db, position: Position): Promise<string | undefined> {
    const tile = meshCodeOf(position);
    let bands = this.#tiles.get(tile);
    if (bands === undefined) {
      bands = await loadBands(db, meshCentre(tile));
      if (this.#tiles.size >= CACHED_TILES) this.#tiles.clear();
      this.#tiles.set(tile, bands);
    }
    const holding = bands.filter(({ polygons }) => polygons.some((edges) => isInside(edges, position)));
    const [only, another] = holding;
    return only === undefined || another !== undefined || isNearEdge(only, position) ? undefined : only.code;
  }
}

async function loadBands(db: Db, [lon, lat]: Position): Promise<Band[]> {
  const rows = await db
    .selectFrom('area')
    .select(['code', 'boundary'])
    .where('level', '=', 'ward')
    .where('west', '<=', lon + HALF_WIDTH)
    .where('east', '>=', lon - HALF_WIDTH)
    .where('south', '<=', lat + HALF_HEIGHT)
    .where('north', '>=', lat - HALF_HEIGHT)
    .execute();
  return rows.map(({ code, boundary }) => {
    const polygons = polygonsOf(JSON.parse(boundary as string) as AreaGeometry);
    const marginM = marginOf(polygons, lat);
    const reach = HALF_HEIGHT + marginM / metresPerDegree(lat).lat;
    const edges = polygons.map((rings) => edgesBetween(rings, lat - reach, lat + reach));
    return { code, marginM, polygons: edges.filter(({ length }) => length > 0) };
  });
}

function marginOf(polygons: readonly Position[][][], lat: number): number {
  const scale = metresPerDegree(lat);
  let [length, corners] = [0, 0];
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1] as Position, ring[i] as Position];
      length += Math.hypot((b[0] - a[0]) * scale.lon, (b[1] - a[1]) * scale.lat);
      corners += 1;
    }
  }
  const apart = length / corners;
  return corners < FEWEST_CORNERS || apart < COARSE_M ? 0 : Math.min(2 * apart, WIDEST_MARGIN_M);
}

function isNearEdge({ marginM, polygons }: Band, [lon, lat]: Position): boolean {
  if (marginM === 0) return false;
  const scale = metresPerDegree(lat);
  return polygons.some((edges) => {
    for (let i = 0; i < edges.length; i += 4) {
      const ax = ((edges[i] as number) - lon) * scale.lon;
      const ay = ((edges[i + 1] as number) - lat) * scale.lat;
      const bx = ((edges[i + 2] as number) - lon) * scale.lon;
      const by = ((edges[i + 3] as number) - lat) * scale.lat;
      const squared = (bx - ax) ** 2 + (by - ay) ** 2;
      const along = squared === 0 ? 0 : Math.min(1, Math.max(0, -(ax * (bx - ax) + ay * (by - ay)) / squared));
      if (Math.hypot(ax + along * (bx - ax), ay + along * (by - ay)) < marginM) return true;
    }
    return false;
  });
}

function edgesBetween(rings: readonly Position[][], south: number, north: number): Float64Array {
  const edges: number[] = [];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1] as Position, ring[i] as Position];
      if (Math.max(a[1], b[1]) >= south && Math.min(a[1], b[1]) <= north) edges.push(...a, ...b);
    }
  }
  return Float64Array.from(edges);
}

function isInside(edges: Float64Array, [x, y]: Position): boolean {
  let inside = false;
  for (let i = 0; i < edges.length; i += 4) {
    const [ax, ay] = [edges[i] as number, edges[i + 1] as number];
    const [bx, by] = [edges[i + 2] as number, edges[i + 3] as number];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
