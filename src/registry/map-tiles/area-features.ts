import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import {
  type AreaGeometry,
  boxOf,
  type Geometry,
  type Measures,
  type MultiPolygon,
  type Position,
} from '../../vocabulary/geometry.ts';
import { BUFFER, boxOfMapTile, type MapTile } from '../../vocabulary/map-tile.ts';
import { PREFECTURE_NAMES_EN, prefectureOutlines } from '../../vocabulary/prefecture-outlines.ts';
import { PREFECTURE_NAMES, prefecturesAround } from '../../vocabulary/prefectures.ts';
import { type FinishedResponse, tagOf } from '../records.ts';
import { encodeLayers, type TileShape } from './build-tile.ts';

type Box = Measures['bbox'];

/** The bundled outlines are too coarse beyond this zoom. */
const LAST_ZOOM_OF_OUTLINES = 10;
const FIRST_ZOOM_OF_WARDS = 8;
const FIRST_ZOOM_OF_MACHI_AZA = 12;

/**
 * UI-81, UI-82: a map tile of areas. `land` and `lines` are the bundled outlines of prefectures, `boundaries` those of
 * wards and machi-aza that the registry has, and `labels` a point for each area.
 */
export async function buildAreaTile(reads: Reads, tile: MapTile): Promise<FinishedResponse> {
  const layers: Record<'land' | 'lines' | 'boundaries' | 'labels', TileShape[]> = {
    land: [],
    lines: [],
    boundaries: [],
    labels: [],
  };
  const box = boxOfMapTile(tile, BUFFER);
  const isHere = isIn(boxOfMapTile(tile, 0));
  if (tile.z <= LAST_ZOOM_OF_OUTLINES) {
    const { shapes, lines, labels } = prefectures();
    layers.land = shapes.filter((shape) => meets(shape.box, box));
    layers.lines = lines.filter((line) => meets(line.box, box));
    layers.labels = labels.filter(({ geometry }) => isHere(geometry.coordinates as Position));
  }
  if (tile.z >= FIRST_ZOOM_OF_WARDS) {
    for (const area of await readAreas(reads, tile, box)) {
      const shape: AreaGeometry | null = area.boundary === null ? null : JSON.parse(area.boundary);
      const properties = { level: area.level, name: area.name_ja, nameEn: area.name_en };
      const id = Number(area.code);
      if (shape !== null) layers.boundaries.push({ id, geometry: shape, properties });
      const point = pointOf(area);
      if (point !== undefined && isHere(point)) {
        layers.labels.push({ id, geometry: { type: 'Point', coordinates: point }, properties });
      }
    }
  }
  const body = encodeLayers(layers, tile, SIMPLIFIED);
  return { etag: `"${tagOf(body)}"`, body };
}

/** In units of a tile; what is closer is not seen. */
const SIMPLIFIED = 3;

/** West and south edges belong to the tile, so that a label is on one tile only. */
function isIn([west, south, east, north]: Box): (position: Position) => boolean {
  return ([lon, lat]) => lon >= west && lon < east && lat > south && lat <= north;
}

const meets = (a: Box, b: Box) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];

interface BoxedShape extends TileShape {
  box: Box;
}

let bundled: { shapes: BoxedShape[]; lines: BoxedShape[]; labels: (TileShape & { geometry: Geometry })[] } | undefined;

function prefectures() {
  bundled ??= describePrefectures();
  return bundled;
}

function describePrefectures(): NonNullable<typeof bundled> {
  const { areas, coasts, borders } = prefectureOutlines();
  const line = (kind: string) => (coordinates: Position[], i: number) => {
    const box = boxOf({ type: 'Polygon', coordinates: [coordinates] });
    return { id: i, geometry: { type: 'LineString' as const, coordinates }, properties: { kind }, box };
  };
  return {
    shapes: areas.map((geometry, i) => ({ id: i + 1, geometry, properties: {}, box: boxOf(geometry) })),
    lines: [...coasts.map(line('coast')), ...borders.map(line('border'))],
    labels: areas.map((geometry, i) => {
      const [name, nameEn] = [PREFECTURE_NAMES[i] as string, PREFECTURE_NAMES_EN[i] as string];
      const properties = { level: 'prefecture', name, nameEn };
      return { id: i + 1, geometry: { type: 'Point', coordinates: centreOf(geometry) }, properties };
    }),
  };
}

/** The centre of mass of the largest part: no prefecture is so crooked that it lies outside. */
function centreOf({ coordinates }: MultiPolygon): Position {
  let [x, y, largest] = [0, 0, 0];
  for (const [ring = []] of coordinates) {
    let [sumX, sumY, area] = [0, 0, 0];
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1] as Position, ring[i] as Position];
      const cross = ax * by - bx * ay;
      area += cross;
      sumX += (ax + bx) * cross;
      sumY += (ay + by) * cross;
    }
    if (Math.abs(area) <= largest) continue;
    [x, y, largest] = [sumX / (3 * area), sumY / (3 * area), Math.abs(area)];
  }
  return [x, y];
}

type AreaRow = Omit<Tables['area'], 'parent' | 'slug' | 'retrieved_at'>;

/** The wards, and from some zoom on the machi-aza, that may be on a tile. */
async function readAreas(reads: Reads, { z }: MapTile, box: Box): Promise<AreaRow[]> {
  const codes = prefecturesIn(box);
  const wards = codes.length === 0 ? [] : await readChildren(reads, codes, box);
  await addCentres(reads, wards);
  if (z < FIRST_ZOOM_OF_MACHI_AZA || wards.length === 0) return wards;
  const machiAza = await readChildren(
    reads,
    wards.map(({ code }) => code),
    box,
  );
  return [...wards, ...machiAza];
}

/** By parent: the database has no index by place. Areas without a boundary are kept, because their parts may have one. */
async function readChildren(reads: Reads, parents: readonly string[], box: Box): Promise<AreaRow[]> {
  const [west, south, east, north] = box;
  const rows = await reads.all<AreaRow>(
    `select code, level, name_ja, name_en, boundary, west, south, east, north, lat, lon from area
      where ${isAmong(reads, 'parent')} and (west is null or (west <= ? and east >= ? and south <= ? and north >= ?))`,
    [listParameter(reads, parents), east, west, north, south],
  );
  return rows.sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Gives wards of which neither a point nor a boundary is known the centre of their machi-aza. */
async function addCentres(reads: Reads, wards: readonly AreaRow[]): Promise<void> {
  const unknown = wards.filter((ward) => pointOf(ward) === undefined);
  if (unknown.length === 0) return;
  const rows = await reads.all<{ parent: string; lat: number | null; lon: number | null }>(
    `select parent, avg(coalesce(lat, (south + north) / 2)) as lat, avg(coalesce(lon, (west + east) / 2)) as lon
      from area where ${isAmong(reads, 'parent')} group by parent`,
    [
      listParameter(
        reads,
        unknown.map(({ code }) => code),
      ),
    ],
  );
  const centres = new Map(rows.map((row) => [row.parent, row]));
  for (const ward of unknown) Object.assign(ward, { lat: null, lon: null, ...centres.get(ward.code) });
}

/** The cells of prefecturesAround are 1/32 by 1/48 of a degree. */
function prefecturesIn([west, south, east, north]: Box): string[] {
  const found = new Set<string>();
  for (let lat = south; ; lat = Math.min(lat + 1 / 48, north)) {
    for (let lon = west; ; lon = Math.min(lon + 1 / 32, east)) {
      for (const code of prefecturesAround([lon, lat])) found.add(code);
      if (lon >= east) break;
    }
    if (lat >= north) break;
  }
  return [...found];
}

function pointOf({ lat, lon, west, south, east, north }: AreaRow): Position | undefined {
  if (lat !== null && lon !== null) return [lon, lat];
  if (west === null || south === null || east === null || north === null) return undefined;
  return [(west + east) / 2, (south + north) / 2];
}
