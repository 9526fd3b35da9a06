import { untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { measure, polygonsOf, type Ring } from '../../vocabulary/geometry.ts';
import type { Adapter, Item } from '../adapter.ts';
import { readGeoJson } from './read-geojson.ts';
import { readShapefile, type ShapefileParts } from './read-shapefile.ts';

const EXTENSION = /\.(shp|dbf|prj|cpg)$/i;
/** Indexes and descriptions that programs write beside them. */
const BESIDE = /\.(?:shx|sbn|sbx|fbn|fbx|ain|aih|ixs|mxs|atx|qix|qpj|qmd|shp\.xml)$/i;

/** As N03 is published; a .json that the operator names may be called anything. */
const GEOJSON = /\.geojson$|(?:^|\/)N03[^/]*\.json$/i;
const JSON_FILE = /\.(?:geojson|json)$/i;

/** The small areas of the census, by name, and the municipalities of 行政区域 (N03), by code. */
export const estat: Adapter = {
  source: 'estat',
  expected:
    'shapefiles (.shp with its .dbf, and .prj and .cpg where there are any), .geojson of municipalities (N03), or zips of them',
  reads: (name) => EXTENSION.test(name) || GEOJSON.test(name),
  readsNamed: (name) => EXTENSION.test(name) || BESIDE.test(name) || JSON_FILE.test(name),
  ignores: (name) => BESIDE.test(name),
  companions,
  read,
};

/** What is read together with one file of a shapefile, whichever of them is named. */
function companions(name: string, siblings: readonly string[]): string[] {
  if (JSON_FILE.test(name)) return [name];
  const stem = name.replace(EXTENSION, '').replace(BESIDE, '');
  return ['shp', 'dbf', 'prj', 'cpg'].flatMap((extension) => {
    const found = siblings.filter((sibling) => sibling.toLowerCase() === `${stem}.${extension}`.toLowerCase());
    // Where only the case of letters tells files apart, the one written alike belongs here.
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
    // The publisher packs the same shapes in several formats.
    if (shp !== undefined)
      yield [{ kind: 'remark', file: file.name, reason: 'not read: its .shp says the same', alone: true }];
    else yield* untilBroken(file.name, remarkIfCoarse(file.name, readGeoJson(file)));
  }
}

/** Parts belong together by their path; the case of letters matters only where two shapefiles differ in nothing else. */
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

/** As published, a corner follows another after some 30 m; in a copy for maps of all Japan, after kilometres. */
const COARSE_M = 200;

/** Says of boundaries of municipalities that were simplified that they cannot be trusted near a border. */
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
  const reason = `its boundaries are simplified to a corner every ${length} m, and near borders wrong: take the file as published`;
  yield [{ kind: 'remark', file, reason, alone: true }];
}
