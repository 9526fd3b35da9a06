import { once } from 'node:events';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Position, type Ring, round7 } from '../src/vocabulary/geometry.ts';
import { type CityBuilding, cityGmlChunks } from '../test/support/write-citygml.ts';
import { headerBlob, nodesBlob, waysBlob } from '../test/support/write-pbf.ts';
import { chance } from './generate-records.ts';

/** A town on mesh tiles with 3,000 buildings each, the same for every source. */
export interface TownBuilding {
  number: number;
  tile: number;
  ring: Ring;
  name: string | undefined;
  floors: number;
  use: number;
  block: number;
  house: number;
}

export const PER_TILE = 3_000;
const COLUMNS = 60;
const ROWS = PER_TILE / COLUMNS;
const TILES_PER_ROW = 20;
const WEST = 139.5;
const SOUTH = 35.5;
const TILE = { lon: 1 / 80, lat: 1 / 120 };
const HEADS = ['東洋', '三和', '第一', '第二', '新', '日本', '中央', 'グランド', 'パーク', 'サン', 'メゾン', '丸の内'];
const KINDS = ['ビル', 'タワー', 'マンション', 'ハイツ', 'プラザ', 'センター', 'レジデンス', '会館', 'コート'];
const OSM_USES = ['office', 'apartments', 'retail', 'house', 'hotel', 'warehouse', 'school', 'yes'];
const PLATEAU_USES = ['401', '412', '402', '411', '403', '431', '422', '461'];

export function tilesOf(count: number): number {
  return Math.ceil(count / PER_TILE);
}

function cornerOf(tile: number): Position {
  return [WEST + (tile % TILES_PER_ROW) * TILE.lon, SOUTH + Math.floor(tile / TILES_PER_ROW) * TILE.lat];
}

/** Buildings with eight corners, each on its own plot. */
export function* townBuildings(count: number): Generator<TownBuilding> {
  const random = chance(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let number = 0; number < count; number++) {
    const tile = Math.floor(number / PER_TILE);
    const plot = number % PER_TILE;
    const [west, south] = cornerOf(tile);
    const [width, height] = [TILE.lon / COLUMNS, TILE.lat / ROWS];
    const x = west + ((plot % COLUMNS) + 0.1 + random() * 0.1) * width;
    const y = south + (Math.floor(plot / COLUMNS) + 0.1 + random() * 0.1) * height;
    const [w, h] = [width * (0.4 + random() * 0.35), height * (0.4 + random() * 0.35)];
    const isNamed = random() < 0.3;
    yield {
      number,
      tile,
      ring: lShape(x, y, w, h),
      name: isNamed ? `${pick(HEADS)}${pick(KINDS)}${1 + Math.floor(random() * 99)}` : undefined,
      floors: 1 + Math.floor(random() ** 3 * 40),
      use: Math.floor(random() * OSM_USES.length),
      block: 1 + Math.floor(plot / COLUMNS),
      house: 1 + (plot % COLUMNS),
    };
  }
}

function lShape(x: number, y: number, w: number, h: number): Ring {
  const at = (dx: number, dy: number): Position => [round7(x + w * dx), round7(y + h * dy)];
  return [at(0, 0), at(0.5, 0), at(1, 0), at(1, 0.6), at(0.6, 0.6), at(0.6, 1), at(0.3, 1), at(0, 1), at(0, 0)];
}

const areaCode = (tile: number, part: number) => `13101${String(tile * 4 + part + 1).padStart(7, '0')}`;
const areaName = (tile: number, part: number) => `若葉${tile + 1}番町${part + 1}丁目`;

/** Four machi-aza per tile, with boundaries of some hundred corners. */
export async function writeTownAreas(path: string, count: number): Promise<void> {
  const out = createWriteStream(path);
  const area = (level: string, code: string, parent: string | null, slug: string, nameJa: string, more: object = {}) =>
    write(out, `${JSON.stringify({ kind: 'area', level, code, parent, slug, nameJa, nameEn: slug, ...more })}\n`);
  await area('prefecture', '13', null, 'tokyo', '東京都');
  await area('ward', '13101', '13', 'chiyoda-ku', '千代田区');
  for (let tile = 0; tile < tilesOf(count); tile++) {
    const [west, south] = cornerOf(tile);
    for (let part = 0; part < 4; part++) {
      const [x, y] = [west + (part % 2) * (TILE.lon / 2), south + Math.floor(part / 2) * (TILE.lat / 2)];
      const boundary = { type: 'Polygon', coordinates: [frame(x, y, TILE.lon / 2, TILE.lat / 2)] };
      const slug = `wakaba-${tile + 1}-${part + 1}`;
      await area('machiAza', areaCode(tile, part), '13101', slug, areaName(tile, part), { boundary });
    }
  }
  await end(out);
}

function frame(x: number, y: number, w: number, h: number): Ring {
  const steps = 30;
  const ring: Ring = [];
  for (let i = 0; i < steps; i++) ring.push([x + (w * i) / steps, y]);
  for (let i = 0; i < steps; i++) ring.push([x + w, y + (h * i) / steps]);
  for (let i = 0; i < steps; i++) ring.push([x + w - (w * i) / steps, y + h]);
  for (let i = 0; i < steps; i++) ring.push([x, y + h - (h * i) / steps]);
  ring.push([x, y]);
  return ring.map(([lon, lat]): Position => [round7(lon), round7(lat)]);
}

/** A folder of CityGML tiles; `surfaces` adds LOD2 surfaces to each building, as in many real files. */
export async function writeTownGml(folder: string, count: number, surfaces = 0): Promise<void> {
  const bldg = join(folder, 'udx', 'bldg');
  mkdirSync(bldg, { recursive: true });
  let buildings: CityBuilding[] = [];
  let tile = 0;
  const flush = async () => {
    const out = createWriteStream(join(bldg, `${tile}_bldg_6697_op.gml`), { highWaterMark: 1 << 20 });
    const options = surfaces > 0 ? { uro: '3.1' as const, surfaces } : { uro: '3.1' as const };
    for (const chunk of cityGmlChunks(buildings, options)) await write(out, chunk);
    await end(out);
    buildings = [];
  };
  for (const building of townBuildings(count)) {
    if (building.tile !== tile) {
      await flush();
      tile = building.tile;
    }
    buildings.push(toCityBuilding(building, surfaces));
  }
  await flush();
}

function toCityBuilding({ number, tile, ring, floors, use }: TownBuilding, surfaces: number): CityBuilding {
  return {
    gmlId: `bldg_${number}`,
    id: `13101-bldg-${number}`,
    usage: PLATEAU_USES[use] as string,
    height: Math.round(floors * 34) / 10,
    storeysAbove: floors,
    storeysBelow: use === 0 ? 1 : 0,
    year: 1960 + (number % 60),
    floorArea: 80 * floors,
    address: `東京都千代田区${areaName(tile, 0)}`,
    outline: [ring.map(([lon, lat]): Position => [round7(lon + 0.000003), round7(lat + 0.000002)])],
    shapes: surfaces > 0 ? ['lod0RoofEdge', 'lod1Solid', 'lod2'] : ['lod0RoofEdge', 'lod1Solid'],
  };
}

const CORNERS = 8;
const PER_BLOB = 8_000;

/** An extract: the nodes of all buildings, and `filler` nodes of roads between them; then the ways. */
export async function writeTownPbf(path: string, count: number, filler = 0): Promise<void> {
  const out = createWriteStream(path, { highWaterMark: 1 << 20 });
  await write(out, headerBlob());
  let nodes: Nodes = { ids: [], lons: [], lats: [] };
  const add = async (id: number, [lon, lat]: Position) => {
    nodes.ids.push(id);
    nodes.lons.push(lon);
    nodes.lats.push(lat);
    if (nodes.ids.length < PER_BLOB) return;
    await write(out, nodesBlob(nodes.ids, nodes.lons, nodes.lats));
    nodes = { ids: [], lons: [], lats: [] };
  };
  for (const { number, ring } of townBuildings(count)) {
    for (let i = 0; i < CORNERS; i++) await add(number * CORNERS + i + 1, ring[i] as Position);
  }
  const random = chance(11);
  const first = count * CORNERS + 1;
  for (let i = 0; i < filler; i++) await add(first + i, [139.5 + random(), 35.5 + random()]);
  if (nodes.ids.length > 0) await write(out, nodesBlob(nodes.ids, nodes.lons, nodes.lats));
  let ways: Parameters<typeof waysBlob>[0][number][] = [];
  const flush = async () => {
    await write(out, waysBlob(ways));
    ways = [];
  };
  for (const building of townBuildings(count)) {
    ways.push(toWay(building));
    if (ways.length === PER_BLOB) await flush();
  }
  const roads = Math.floor(filler / 10);
  for (let i = 0; i < roads; i++) {
    const refs = Array.from({ length: 10 }, (_, j) => first + i * 10 + j);
    ways.push({ id: count + i + 1, refs, tags: { highway: 'residential' } });
    if (ways.length === PER_BLOB) await flush();
  }
  if (ways.length > 0) await flush();
  await end(out);
}

interface Nodes {
  ids: number[];
  lons: number[];
  lats: number[];
}

function toWay({
  number,
  name,
  floors,
  use,
  tile,
  block,
  house,
}: TownBuilding): Parameters<typeof waysBlob>[0][number] {
  const refs = Array.from({ length: CORNERS + 1 }, (_, i) => number * CORNERS + (i % CORNERS) + 1);
  const tags: Record<string, string> = { building: OSM_USES[use] as string, 'building:levels': String(floors) };
  if (name !== undefined) {
    tags.name = name;
    tags['addr:full'] = `東京都千代田区${areaName(tile, 0)}${block}番${house}号`;
  }
  return { id: number + 1, refs, tags };
}

async function write(out: WriteStream, chunk: string | Buffer): Promise<void> {
  if (!out.write(chunk)) await once(out, 'drain');
}

async function end(out: WriteStream): Promise<void> {
  out.end();
  await once(out, 'finish');
}
