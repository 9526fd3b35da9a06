import { setTimeout as sleep } from 'node:timers/promises';
import { type Metric, mergeMetrics } from '../surfaces/http/metrics.ts';
import type { Ask } from './calls.ts';

/** A worker that does not answer is reported as it was last read. */
const READ_MS = 500;

/** The metrics of all workers, including what those counted that have ended: counters never go back. */
export class WorkerMetrics {
  readonly #last = new Map<number, Metric[]>();
  #ended: Metric[] = [];

  async readAll(running: ReadonlyMap<number, { ask: Ask }>): Promise<void> {
    const read = async (slot: number, ask: Ask) => {
      const metrics = (await ask('readMetrics')) as Metric[];
      if (running.get(slot)?.ask === ask) this.#last.set(slot, metrics);
    };
    const readings = Promise.allSettled([...running].map(([slot, { ask }]) => read(slot, ask)));
    await Promise.race([readings, sleep(READ_MS, undefined, { ref: false })]);
  }

  /** Keeps what a worker counted. Gauges end with it. */
  end(slot: number): void {
    const counted = (this.#last.get(slot) ?? []).filter(({ type }) => type !== 'gauge');
    this.#ended = mergeMetrics([
      { worker: '', metrics: this.#ended },
      { worker: '', metrics: counted },
    ]);
    this.#last.delete(slot);
  }

  merged(): Metric[] {
    const living = [...this.#last].map(([slot, metrics]) => ({ worker: String(slot), metrics }));
    return mergeMetrics([...living, { worker: '', metrics: this.#ended }]);
  }
}
