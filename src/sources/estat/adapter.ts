import { isUtf8 } from 'node:buffer';
import { BrokenFile, untilBroken } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import type { Adapter, Item } from '../adapter.ts';
import { faultInProjection } from './check-projection.ts';
import { checkDbf, checkShp } from './check-shapefile.ts';
import { leftOut } from './municipality.ts';
import { readAttributes } from './read-attributes.ts';
import { readBoundaries } from './read-boundaries.ts';
import { readGeoJson } from './read-geojson.ts';
import { tellCoarse } from './tell-coarse.ts';

/** The reader of the format wants whole files. */
const MAX_BYTES = 200 * 1024 * 1024;

/** The files of one shapefile by their extension. */
type Parts = Map<string, SourceFile>;

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
    if (file !== undefined) yield* untilBroken(file.name, tellCoarse(file.name, readShapefile(file.name, parts)));
  }
  for (const file of files) {
    if (!JSON_FILE.test(file.name)) continue;
    const shp = files.find(({ name }) => name.toLowerCase() === file.name.replace(JSON_FILE, '.shp').toLowerCase());
    // The publisher packs the same shapes in several formats.
    if (shp !== undefined)
      yield [{ kind: 'remark', file: file.name, reason: 'not read: its .shp says the same', alone: true }];
    else yield* untilBroken(file.name, tellCoarse(file.name, readGeoJson(file)));
  }
}

/** Parts belong together by their path; the case of letters matters only where two shapefiles differ in nothing else. */
function groupShapefiles(files: readonly SourceFile[]): Parts[] {
  const groups = new Map<string, Parts[]>();
  const byStem = new Map<string, Parts>();
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
    const parts: Parts = byStem.get(stem) ?? new Map();
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

async function* readShapefile(name: string, parts: Parts): AsyncGenerator<Item[]> {
  const [shpFile, dbfFile, prj, cpg] = ['shp', 'dbf', 'prj', 'cpg'].map((extension) => parts.get(extension));
  const stem = name.slice(name.lastIndexOf('/') + 1).slice(0, -4);
  if (shpFile === undefined) throw new BrokenFile(`${stem}.shp is missing: it must lie beside it`);
  if (dbfFile === undefined) {
    throw new BrokenFile(`${stem}.dbf is missing: it must lie beside it, since it has the names of the areas`);
  }
  const fault = prj && faultInProjection((await readWhole(prj, 'its .prj', 1 << 16)).toString());
  if (fault !== undefined) throw new BrokenFile(fault);
  const saysUtf8 = cpg !== undefined && /^(utf-?8|65001)/i.test((await readWhole(cpg, 'its .cpg', 1 << 10)).toString());

  const shp = await readWhole(shpFile, 'it', MAX_BYTES);
  const shapes = checkShp(shp);
  const dbf = await readWhole(dbfFile, 'its .dbf', MAX_BYTES);
  const rows = checkDbf(dbf);
  // The census writes CP932 and no .cpg; who converts it may forget the .cpg.
  const encoding = saysUtf8 || isUtf8(dbf.subarray(dbf.readUInt16LE(8), rows.end)) ? 'utf-8' : 'shift_jis';
  const { attributes, areWards } = await understood(() => readAttributes(dbf.subarray(0, rows.end), encoding));
  const count = Math.min(shapes.records, attributes.length);
  yield* readBoundaries(shpFile.name, shp.subarray(0, shapes.end), attributes, count);
  const reason = shapes.fault ?? rows.fault;
  if (reason !== undefined) throw new BrokenFile(reason);
  if (shapes.records !== attributes.length) {
    throw new BrokenFile(`it has ${shapes.records} shapes and its .dbf ${attributes.length} rows: they are no pair`);
  }
  if (!areWards) return;
  const unassigned = attributes.flatMap((row, index) => (row === undefined ? index + 1 : []));
  yield leftOut(shpFile.name, unassigned, attributes.length);
}

async function readWhole(file: SourceFile, what: string, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.bytes()) {
    length += chunk.length;
    if (length > max)
      throw new BrokenFile(`${what} is larger than ${max} bytes: take the files of one prefecture each`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The reader of the format throws at what is none. */
async function understood<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile('its .dbf has columns of an unknown type');
  }
}
