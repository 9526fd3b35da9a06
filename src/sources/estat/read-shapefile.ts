import { isUtf8 } from 'node:buffer';
import { openShp } from 'shapefile';
import { BrokenFile } from '../../files/broken-file.ts';
import { readWhole, type SourceFile } from '../../files/source-file.ts';
import { type AreaGeometry, polygonsOf } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { type AreaAttributes, readAttributes, reportUnassigned } from './attributes.ts';
import { type AreaShape, boundaryItems } from './boundary-items.ts';
import { checkDbf, checkShp } from './check-shapefile.ts';

/** The shapefile library needs whole files in memory. */
const MAX_BYTES = 200 * 1024 * 1024;

/** The files of one shapefile by extension. */
export type ShapefileParts = Map<string, SourceFile>;

export async function* readShapefile(name: string, parts: ShapefileParts): AsyncGenerator<Item[]> {
  const [shpFile, dbfFile, prj, cpg] = ['shp', 'dbf', 'prj', 'cpg'].map((extension) => parts.get(extension));
  const stem = name.slice(name.lastIndexOf('/') + 1).slice(0, -4);
  if (shpFile === undefined) throw new BrokenFile(`${stem}.shp is missing`);
  if (dbfFile === undefined) {
    throw new BrokenFile(`${stem}.dbf is missing; it has the names of the areas`);
  }
  const fault = prj && faultInProjection((await readPart(prj, 'the .prj', 1 << 16)).toString());
  if (fault !== undefined) throw new BrokenFile(fault);
  const saysUtf8 = cpg !== undefined && /^(utf-?8|65001)/i.test((await readPart(cpg, 'the .cpg', 1 << 10)).toString());

  const shp = await readPart(shpFile, 'the .shp', MAX_BYTES);
  const shapes = checkShp(shp);
  const dbf = await readPart(dbfFile, 'the .dbf', MAX_BYTES);
  const rows = checkDbf(dbf);
  // The census has CP932 without a .cpg; a file converted to UTF-8 may lack it too.
  const encoding = saysUtf8 || isUtf8(dbf.subarray(dbf.readUInt16LE(8), rows.end)) ? 'utf-8' : 'shift_jis';
  const { attributes, areWards } = await orBroken(() => readAttributes(dbf.subarray(0, rows.end), encoding));
  const count = Math.min(shapes.records, attributes.length);
  yield* readBoundaries(shpFile.name, shp.subarray(0, shapes.end), attributes, count);
  const reason = shapes.fault ?? rows.fault;
  if (reason !== undefined) throw new BrokenFile(reason);
  if (shapes.records !== attributes.length) {
    throw new BrokenFile(
      `${shapes.records} shapes, but ${attributes.length} rows in the .dbf: the files do not belong together`,
    );
  }
  if (!areWards) return;
  const unassigned = attributes.flatMap((row, index) => (row === undefined ? index + 1 : []));
  yield reportUnassigned(shpFile.name, unassigned, attributes.length);
}

const readPart = (file: SourceFile, what: string, max: number): Promise<Buffer> =>
  readWhole(file, max, `${what} is larger than ${max} bytes; use one file per prefecture`);

/** The library throws any error at an invalid file. */
async function orBroken<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof BrokenFile) throw error;
    throw new BrokenFile('the .dbf has columns of an unknown type');
  }
}

/** An area and the index of its last feature. */
interface Group extends AreaShape {
  last: number;
}

/** Yields the boundary of each area after its last feature. Reads at most `count` shapes. */
async function* readBoundaries(
  file: string,
  shp: Buffer,
  attributes: readonly (AreaAttributes | undefined)[],
  count: number,
): AsyncGenerator<Item[]> {
  const groups = groupFeatures(attributes);
  const shapes = await openShp(shp);
  let items: Item[] = [];
  for (let index = 0; index < count; index++) {
    const { value, done } = await shapes.read();
    if (done) break;
    const group = groups[index];
    if (group === undefined) continue;
    if (value !== null) for (const polygon of polygonsOf(value as AreaGeometry)) group.polygons.push(polygon);
    if (index < group.last) continue;
    items.push(...boundaryItems(file, group));
    group.polygons = [];
    if (items.length >= 100) {
      yield items;
      items = [];
    }
  }
  yield items;
}

/** Features of one code and name form a neighbourhood; features of one code form a municipality. */
function groupFeatures(attributes: readonly (AreaAttributes | undefined)[]): (Group | undefined)[] {
  const byKey = new Map<string, Map<string, Group>>();
  return attributes.map((attribute, index) => {
    if (attribute === undefined) return undefined;
    const { key, nameJa, isWard } = attribute;
    const names = byKey.get(key) ?? new Map<string, Group>();
    byKey.set(key, names);
    const id = names.size === 0 ? key : `${key}-${names.size + 1}`;
    const name = isWard ? '' : nameJa;
    const known = names.get(name) ?? { ...attribute, id, first: index, last: index, polygons: [] };
    names.set(name, known);
    known.last = index;
    return known;
  });
}

const EXPECTED = 'expected longitude and latitude in JGD2000, JGD2011 or WGS84 (世界測地系緯度経度)';
const KNOWN = /JGD[ _]?20(?:00|11)|Japanese[ _]Geodetic[ _]Datum|WGS[ _]?(?:19)?84/i;

/** Why the reference system of a .prj is not supported; undefined if it is. */
function faultInProjection(prj: string): string | undefined {
  if (/^\s*PROJ/i.test(prj)) return `the .prj states plane coordinates; ${EXPECTED}`;
  if (/tokyo/i.test(prj)) return `the .prj states the Tokyo datum, which is about 400 m off; ${EXPECTED}`;
  if (!/^\s*GEOG/i.test(prj) || !KNOWN.test(prj)) return `the .prj states an unknown reference system; ${EXPECTED}`;
  return undefined;
}
