import { isUtf8 } from 'node:buffer';
import type { Adapter, Item, SourceFile } from '../adapter.ts';
import { BrokenFile, untilBroken } from '../broken-file.ts';
import { faultInProjection } from './check-projection.ts';
import { checkDbf, checkShp } from './check-shapefile.ts';
import { readAttributes } from './read-attributes.ts';
import { readBoundaries } from './read-boundaries.ts';

/** The reader of the format wants whole files. */
const MAX_BYTES = 200 * 1024 * 1024;

/** The files of one shapefile by their extension. */
type Parts = Map<string, SourceFile>;

const EXTENSION = /\.(shp|dbf|prj|cpg)$/i;

/** The small areas of the census: the boundaries of neighbourhoods, by name. */
export const estat: Adapter = {
  source: 'estat',
  reads: (name) => EXTENSION.test(name),
  read,
};

async function* read(files: readonly SourceFile[]): AsyncGenerator<Item[]> {
  const shapefiles = new Map<string, Parts>();
  for (const file of files) {
    const extension = EXTENSION.exec(file.name)?.[1]?.toLowerCase();
    if (extension === undefined) continue;
    const stem = file.name.slice(0, -4).toLowerCase();
    shapefiles.set(stem, (shapefiles.get(stem) ?? new Map()).set(extension, file));
  }
  for (const parts of shapefiles.values()) {
    const file = parts.get('shp') ?? parts.get('dbf');
    if (file !== undefined) yield* untilBroken(file.name, readShapefile(parts));
  }
}

async function* readShapefile(parts: Parts): AsyncGenerator<Item[]> {
  const [shpFile, dbfFile, prj, cpg] = ['shp', 'dbf', 'prj', 'cpg'].map((extension) => parts.get(extension));
  if (shpFile === undefined) throw new BrokenFile('it has no .shp of the same name beside it');
  if (dbfFile === undefined)
    throw new BrokenFile('it has no .dbf of the same name beside it, so its areas have no names');
  const fault = prj && faultInProjection((await readWhole(prj, 'its .prj', 1 << 16)).toString());
  if (fault !== undefined) throw new BrokenFile(fault);
  const saysUtf8 = cpg !== undefined && /^(utf-?8|65001)/i.test((await readWhole(cpg, 'its .cpg', 1 << 10)).toString());

  const shp = await readWhole(shpFile, 'it', MAX_BYTES);
  const shapes = checkShp(shp);
  const dbf = await readWhole(dbfFile, 'its .dbf', MAX_BYTES);
  const rows = checkDbf(dbf);
  // The census writes CP932 and no .cpg; who converts it may forget the .cpg.
  const encoding = saysUtf8 || isUtf8(dbf.subarray(dbf.readUInt16LE(8), rows.end)) ? 'utf-8' : 'shift_jis';
  const attributes = await understood(() => readAttributes(dbf.subarray(0, rows.end), encoding));
  const count = Math.min(shapes.records, attributes.length);
  yield* readBoundaries(shpFile.name, shp.subarray(0, shapes.end), attributes.slice(0, count));
  const reason = shapes.fault ?? rows.fault;
  if (reason !== undefined) throw new BrokenFile(reason);
  if (shapes.records !== attributes.length) {
    throw new BrokenFile(`it has ${shapes.records} shapes and its .dbf ${attributes.length} rows: they are no pair`);
  }
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
