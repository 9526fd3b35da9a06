import { type Bitmap, countDocs, isList, toBits, toList, wordsFor } from './bitmaps.ts';

/** A set with a name; related sets are stored together in one byte string. */
export interface NamedBitmap {
  name: number;
  docs: Bitmap;
  /** One byte per entry, in the order of the entries. */
  positions?: Uint8Array;
}

/**
 * Layout of a set: name and kind (one byte each), length of the list or of the bitmap in words (two bytes), for a
 * bitmap with positions their number (four bytes), then the entries, then the positions, padded to a multiple of four.
 */
const LIST = 0;
const BITS = 1;
const PLACED = 2;
const HEAD = 4;

export function encodeBitmaps(sets: readonly NamedBitmap[], size: number): Uint8Array {
  const parts = sets.map(({ name, docs, positions }) => ({ name, docs: shorter(docs, size), positions }));
  const bytes = new Uint8Array(parts.reduce((sum, { docs, positions }) => sum + sizeOf(docs, positions), 0));
  let at = 0;
  for (const { name, docs, positions } of parts) {
    const kind = (isList(docs) ? LIST : BITS) | (positions === undefined ? 0 : PLACED);
    bytes.set([name, kind, docs.length & 0xff, docs.length >>> 8], at);
    const start = at + headOf(docs, positions);
    if (start - at > HEAD) new DataView(bytes.buffer).setUint32(at + HEAD, (positions as Uint8Array).length, true);
    bytes.set(new Uint8Array(docs.buffer, docs.byteOffset, docs.byteLength), start);
    if (positions !== undefined) bytes.set(positions, start + docs.byteLength);
    at += sizeOf(docs, positions);
  }
  return bytes;
}

const headOf = (docs: Bitmap, positions: Uint8Array | undefined) =>
  isList(docs) || positions === undefined ? HEAD : HEAD + 4;

function sizeOf(docs: Bitmap, positions: Uint8Array | undefined): number {
  return (headOf(docs, positions) + docs.byteLength + (positions?.length ?? 0) + 3) & ~3;
}

function shorter(docs: Bitmap, size: number): Bitmap {
  if (isList(docs)) return docs.length * 2 <= wordsFor(size) * 4 ? docs : toBits(docs, size);
  const count = countDocs(docs);
  return count * 2 <= docs.byteLength ? toList(docs, count) : docs;
}

/** The set with this name, if any. A view of the bytes: do not modify. */
export function decodeBitmap(bytes: Uint8Array, name: number): Bitmap | undefined {
  return decodePositions(bytes, name)?.docs;
}

export interface Positions {
  docs: Bitmap;
  positions: Uint8Array;
}

const NO_PLACES = new Uint8Array(0);

/** The same, with the positions. */
export function decodePositions(bytes: Uint8Array, name: number): Positions | undefined {
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at + 1] as number;
    const length = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
    const isBits = (kind & BITS) !== 0;
    let [start, count] = [at + HEAD, length];
    if (isBits && (kind & PLACED) !== 0) {
      count = new DataView(bytes.buffer, bytes.byteOffset + start).getUint32(0, true);
      start += 4;
    }
    const end = start + length * (isBits ? 4 : 2);
    if (bytes[at] === name) {
      const positions = (kind & PLACED) === 0 ? NO_PLACES : bytes.subarray(end, end + count);
      return { docs: view(bytes, start, end, isBits), positions };
    }
    at = (end + ((kind & PLACED) === 0 ? 0 : count) + 3) & ~3;
  }
  return undefined;
}

function view(bytes: Uint8Array, start: number, end: number, isBits: boolean): Bitmap {
  const aligned = (bytes.byteOffset + start) % 4 === 0 ? bytes.subarray(start, end) : bytes.slice(start, end);
  const { buffer, byteOffset } = aligned;
  return isBits
    ? new Uint32Array(buffer, byteOffset, (end - start) >>> 2)
    : new Uint16Array(buffer, byteOffset, (end - start) >>> 1);
}
