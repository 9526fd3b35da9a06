import type { Db } from '../storage/storage.ts';
import { type AreaGeometry, meshCentre, meshCodeOf, type Position, polygonsOf } from '../vocabulary/geometry.ts';

const CACHED_TILES = 64;
const [HALF_WIDTH, HALF_HEIGHT] = [1 / 160, 1 / 240];

/** What is left of a boundary in the band of latitudes of one tile: of each polygon the ends of its edges, four numbers each. */
interface Band {
  code: string;
  polygons: Float64Array[];
}

/**
 * The boundaries of wards, read tile by tile as places are asked for. A coast has tens of thousands of edges, and only
 * those at the latitudes of a tile tell whether it is inside.
 */
export class WardBoundaries {
  readonly #tiles = new Map<string, Band[]>();

  clear(): void {
    this.#tiles.clear();
  }

  /** The ward whose boundary holds a place; undefined where none does, or more than one. */
  async locate(db: Db, position: Position): Promise<string | undefined> {
    const tile = meshCodeOf(position);
    let bands = this.#tiles.get(tile);
    if (bands === undefined) {
      bands = await loadBands(db, meshCentre(tile));
      if (this.#tiles.size >= CACHED_TILES) this.#tiles.clear();
      this.#tiles.set(tile, bands);
    }
    const holding = bands.filter(({ polygons }) => polygons.some((edges) => isInside(edges, position)));
    return holding.length === 1 ? holding[0]?.code : undefined;
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
    const edges = polygons.map((rings) => edgesBetween(rings, lat - HALF_HEIGHT, lat + HALF_HEIGHT));
    return { code, polygons: edges.filter(({ length }) => length > 0) };
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
