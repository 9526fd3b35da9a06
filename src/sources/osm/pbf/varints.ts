import { BrokenFile } from '../../../files/broken-file.ts';

const DAMAGED = 'a blob is damaged';

/**
 * Reads packed, zigzag-coded differences, which are most of a file, without a call per number. Returns how many there were;
 * `into` must have room for one number per byte.
 */
export function readDeltas(bytes: Uint8Array, start: number, end: number, into: Float64Array): number {
  let at = start;
  let count = 0;
  let value = 0;
  while (at < end) {
    let byte = bytes[at++] as number;
    let raw = byte & 0x7f;
    if (byte >= 0x80) {
      byte = bytes[at++] as number;
      raw |= (byte & 0x7f) << 7;
      if (byte >= 0x80) {
        byte = bytes[at++] as number;
        raw |= (byte & 0x7f) << 14;
        if (byte >= 0x80) {
          byte = bytes[at++] as number;
          raw |= (byte & 0x7f) << 21;
          // More than 28 bits do not fit 32-bit arithmetic.
          for (let unit = 2 ** 28; byte >= 0x80; unit *= 0x80) {
            if (unit > 2 ** 63) throw new BrokenFile(DAMAGED);
            byte = bytes[at++] as number;
            raw += (byte & 0x7f) * unit;
          }
        }
      }
    }
    value += raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2;
    into[count++] = value;
  }
  if (at !== end) throw new BrokenFile(DAMAGED);
  return count;
}

/** Reads packed small non-negative numbers, such as indexes into the string table. */
export function readIndices(bytes: Uint8Array, start: number, end: number, into: Int32Array): number {
  let at = start;
  let count = 0;
  while (at < end) {
    let byte = bytes[at++] as number;
    let raw = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (shift > 21) throw new BrokenFile(DAMAGED);
      byte = bytes[at++] as number;
      raw |= (byte & 0x7f) << shift;
    }
    into[count++] = raw;
  }
  if (at !== end) throw new BrokenFile(DAMAGED);
  return count;
}

/** The number of packed numbers. */
export function countVarints(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if ((bytes[at] as number) < 0x80) count++;
  return count;
}
