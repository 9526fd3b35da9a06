import { CLASS_OF, distancesFrom, KIND, LONG, SHORTEST } from './block-format.ts';
import { assignCodes, decodingTable, LONGEST } from './prefix-code.ts';

const { TOKEN, LENGTH, PAGE, KNOWN, EARLIER, FIRST } = KIND;
const MASK = (1 << LONGEST) - 1;
/** Copies and reads go over the end by up to so many bytes. */
const SLACK = 64;

/**
 * Undoes what LzBlocks writes. One loop without calls, and with all that it reads in three places: reading a record is
 * mostly this.
 */
export class BlockExpander {
  readonly #start: number;
  readonly #distances: number;
  /** The dictionary, then the texts at hand. */
  #text: Uint8Array;
  #textView: DataView;
  #end: number;
  /** The block at hand, and then anything: a block is damaged if it does not end where it should. */
  #block = new Uint8Array(16_384);
  #blockView = new DataView(this.#block.buffer);
  readonly #tokens: Uint16Array;
  readonly #lengths: Uint16Array;
  readonly #pages: Uint16Array;
  /** Of references to the dictionary, then of those to the text. */
  readonly #lows: Uint16Array;
  readonly #literals: Uint16Array;

  /** `lengths` has the length of the code of each byte, kind by kind. */
  constructor(dictionary: Uint8Array, lengths: Uint8Array) {
    this.#start = dictionary.length;
    this.#distances = distancesFrom(dictionary);
    this.#text = new Uint8Array(dictionary.length + 65_536);
    this.#text.set(dictionary);
    this.#textView = new DataView(this.#text.buffer);
    this.#end = this.#start;
    const codes = assignCodes(lengths);
    this.#tokens = decodingTable(codes, TOKEN);
    this.#lengths = decodingTable(codes, LENGTH);
    this.#pages = decodingTable(codes, PAGE);
    this.#lows = new Uint16Array(2 << LONGEST);
    this.#lows.set(decodingTable(codes, KNOWN));
    this.#lows.set(decodingTable(codes, EARLIER), 1 << LONGEST);
    this.#literals = literalTable(codes);
  }

  /** Appends bytes as they are. */
  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#text.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** The texts appended since the last call. Valid until the next one is. */
  take(): Uint8Array {
    const end = this.#end;
    this.#end = this.#start;
    return this.#text.subarray(this.#start, end);
  }

  /** Appends the text of a block that begins at `start`; `size` is its length. */
  expand(block: Uint8Array, start: number, size: number): void {
    this.#reserve(size);
    this.#load(block, size);
    const [tokens, lengths, pages, literals] = [this.#tokens, this.#lengths, this.#pages, this.#literals];
    const [lows, distances] = [this.#lows, this.#distances];
    const [text, view, bits] = [this.#text, this.#textView, this.#blockView];
    let out = this.#end;
    const end = out + size;
    /** In bits. Every read has at least 25, enough for two codes. */
    let at = 8 * start;
    while (out < end) {
      let next = bits.getInt32(at >>> 3, true) >>> (at & 7);
      const token = tokens[next & MASK] as number;
      at += token >>> 8;
      let length = (token >>> 4) & 0xf;
      if (length > 0) {
        if (length === LONG) {
          for (let more = 255; more === 255 && length <= size; length += more) {
            const entry = lengths[(bits.getInt32(at >>> 3, true) >>> (at & 7)) & MASK] as number;
            at += entry >>> 8;
            more = entry & 0xff;
          }
        }
        if (length > end - out) throw this.#damaged();
        const stop = out + length;
        let literal = FIRST_LITERAL;
        while (out < stop) {
          next = bits.getInt32(at >>> 3, true) >>> (at & 7);
          literal = literals[(literal & ~MASK) | (next & MASK)] as number;
          text[out++] = literal;
          at += (literal >>> 8) & 0xf;
        }
        if (out === end) break;
        next = bits.getInt32(at >>> 3, true) >>> (at & 7);
      } else next >>>= token >>> 8;
      const page = pages[next & MASK] as number;
      at += page >>> 8;
      const high = (page & 0xff) << 8;
      // All bits if it is a distance. No branches: which of both comes next, and how much of it, cannot be predicted.
      const isDistance = (distances - 1 - high) >> 31;
      next = bits.getInt32(at >>> 3, true) >>> (at & 7);
      const low = lows[(isDistance & (1 << LONGEST)) | (next & MASK)] as number;
      at += low >>> 8;
      let from = ((high | (low & 0xff)) ^ isDistance) + ((out + distances + 1) & isDistance);
      length = token & 0xf;
      if (length === LONG) {
        for (let more = 255; more === 255 && length <= size; length += more) {
          const entry = lengths[(bits.getInt32(at >>> 3, true) >>> (at & 7)) & MASK] as number;
          at += entry >>> 8;
          more = entry & 0xff;
        }
      }
      length += SHORTEST;
      if (length > end - out || from < 0 || from >= out) throw this.#damaged();
      const stop = out + length;
      if (out - from < 4) {
        while (out < stop) text[out++] = text[from++] as number;
        continue;
      }
      view.setInt32(out, view.getInt32(from, true), true);
      view.setInt32(out + 4, view.getInt32(from + 4, true), true);
      view.setInt32(out + 8, view.getInt32(from + 8, true), true);
      view.setInt32(out + 12, view.getInt32(from + 12, true), true);
      for (out += 16, from += 16; out < stop; out += 8, from += 8) {
        view.setInt32(out, view.getInt32(from, true), true);
        view.setInt32(out + 4, view.getInt32(from + 4, true), true);
      }
      out = stop;
    }
    if ((at + 7) >>> 3 !== block.length) throw this.#damaged();
    this.#end = end;
  }

  #damaged(): Error {
    this.#end = this.#start;
    return new Error('a compact text is damaged');
  }

  #load(block: Uint8Array, size: number): void {
    // Of damaged bytes, no more than this is read until the text is as long as it should be.
    const most = Math.max(block.length, 2 * size) + SLACK;
    if (most > this.#block.length) {
      this.#block = new Uint8Array(2 * most);
      this.#blockView = new DataView(this.#block.buffer);
    }
    this.#block.set(block);
  }

  #reserve(more: number): void {
    const least = this.#end + more + SLACK;
    if (least <= this.#text.length) return;
    const larger = new Uint8Array(2 * least);
    larger.set(this.#text.subarray(0, this.#end));
    this.#text = larger;
    this.#textView = new DataView(larger.buffer);
  }
}

/** Where the bytes after a byte of each class are in the table of literals. */
const LITERAL_KINDS = [KIND.NUMBER, KIND.WORD, KIND.OTHER, FIRST];
const FIRST_LITERAL = LITERAL_KINDS.indexOf(FIRST) << LONGEST;

/** The tables of all kinds of literals, one after the other; an entry has the place of the next byte's table above its length. */
function literalTable(codes: Uint32Array): Uint16Array {
  const table = new Uint16Array(LITERAL_KINDS.length << LONGEST);
  LITERAL_KINDS.forEach((kind, i) => {
    const own = decodingTable(codes, kind).map(
      (entry) => entry | (LITERAL_KINDS.indexOf(CLASS_OF[entry & 0xff] as 6 | 7 | 8) << LONGEST),
    );
    table.set(own, i << LONGEST);
  });
  return table;
}
