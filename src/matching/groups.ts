/** Which of a number of things are one, through as many as there are. */
export class Groups {
  readonly #up: Int32Array;

  constructor(count: number) {
    this.#up = Int32Array.from({ length: count }, (_, i) => i);
  }

  join(a: number, b: number): void {
    this.#up[this.#top(a)] = this.#top(b);
  }

  areOne(a: number, b: number): boolean {
    return this.#top(a) === this.#top(b);
  }

  #top(of: number): number {
    let top = of;
    while (this.#up[top] !== top) top = this.#up[top] as number;
    // Shortens the way for the next who asks.
    for (let at = of; at !== top; ) {
      const next = this.#up[at] as number;
      this.#up[at] = top;
      at = next;
    }
    return top;
  }
}
