import { readdirSync, readFileSync } from 'node:fs';

/** Each bucket of a histogram is this much longer than the one before. */
const STEP = 1.02;

/** How long answers took, and what went wrong. */
export class Latencies {
  readonly #buckets: number[] = [];
  count = 0;
  worst = 0;

  add(ms: number): void {
    const bucket = Math.max(0, Math.ceil(Math.log(Math.max(ms, 0.01) / 0.01) / Math.log(STEP)));
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.count += 1;
    this.worst = Math.max(this.worst, ms);
  }

  /** In milliseconds; 0 if nothing was measured. */
  percentile(share: number): number {
    let left = this.count * share;
    for (const [bucket, count = 0] of this.#buckets.entries()) {
      left -= count;
      if (left <= 0 && this.count > 0) return Math.min(this.worst, 0.01 * STEP ** bucket);
    }
    return this.worst;
  }

  describe(): string {
    const of = (share: number) => `${this.percentile(share).toFixed(1)} ms`;
    return `${this.count} answers: p50 ${of(0.5)}, p99 ${of(0.99)}, p99.9 ${of(0.999)}, worst ${this.worst.toFixed(1)} ms`;
  }
}

interface Sample {
  seconds: number;
  megabytes: number;
  handles: number;
}

/** The memory and the open files of a process over time. Only Linux tells them. */
export class Resources {
  readonly #pid: number;
  readonly #begun = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly samples: Sample[] = [];

  constructor(pid: number, everyMs = 1_000) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#sample(), everyMs).unref();
    this.#sample();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#sample();
  }

  get seconds(): number {
    return this.samples.at(-1)?.seconds ?? 0;
  }

  get mostMegabytes(): number {
    return Math.max(0, ...this.samples.map(({ megabytes }) => megabytes));
  }

  #sample(): void {
    try {
      const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
      const megabytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
      const handles = readdirSync(`/proc/${this.#pid}/fd`).length;
      this.samples.push({ seconds: (performance.now() - this.#begun) / 1_000, megabytes, handles });
    } catch {
      // The process has ended, or this system has no /proc.
    }
  }

  describe(): string {
    const { samples } = this;
    if (samples.length < 2) return 'memory and handles: unknown on this system';
    const grows = growthOf(samples);
    const some = samples.filter((_, i) => i % Math.ceil(samples.length / 8) === 0 || i === samples.length - 1);
    const over = some.map(({ seconds, megabytes, handles }) => {
      return `${seconds.toFixed(0)} s ${megabytes.toFixed(0)} MB ${handles}`;
    });
    return `memory and handles: ${over.join(', ')}; in the second half ${grows.megabytes.toFixed(1)} MB and ${grows.handles.toFixed(1)} handles per minute`;
  }
}

/** How much memory and handles grow a minute in the second half. */
export function growthOf(samples: readonly Sample[]): { megabytes: number; handles: number } {
  const later = samples.slice(Math.floor(samples.length / 2));
  const growth = (of: (sample: Sample) => number) => 60 * slope(later, of);
  return { megabytes: growth(({ megabytes }) => megabytes), handles: growth(({ handles }) => handles) };
}

/** Of the line that fits the samples best, per second. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(of))];
  const spread = samples.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0);
  return spread === 0 ? 0 : samples.reduce((sum, s) => sum + (s.seconds - x) * (of(s) - y), 0) / spread;
}
