import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SURFACES, type Surface } from './surface.ts';

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

const SAMPLE_MS = 20;
/** A sample is the time since the previous one. */
const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - SAMPLE_MS / 1e3);

interface Tally {
  byClass: Float64Array;
  /** One more than the buckets: the last is for longer durations. */
  byDuration: Float64Array;
  seconds: number;
  rejected: number;
}

const newTally = (): Tally => ({
  byClass: new Float64Array(STATUS_CLASSES.length),
  byDuration: new Float64Array(BUCKETS.length + 1),
  seconds: 0,
  rejected: 0,
});

/** Counts requests, at the cost of a few additions per request, and reports on the process. */
export class Metrics {
  readonly #tallies = Object.fromEntries(SURFACES.map((surface) => [surface, newTally()])) as Record<Surface, Tally>;
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });

  /** Values that are read when the metrics are requested. */
  readonly #gauges: { name: string; help: string; read: () => number }[] = [];

  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.push({ name, help, read });
  }

  start(): void {
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  count(surface: Surface, status: number, milliseconds: number): void {
    const tally = this.#tallies[surface];
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
    (tally.byDuration[bucket] as number) += 1;
    (tally.byClass[Math.floor(status / 100) - 1] as number) += 1;
    tally.seconds += seconds;
    if (status === 429) tally.rejected += 1;
  }

  /** Writes the text format of Prometheus. */
  render(): string {
    const lines: string[] = [];
    const metric = (name: string, type: string, help: string, samples: [labels: string, value: number][]) => {
      lines.push(`# HELP tatemono_${name} ${help}`, `# TYPE tatemono_${name} ${type}`);
      for (const [labels, value] of samples) lines.push(`tatemono_${name}${labels} ${value}`);
    };
    const bySurface = (sample: (surface: string, tally: Tally) => [labels: string, value: number][]) =>
      SURFACES.flatMap((surface) => sample(`surface="${surface}"`, this.#tallies[surface]));

    metric(
      'http_requests_total',
      'counter',
      'Requests answered.',
      bySurface((surface, { byClass }) =>
        STATUS_CLASSES.slice(1).map((name, i) => [`{${surface},status="${name}"}`, byClass[i + 1] ?? 0]),
      ),
    );
    metric(
      'rate_limit_rejections_total',
      'counter',
      'Requests over the limit of their surface.',
      bySurface((surface, { rejected }) => [[`{${surface}}`, rejected]]),
    );
    metric('http_request_duration_seconds', 'histogram', 'From the headers of a request to the end of its answer.', []);
    for (const [labels, value] of bySurface(durationSamples)) {
      lines.push(`tatemono_http_request_duration_seconds${labels} ${value}`);
    }
    for (const { name, help, read } of this.#gauges) metric(name, 'gauge', help, [['', read()]]);
    const memory = process.memoryUsage();
    metric('process_memory_bytes', 'gauge', 'Memory of the process.', [
      ['{kind="rss"}', memory.rss],
      ['{kind="heap_used"}', memory.heapUsed],
      ['{kind="heap_total"}', memory.heapTotal],
      ['{kind="external"}', memory.external],
    ]);
    metric('process_uptime_seconds', 'gauge', 'Since the process started.', [['', process.uptime()]]);
    metric('event_loop_delay_seconds', 'gauge', 'By which timers are late, since the last time this was asked.', [
      ['{quantile="0.5"}', delayOf(this.#delay.percentile(50))],
      ['{quantile="0.99"}', delayOf(this.#delay.percentile(99))],
      ['{quantile="1"}', delayOf(this.#delay.max)],
    ]);
    this.#delay.reset();
    return `${lines.join('\n')}\n`;
  }
}

function durationSamples(surface: string, { byDuration, seconds }: Tally): [labels: string, value: number][] {
  let count = 0;
  const samples = Array.from(byDuration, (more, i): [string, number] => {
    count += more;
    return [`_bucket{${surface},le="${BUCKETS[i] ?? '+Inf'}"}`, count];
  });
  return [...samples, [`_sum{${surface}}`, seconds], [`_count{${surface}}`, count]];
}
