/**
 * What was read last, for as long as nothing is written. Two generations instead of an order of use:
 * whatever is asked for again stays, at the price of a look-up.
 */
export class RecentCache<K, V> {
  readonly #most: number;
  readonly #weigh: (value: V) => number;
  #moment: number | undefined;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  /** Of the young. */
  #weight = 0;

  /** Holds at most twice as many as `most`; where they are weighed, as much as that and what came last. */
  constructor(most: number, weigh: (value: V) => number = () => 1) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: K, moment: number): V | undefined {
    if (moment !== this.#moment) {
      this.#moment = moment;
      this.#young = new Map();
      this.#old = new Map();
      this.#weight = 0;
      return undefined;
    }
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#put(key, old);
    return old;
  }

  /** Keeps what was read at a moment, unless something has been written since. */
  keep(key: K, value: V, moment: number): void {
    if (moment === this.#moment) this.#put(key, value);
  }

  #put(key: K, value: V): void {
    if (this.#weight >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#weight += this.#weigh(value);
    this.#young.set(key, value);
  }
}
