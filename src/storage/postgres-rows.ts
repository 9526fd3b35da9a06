/** Rows in PostgreSQL's binary form, which neither side has to escape or to parse. */

/** The types that columns have, by their identifiers in PostgreSQL. */
const TYPES = { bytea: 17, int8: 20, int4: 23, text: 25, float4: 700, float8: 701 } as const;

export type ColumnType = keyof typeof TYPES;

export const COLUMN_TYPES: ReadonlyMap<number, ColumnType> = new Map(
  Object.entries(TYPES).map(([type, identifier]) => [identifier, type as ColumnType]),
);

const COPY_HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const COPY_TRAILER = -1;
const NULL = -1;
const FIRST_SIZE = 16 * 1024;
const HIGH_WORD = 2 ** 32;

/** Rows as `copy … from stdin (format binary)` reads them. */
export function toCopyData(types: readonly ColumnType[], rows: readonly (readonly unknown[])[]): Buffer {
  const out = new BinaryWriter();
  out.bytes(COPY_HEADER);
  for (const row of rows) {
    out.int2(types.length);
    for (let i = 0; i < types.length; i++) out.field(types[i] as ColumnType, row[i]);
  }
  out.int2(COPY_TRAILER);
  return out.end();
}

/** One column of rows as an array. */
export function toArrayParameter(type: ColumnType, rows: readonly (readonly unknown[])[], column: number): Buffer {
  const out = new BinaryWriter();
  const [dimensions, mayHoldNull, lowerBound] = [1, 1, 1];
  for (const number of [dimensions, mayHoldNull, TYPES[type], rows.length, lowerBound]) out.int4(number);
  for (const row of rows) out.field(type, row[column]);
  return out.end();
}

class BinaryWriter {
  #buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #end = 0;

  int2(value: number): void {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(value, this.#end);
  }

  int4(value: number): void {
    this.#reserve(4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#end);
    this.#end += value.length;
  }

  /** A value with its length before it. */
  field(type: ColumnType, value: unknown): void {
    if (value === null || value === undefined) {
      this.int4(NULL);
    } else if (type === 'text') {
      this.#text(String(value));
    } else if (type === 'bytea') {
      const bytes = value as Uint8Array;
      this.int4(bytes.length);
      this.bytes(bytes);
    } else {
      this.#number(type, value as number | bigint);
    }
  }

  end(): Buffer {
    return this.#buffer.subarray(0, this.#end);
  }

  #text(value: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(4 + value.length * 3);
    const length = this.#buffer.write(value, this.#end + 4);
    this.#buffer.writeInt32BE(length, this.#end);
    this.#end += 4 + length;
  }

  #number(type: Exclude<ColumnType, 'text' | 'bytea'>, value: number | bigint): void {
    this.#reserve(12);
    const isInteger = type === 'int8' || type === 'int4';
    if (typeof value !== 'bigint' && !(isInteger ? Number.isSafeInteger(value) : typeof value === 'number')) {
      throw new TypeError(`a value of type ${typeof value} is not stored as ${type}`);
    }
    const start = this.#buffer.writeInt32BE(type === 'int8' || type === 'float8' ? 8 : 4, this.#end);
    if (type === 'float8') this.#end = this.#buffer.writeDoubleBE(Number(value), start);
    else if (type === 'float4') this.#end = this.#buffer.writeFloatBE(Number(value), start);
    else if (type === 'int4') this.#end = this.#buffer.writeInt32BE(Number(value), start);
    else if (typeof value === 'bigint') this.#end = this.#buffer.writeBigInt64BE(value, start);
    else {
      this.#buffer.writeInt32BE(Math.floor(value / HIGH_WORD), start);
      this.#end = this.#buffer.writeUInt32BE(value >>> 0, start + 4);
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.#end));
    this.#buffer = larger;
  }
}
