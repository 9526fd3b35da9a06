type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** A growing typed array. */
export class NumberList<A extends Numbers> {
  length = 0;
  values: A;
  readonly #make: new (
    length: number,
  ) => A;

  constructor(make: new (length: number) => A, capacity = 1024) {
    this.#make = make;
    this.values = new make(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1);
    this.values[this.length++] = value;
  }

  /** Makes room for more numbers. */
  reserve(more: number): void {
    if (this.length + more <= this.values.length) return;
    const grown = new this.#make(Math.max(this.length + more, Math.ceil(this.values.length * 1.5)));
    grown.set(this.values.subarray(0, this.length));
    this.values = grown;
  }

  /** The numbers, without the spare room. */
  taken(): A {
    return this.values.subarray(0, this.length) as A;
  }
}
