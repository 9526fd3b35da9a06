import { BrokenFile } from '../../files/broken-file.ts';

/** How far a file can be read, and why no further. */
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
/** Rings of one shape: the reader compares every hole with every outline. */
const MAX_RINGS = 5_000;

/** Walks the records of a .shp, so that the reader meets none that is cut off or lies about its size. */
export function checkShp(shp: Buffer): Extent {
  if (shp.length < SHP_HEADER || shp.readInt32BE(0) !== SHP_MAGIC) throw new BrokenFile('it is no .shp file');
  const type = shp.readInt32LE(32);
  if (!POLYGONS.has(type)) throw new BrokenFile('its shapes are no polygons');
  const declared = shp.readInt32BE(24) * 2;
  const length = Math.min(shp.length, Math.max(declared, SHP_HEADER));
  let end = SHP_HEADER;
  let records = 0;
  while (end < length) {
    const next = endOfRecord(shp, end, type);
    if (typeof next === 'string') return { end, records, fault: `${next}, after ${records} whole shapes` };
    end = next;
    records++;
  }
  const fault = declared > shp.length ? `it is cut off after ${records} whole shapes` : undefined;
  return { end, records, fault };
}

function endOfRecord(shp: Buffer, start: number, type: number): number | string {
  const content = start + RECORD_HEADER;
  if (content + 4 > shp.length) return 'it is cut off';
  const length = shp.readInt32BE(start + 4) * 2;
  const end = content + length;
  const recordType = shp.readInt32LE(content);
  if (length < 4) return 'it has a shape of no length';
  if (end > shp.length) return 'it is cut off';
  if (recordType === 0) return end;
  if (recordType !== type || length < POLYGON_HEADER) return 'it has a shape that is no polygon';
  const rings = shp.readInt32LE(content + 36);
  const positions = shp.readInt32LE(content + 40);
  if (rings < 0 || positions < 0 || POLYGON_HEADER + rings * 4 + positions * 16 > length) {
    return 'it has a shape larger than its record';
  }
  if (rings > MAX_RINGS) return `it has a shape of more than ${MAX_RINGS} rings`;
  let last = -1;
  for (let i = 0; i < rings; i++) {
    const first = shp.readInt32LE(content + POLYGON_HEADER + i * 4);
    if (first <= last || first >= positions) return 'it has a shape whose rings are in disorder';
    last = first;
  }
  return end;
}

/** The same of a .dbf, whose rows are all of one length. */
export function checkDbf(dbf: Buffer): Extent {
  if (dbf.length < 33) throw new BrokenFile('its .dbf is no table');
  const declared = dbf.readUInt32LE(4);
  const header = dbf.readUInt16LE(8);
  const row = dbf.readUInt16LE(10);
  if (header < 33 || header > dbf.length || row < 2 || !hasColumnsEnd(dbf, header)) {
    throw new BrokenFile('its .dbf is no table, or is cut off in its header');
  }
  const records = Math.min(declared, Math.floor((dbf.length - header) / row));
  const fault = records < declared ? `its .dbf is cut off after ${records} of ${declared} rows` : undefined;
  return { end: header + records * row, records, fault };
}

function hasColumnsEnd(dbf: Buffer, header: number): boolean {
  for (let at = 32; at < header; at += 32) if (dbf[at] === 0x0d) return true;
  return false;
}
