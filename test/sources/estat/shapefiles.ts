import type { Position } from '../../../src/vocabulary/geometry.ts';

/** Text → CP932, by inverting the decoder. */
const CP932 = new Map<string, number[]>();
const decoder = new TextDecoder('shift_jis');
for (let high = 0x81; high <= 0xfc; high++) {
  for (let low = 0x40; low <= 0xfc; low++) {
    const text = decoder.decode(Uint8Array.of(high, low));
    if (text.length === 1 && text !== '\ufffd' && !CP932.has(text)) CP932.set(text, [high, low]);
  }
}
const toCp932 = (text: string): number[] => [...text].flatMap((c) => CP932.get(c) ?? [c.charCodeAt(0)]);

export type Cells = Record<string, string | number>;

const COLUMNS: readonly [name: string, type: 'C' | 'N', length: number][] = [
  ['KEY_CODE', 'C', 11],
  ['PREF', 'C', 2],
  ['CITY', 'C', 3],
  ['S_NAME', 'C', 60],
  ['HCODE', 'N', 5],
];

export function dbfOf(rows: readonly Cells[], encode = toCp932, columns = COLUMNS): Buffer {
  const rowLength = 1 + columns.reduce((sum, [, , length]) => sum + length, 0);
  const header = Buffer.alloc(32 + columns.length * 32 + 1);
  header[0] = 3;
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(rowLength, 10);
  header[29] = 0x13;
  columns.forEach(([name, type, length], i) => {
    header.write(name, 32 + i * 32);
    header.write(type, 32 + i * 32 + 11);
    header[32 + i * 32 + 16] = length;
  });
  header[header.length - 1] = 0x0d;
  const body = rows.map((row) => {
    const cells = columns.map(([name, , length]) => {
      const cell = Buffer.alloc(length, 0x20);
      cell.set(encode(String(row[name] ?? '')).slice(0, length));
      return cell;
    });
    return Buffer.concat([Buffer.from(' '), ...cells]);
  });
  return Buffer.concat([header, ...body, Buffer.from([0x1a])]);
}

/** A shape as rings, outer ones clockwise as the format requires; without rings the null shape. */
export function shpOf(shapes: readonly Position[][][], type = 5): Buffer {
  const records = shapes.map((rings, i) => {
    const positions = rings.flat();
    const content = rings.length === 0 ? Buffer.alloc(4) : Buffer.alloc(44 + rings.length * 4 + positions.length * 16);
    if (rings.length > 0) {
      content.writeInt32LE(type, 0);
      content.writeInt32LE(rings.length, 36);
      content.writeInt32LE(positions.length, 40);
      let first = 0;
      rings.forEach((ring, j) => {
        content.writeInt32LE(first, 44 + j * 4);
        first += ring.length;
      });
      positions.forEach(([lon, lat], j) => {
        content.writeDoubleLE(lon, 44 + rings.length * 4 + j * 16);
        content.writeDoubleLE(lat, 44 + rings.length * 4 + j * 16 + 8);
      });
    }
    const head = Buffer.alloc(8);
    head.writeInt32BE(i + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return Buffer.concat([head, content]);
  });
  const header = Buffer.alloc(100);
  const body = Buffer.concat(records);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + body.length) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(type, 32);
  return Buffer.concat([header, body]);
}

/** A square of a hundredth of a degree, clockwise. */
export function squareAt(lon: number, lat: number, size = 0.01): Position[] {
  return [
    [lon, lat],
    [lon, lat + size],
    [lon + size, lat + size],
    [lon + size, lat],
    [lon, lat],
  ];
}

export const JGD2011 =
  'GEOGCS["GCS_JGD_2011",DATUM["D_JGD_2011",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
