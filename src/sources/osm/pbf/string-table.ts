import { BrokenFile } from '../../../files/broken-file.ts';
import { isKeptKey, VENUE_KEYS } from '../tag-tables.ts';

/** Bits: what a string means as a key. */
export const KEPT_KEY = 1;
export const AREA_KEY = 2;
export const VENUE_KEY = 4;

const AREA_KEYS: ReadonlySet<string> = new Set(['building', 'building:part']);
const VENUES: ReadonlySet<string> = new Set(VENUE_KEYS);
const MAX_KEY = 40;

/** The strings of a block, decoded on demand since most are never used. */
export class StringTable {
  readonly #bytes: Buffer;
  readonly #starts: number[];
  readonly #ends: number[];
  readonly #made: (string | undefined)[];
  readonly #flags: Uint8Array;
  /** The bits of all keys together. */
  readonly has: number;

  constructor(bytes: Uint8Array, starts: number[], ends: number[]) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#starts = starts;
    this.#ends = ends;
    this.#made = new Array(starts.length);
    this.#flags = new Uint8Array(starts.length);
    let has = 0;
    for (let i = 0; i < starts.length; i++) {
      const length = (ends[i] as number) - (starts[i] as number);
      if (length === 0 || length > MAX_KEY || !mayBeKey(this.#bytes[starts[i] as number] as number)) continue;
      const flags = flagsOf(this.at(i));
      this.#flags[i] = flags;
      has |= flags;
    }
    this.has = has;
  }

  at(index: number): string {
    const made = this.#made[index];
    if (made !== undefined) return made;
    const start = this.#starts[index];
    if (start === undefined) throw new BrokenFile('a blob is damaged: string index out of range');
    const text = this.#bytes.toString('utf8', start, this.#ends[index]);
    this.#made[index] = text;
    return text;
  }

  flagsOf(index: number): number {
    const flags = this.#flags[index];
    if (flags === undefined) throw new BrokenFile('a blob is damaged: string index out of range');
    return flags;
  }
}

const KNOWN = new Map<string, number>();

function mayBeKey(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

/** Called for every short string, so the flags of keys are cached. */
function flagsOf(word: string): number {
  if (!isKeptKey(word)) return 0;
  let flags = KNOWN.get(word);
  if (flags === undefined) {
    flags = KEPT_KEY | (AREA_KEYS.has(word) ? AREA_KEY : 0) | (VENUES.has(word) ? VENUE_KEY : 0);
    KNOWN.set(word, flags);
  }
  return flags;
}
