/** Many whole numbers in little room. */
export class IdList {
  #ids = new Float64Array(1_024);
  #length = 0;

  add(id: number): void {
    if (this.#length === this.#ids.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#length++] = id;
  }

  get length(): number {
    return this.#length;
  }

  *portions(size: number): Generator<number[]> {
    for (let at = 0; at < this.#length; at += size) {
      yield [...new Set(this.#ids.subarray(at, Math.min(at + size, this.#length)))];
    }
  }
}
