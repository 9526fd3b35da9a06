import { hash } from 'node:crypto';

/** Random numbers that a seed decides, so that anybody can draw the same sample again. */
export class Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** A whole number from 0 to below a limit. 52 bits of a hash: what the remainder favours is nothing. */
  below(limit: number): number {
    this.#count += 1;
    return Number.parseInt(hash('sha256', `${this.#count} ${this.#seed}`, 'hex').slice(0, 13), 16) % limit;
  }
}

/** The whole numbers from 0 to below a limit, each once, in random order; of those not yet taken nothing is held. */
export function* shuffled(limit: number, random: Random): Generator<number> {
  const moved = new Map<number, number>();
  for (let left = limit; left > 0; left--) {
    const at = random.below(left);
    yield moved.get(at) ?? at;
    moved.set(at, moved.get(left - 1) ?? left - 1);
    moved.delete(left - 1);
  }
}
