const MIN_MATCH = 4;
const NIBBLE = 15;

/** Unpacks an LZ4 block of a known size; undefined where it is none. */
export function unpackLz4(packed: Uint8Array, size: number): Uint8Array | undefined {
  const plain = new Uint8Array(size);
  let at = 0;
  let end = 0;
  /** A length that does not fit its nibble goes on in bytes, until one is not full. */
  const readLength = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === NIBBLE ? 255 : 0; byte === 255; length += byte) byte = packed[at++] ?? Number.NaN;
    return length;
  };
  while (at < packed.length) {
    const token = packed[at++] as number;
    const literals = readLength(token >> 4);
    if (!(at + literals <= packed.length && end + literals <= size)) return undefined;
    plain.set(packed.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    // The last sequence has literals only.
    if (at === packed.length) break;
    const distance = (packed[at++] as number) | ((packed[at++] ?? 0) << 8);
    const length = readLength(token & NIBBLE) + MIN_MATCH;
    if (distance === 0 || distance > end || !(end + length <= size)) return undefined;
    // A copy may reach into what it writes.
    if (distance >= length) plain.copyWithin(end, end - distance, end - distance + length);
    else for (let i = end; i < end + length; i++) plain[i] = plain[i - distance] as number;
    end += length;
  }
  return end === size ? plain : undefined;
}
