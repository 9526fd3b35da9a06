import { untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { measure, polygonsOf, type Ring } from '../../vocabulary/geometry.ts';
import type { Adapter, Item } from '../adapter.ts';
import { readGeoJson } from './read-geojson.ts';
import { readShapefile, type ShapefileParts } from './read-shapefile.ts';

const EXTENSION = /\.(shp|dbf|prj|cpg)$/i;
/** Indexes and metadata that other programs write next to a shapefile. */
const BESIDE = /\.(?:shx|sbn|sbx|fbn|fbx|ain|aih|ixs|mxs|atx|qix|qpj|qmd|shp\.xml)$/i;

/** The published names of N03; a .json that the operator names may be called anything. */
const GEOJSON = /\.geojson$|(?:^|\/)N03[^/]*\.json$/i;
const JSON_FILE = /\.(?:geojson|json)$/i;

/** Boundaries: the small areas of the census, by name, and the municipalities of 行政区域 (N03), by code. */
export const estat: Adapter = {
  source: 'estat',
  expected:
    'shapefiles (.shp and .dbf, with .prj and .cpg if present), .geojson of municipalities (N03), or zips of them',
  reads: (name) => EXTENSION.test(name) || GEOJSON.test(name),
  readsNamed: (name) => EXTENSION.test(name) || BESIDE.test(name) || JSON_FILE.test(name),
  ignores: (name) => BESIDE.test(name),
  companions,
  read,
};

/** The files of a shapefile, whichever of them is named. */
function companions(name: string, siblings: readonly string[]): string[] {
  if (JSON_FILE.test(name)) return [name];
  const stem = name.replace(EXTENSION, '').replace(BESIDE, '');
  return ['shp', 'dbf', 'prj', 'cpg'].flatMap((extension) => {
    const found = siblings.filter((sibling) => sibling.toLowerCase() === `${stem}.${extension}`.toLowerCase());
    // If names differ only in case, the one with the same spelling wins.
    return found.find((sibling) => sibling.slice(0, -4) === stem) ?? found[0] ?? [];
  });
}

async function* read(files: readonly SourceFile[]): AsyncGenerator<Item[]> {
  for (const parts of groupShapefiles(files)) {
    const file = parts.get('shp') ?? parts.get('dbf');
    if (file !== undefined) yield* untilBroken(file.name, remarkIfCoarse(file.name, readShapefile(file.name, parts)));
  }
  for (const file of files) {
    if (!JSON_FILE.test(file.name)) continue;
    const shp = files.find(({ name }) => name.toLowerCase() === file.name.replace(JSON_FILE, '.shp').toLowerCase());
    // The publisher provides the same shapes in several formats.
    if (shp !== undefined)
      yield [{ kind: 'remark', file: file.name, reason: 'not read: the .shp has the same shapes', alone: true }];
    else yield* untilBroken(file.name, remarkIfCoarse(file.name, readGeoJson(file)));
  }
}

/** Groups files by path without extension; case matters only if two shapefiles differ in nothing else. */
function groupShapefiles(files: readonly SourceFile[]): ShapefileParts[] {
  const groups = new Map<string, ShapefileParts[]>();
  const byStem = new Map<string, ShapefileParts>();
  const later: [key: string, extension: string, file: SourceFile][] = [];
  for (const file of files) {
    const extension = EXTENSION.exec(file.name)?.[1]?.toLowerCase();
    if (extension === undefined) continue;
    const stem = file.name.slice(0, -4);
    const key = stem.toLowerCase();
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    if (extension !== 'shp') {
      later.push([key, extension, file]);
      continue;
    }
    const parts: ShapefileParts = byStem.get(stem) ?? new Map();
    parts.set(extension, file);
    if (!byStem.has(stem)) group.push(parts);
    byStem.set(stem, parts);
  }
  for (const [key, extension, file] of later) {
    const own = byStem.get(file.name.slice(0, -4));
    const parts = own ?? groups.get(key)?.find((other) => !other.has(extension)) ?? new Map<string, SourceFile>();
    if (!parts.has(extension)) parts.set(extension, file);
    if (groups.get(key)?.length === 0) groups.set(key, [parts]);
  }
  return [...groups.values()].flat();
}

/** Published boundaries have a corner every 30 m or so; copies simplified for maps of all Japan, every few kilometres. */
const COARSE_M = 200;

/** Adds a remark if the boundaries of municipalities are simplified, since they are then wrong near borders. */
async function* remarkIfCoarse(file: string, reading: AsyncIterable<Item[]>): AsyncGenerator<Item[]> {
  let metres = 0;
  let edges = 0;
  for await (const items of reading) {
    for (const item of items) {
      if (item.kind !== 'boundary' || !item.boundary.id.includes('/')) continue;
      metres += measure(item.boundary.boundary).perimeterM;
      for (const [outer] of polygonsOf(item.boundary.boundary)) edges += (outer as Ring).length - 1;
    }
    yield items;
  }
  const length = Math.round(metres / edges);
  if (!(length > COARSE_M)) return;
  const reason = `boundaries are simplified to one corner per ${length} m and wrong near borders; use the file as published`;
  yield [{ kind: 'remark', file, reason, alone: true }];
}
