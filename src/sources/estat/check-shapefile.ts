import { BrokenFile } from '../../files/broken-file.ts';

/** How far a file can be read, and what is wrong after that. */
interface Extent {
  end: number;
  records: number;
  fault: string | undefined;
}

const SHP_MAGIC = 9994;
/** Polygon, with heights, with measures. */
const POLYGONS: ReadonlySet<number> = new Set([5, 15, 25]);
const SHP_HEADER = 100;
const RECORD_HEADER = 8;
const POLYGON_HEADER = 44;
/** Rings of one shape; the library compares every hole with every outer ring. */
const MAX_RINGS = 5_000;

/** Checks the records of a .shp before the library reads it: none may be cut off or state a wrong size. */
export function checkShp(shp: Buffer): Extent {
  if (shp.length < SHP_HEADER || shp.readInt32BE(0) !== SHP_MAGIC) throw new BrokenFile('not a .shp file');
  const type = shp.readInt32LE(32);
  if (!POLYGONS.has(type)) throw new BrokenFile('the shapes are not polygons');
  const declared = shp.readInt32BE(24) * 2;
  const length = Math.min(shp.length, Math.max(declared, SHP_HEADER));
  let end = SHP_HEADER;
  let records = 0;
  while (end < length) {
    const next = endOfRecord(shp, end, type);
    if (typeof next === 'string') return { end, records, fault: `${next} after ${records} complete shapes` };
    end = next;
    records++;
  }
  const fault = declared > shp.length ? `cut off after ${records} complete shapes` : undefined;
  return { end, records, fault };
}

function endOfRecord(shp: Buffer, start: number, type: number): number | string {
  const content = start + RECORD_HEADER;
  if (content + 4 > shp.length) return 'cut off';
  const length = shp.readInt32BE(start + 4) * 2;
  const end = content + length;
  const recordType = shp.readInt32LE(content);
  if (length < 4) return 'a shape without length';
  if (end > shp.length) return 'cut off';
  if (recordType === 0) return end;
  if (recordType !== type || length < POLYGON_HEADER) return 'a shape that is not a polygon';
  const rings = shp.readInt32LE(content + 36);
  const positions = shp.readInt32LE(content + 40);
  if (rings < 0 || positions < 0 || POLYGON_HEADER + rings * 4 + positions * 16 > length) {
    return 'a shape larger than its record';
  }
  if (rings > MAX_RINGS) return `a shape with more than ${MAX_RINGS} rings`;
  let last = -1;
  for (let i = 0; i < rings; i++) {
    const first = shp.readInt32LE(content + POLYGON_HEADER + i * 4);
    if (first <= last || first >= positions) return 'a shape with ring offsets out of order';
    last = first;
  }
  return end;
}

/** Checks a .dbf, whose rows all have the same length. */
export function checkDbf(dbf: Buffer): Extent {
  if (dbf.length < 33) throw new BrokenFile('the .dbf is not a table');
  const declared = dbf.readUInt32LE(4);
  const header = dbf.readUInt16LE(8);
  const row = dbf.readUInt16LE(10);
  if (header < 33 || header > dbf.length || row < 2 || !hasColumnsEnd(dbf, header)) {
    throw new BrokenFile('the .dbf is not a table, or is cut off in its header');
  }
  const records = Math.min(declared, Math.floor((dbf.length - header) / row));
  const fault = records < declared ? `the .dbf is cut off after ${records} of ${declared} rows` : undefined;
  return { end: header + records * row, records, fault };
}

function hasColumnsEnd(dbf: Buffer, header: number): boolean {
  for (let at = 32; at < header; at += 32) if (dbf[at] === 0x0d) return true;
  return false;
}
