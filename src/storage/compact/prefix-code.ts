/** Codes of at most this many bits. */
export const LONGEST = 12;

/** The code of every kind and byte, by the lengths of the codes: its bits, the first lowest, plus 2¹⁶ times their number. */
export function assignCodes(lengths: Uint8Array): Uint32Array {
  const codes = new Uint32Array(lengths.length);
  for (let kind = 0; kind < lengths.length; kind += 256) {
    let code = 0;
    for (let length = 1; length <= LONGEST; length++) {
      for (let byte = kind; byte < kind + 256; byte++) {
        if (lengths[byte] !== length) continue;
        let reversed = 0;
        for (let bit = 0; bit < length; bit++) reversed |= ((code >>> (LONGEST - 1 - bit)) & 1) << bit;
        codes[byte] = (length << 16) | reversed;
        code += 1 << (LONGEST - length);
      }
    }
    if (code !== 1 << LONGEST) throw new Error('the lengths are not those of a prefix code');
  }
  return codes;
}

/** For every sequence of bits, the byte of a kind whose code it begins with, plus 256 times the length of that. */
export function decodingTable(codes: Uint32Array, kind: number): Uint16Array {
  const decoded = new Uint16Array(1 << LONGEST);
  for (let byte = 0; byte < 256; byte++) {
    const code = codes[kind * 256 + byte] as number;
    const length = code >>> 16;
    for (let bits = code & 0xffff; bits < decoded.length; bits += 1 << length) decoded[bits] = (length << 8) | byte;
  }
  return decoded;
}

/** Prefix codes for bytes, one for each kind: frequent bytes have short codes, and each byte has one. */
export class PrefixCodes {
  readonly #encoded: Uint32Array;

  /** The length of each code, kind by kind. */
  constructor(lengths: Uint8Array) {
    this.#encoded = assignCodes(lengths);
  }

  /** Writes bytes, each with its kind in the byte above, into `target` from `at` on; returns the end. */
  encode(symbols: Uint16Array, target: Uint8Array, at: number): number {
    const encoded = this.#encoded;
    let [end, bits, count] = [at, 0, 0];
    for (let i = 0; i < symbols.length; i++) {
      const code = encoded[symbols[i] as number] as number;
      bits |= (code & 0xffff) << count;
      count += code >>> 16;
      if (count < 16) continue;
      target[end] = bits;
      target[end + 1] = bits >>> 8;
      end += 2;
      bits >>>= 16;
      count -= 16;
    }
    for (; count > 0; count -= 8) {
      target[end++] = bits;
      bits >>>= 8;
    }
    return end;
  }
}
