/** The positions of a log at the times when they were seen. */
export class WalHistory {
  readonly #maxMs: number;
  #seen: { position: bigint; at: number }[] = [];

  /** Positions are remembered for `maxMs`. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  note(position: bigint, at: number): void {
    const last = this.#seen.at(-1);
    // A log that is shorter than before is another one.
    if (last !== undefined && position < last.position) this.clear();
    if (last?.position === position) last.at = at;
    else this.#seen.push({ position, at });
    // The first one that is too old tells a standby at the limit from one beyond it.
    while (this.#seen.length > 1 && (this.#seen[1]?.at as number) < at - this.#maxMs) this.#seen.shift();
  }

  clear(): void {
    this.#seen = [];
  }

  /** By how many milliseconds a server at this position is behind; undefined if it has nothing that is remembered. */
  lagOf(position: bigint, at: number): number | undefined {
    const newest = this.#seen.findLastIndex((seen) => seen.position <= position);
    if (newest === -1) return undefined;
    return newest === this.#seen.length - 1 ? 0 : at - (this.#seen[newest]?.at as number);
  }
}
