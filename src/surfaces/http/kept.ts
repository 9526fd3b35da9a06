/** What costs something to find out and may be a little old: found out at most once in so long, whoever asks. */
export class Kept<V> {
  readonly #find: () => Promise<V>;
  readonly #forMs: number;
  readonly #now: () => number;
  #value: Promise<V> | undefined;
  #until = 0;

  constructor(find: () => Promise<V>, forMs: number, now: () => number) {
    this.#find = find;
    this.#forMs = forMs;
    this.#now = now;
  }

  get(): Promise<V> {
    if (this.#value === undefined || this.#now() >= this.#until) {
      this.#until = Number.POSITIVE_INFINITY;
      this.#value = this.#find();
      this.#value.then(
        () => {
          this.#until = this.#now() + this.#forMs;
        },
        () => {
          this.#value = undefined;
        },
      );
    }
    return this.#value;
  }
}
