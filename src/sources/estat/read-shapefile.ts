import { isUtf8 } from 'node:buffer';
import { openShp } from 'shapefile';
import { BrokenFile } from '../../files/broken-file.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { type AreaGeometry, polygonsOf } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { type AreaAttributes, readAttributes, reportUnassigned } from './attributes.ts';
import { type AreaShape, boundaryItems } from './boundary-items.ts';
import { checkDbf, checkShp } from './check-shapefile.ts';

/** The reader of the format wants whole files. */
const MAX_BYTES = 200 * 1024 * 1024;

/** The files of one shapefile by their extension. */
export type ShapefileParts = Map<string, SourceFile>;

export async function* readShapefile(name: string, parts: ShapefileParts): AsyncGenerator<Item[]> {
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
  yield reportUnassigned(shpFile.name, unassigned, attributes.length);
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

/** An area, and where the last of its features stands. */
interface Group extends AreaShape {
  last: number;
}

/** Of each area its boundary, once its last part is read; only those in between are held. No more than `count` shapes are there. */
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

/** A neighbourhood is the features of one code and one name, a municipality those of one code. */
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

const READ = 'read are longitude and latitude in JGD2000, JGD2011 or WGS84 (世界測地系緯度経度)';
const KNOWN = /JGD[ _]?20(?:00|11)|Japanese[ _]Geodetic[ _]Datum|WGS[ _]?(?:19)?84/i;

/** Why positions under a .prj cannot be taken as they are, or undefined where they can. */
function faultInProjection(prj: string): string | undefined {
  if (/^\s*PROJ/i.test(prj)) return `its .prj says plane coordinates; ${READ}`;
  if (/tokyo/i.test(prj)) return `its .prj says the Tokyo datum, some 400 m off; ${READ}`;
  if (!/^\s*GEOG/i.test(prj) || !KNOWN.test(prj)) return `its .prj says no known reference system; ${READ}`;
  return undefined;
}
