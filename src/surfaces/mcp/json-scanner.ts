const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, NULL] = [
  34, 44, 92, 91, 93, 123, 125, 110,
];

/** Finds keys that are known beforehand, so that no string is made of each. */
export class KnownKeys {
  readonly #slots: ({ key: string; bytes: Uint8Array } | undefined)[] = Array(SLOTS).fill(undefined);

  /** Of keys with the same slot, only the first is known. */
  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      const bytes = Buffer.from(key);
      this.#slots[slotOf(bytes, 0, bytes.length)] ??= { key, bytes };
    }
  }

  find(json: Uint8Array, start: number, end: number): string | undefined {
    const known = this.#slots[slotOf(json, start, end)];
    if (known === undefined || known.bytes.length !== end - start) return undefined;
    for (let i = start, { bytes } = known; i < end; i++) if (json[i] !== bytes[i - start]) return undefined;
    return known.key;
  }
}

const SLOTS = 4_096;

/** By the first, a middle and the last byte, and the length. */
function slotOf(json: Uint8Array, start: number, end: number): number {
  const [first, middle, last] = [json[start] as number, json[(start + end) >> 1] as number, json[end - 1] as number];
  return (first * 7 + middle * 61 + last * 131 + (end - start) * 331) % SLOTS;
}

/**
 * Reads JSON as JSON.stringify writes it from left to right, and makes strings only of what is asked for. A character of
 * these strings is one byte of UTF-8 (latin1), so that nothing has to be decoded.
 */
export class JsonScanner {
  readonly #bytes: Uint8Array;
  readonly #text: string;
  readonly #keys: KnownKeys;
  readonly #noted: Uint8Array;
  #at = 0;
  /** Whether the string that was read last contains a byte to be noted. */
  isNoted = false;

  /** `noted` has a 1 for each byte to be noted. */
  constructor(json: Uint8Array, keys: KnownKeys, noted: Uint8Array) {
    this.#bytes = json;
    this.#text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('latin1');
    this.#keys = keys;
    this.#noted = noted;
  }

  /** The next key of the object that is read, before its first one and after each value; undefined at its end. */
  key(): string | undefined {
    if (this.#isOver(OPEN_OBJECT, CLOSE_OBJECT)) return undefined;
    const start = this.#at + 1;
    this.#passString();
    const end = this.#at - 1;
    this.#at += 1;
    return this.#keys.find(this.#bytes, start, end) ?? this.#text.slice(start, end);
  }

  /** Whether the list that is read has another entry, before its first one and after each. */
  hasNext(): boolean {
    return !this.#isOver(OPEN_LIST, CLOSE_LIST);
  }

  /** Passes the opening mark or a comma, or the end. */
  #isOver(open: number, close: number): boolean {
    const first = this.#bytes[this.#at++];
    if (first === close) return true;
    if (first === COMMA) return false;
    if (first !== open) throw new Error('a record is not as it was written');
    if (this.#bytes[this.#at] !== close) return false;
    this.#at += 1;
    return true;
  }

  /** The text of a string as JSON, without the quotation marks. */
  string(): string {
    const [bytes, noted] = [this.#bytes, this.#noted];
    const start = this.#at + 1;
    let at = start;
    let notes = 0;
    for (let byte = bytes[at] as number; byte !== QUOTE; byte = bytes[at] as number) {
      notes |= noted[byte] as number;
      at += byte === BACKSLASH ? 2 : 1;
    }
    this.#at = at + 1;
    this.isNoted = notes !== 0;
    return this.#text.slice(start, at);
  }

  isString(): boolean {
    return this.#bytes[this.#at] === QUOTE;
  }

  /** Passes null; false for any other value. */
  isNull(): boolean {
    if (this.#bytes[this.#at] !== NULL) return false;
    this.#at += 'null'.length;
    return true;
  }

  /** A number, true, false or null as JSON. */
  literal(): string {
    const start = this.#at;
    this.#passLiteral();
    return this.#text.slice(start, this.#at);
  }

  /** Passes a value of any kind. */
  skip(): void {
    const first = this.#bytes[this.#at];
    if (first === QUOTE) this.#passString();
    else if (first === OPEN_OBJECT || first === OPEN_LIST) this.#passNested();
    else this.#passLiteral();
  }

  #passString(): void {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) at += byte === BACKSLASH ? 2 : 1;
    this.#at = at + 1;
  }

  #passLiteral(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let byte = bytes[at]; byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST; ) byte = bytes[++at];
    this.#at = at;
  }

  #passNested(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let depth = 0; ; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#at = at;
        this.#passString();
        at = this.#at - 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) break;
    }
    this.#at = at + 1;
  }
}
