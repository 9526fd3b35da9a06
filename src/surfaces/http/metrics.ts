import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SURFACES, type Surface } from './surface.ts';

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

const SAMPLE_MS = 20;
/** A sample is the time since the previous one. */
const delayOf = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - SAMPLE_MS / 1e3);

/** The labels, such as `{surface="api"}`, and the value. */
export type Sample = [labels: string, value: number];

export interface Metric {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: Sample[];
}

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
  readonly #gauges: { name: string; help: string; read: () => number | Sample[] }[] = [];

  gauge(name: string, help: string, read: () => number | Sample[]): void {
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

  read(): Metric[] {
    const bySurface = (sample: (surface: string, tally: Tally) => Sample[]) =>
      SURFACES.flatMap((surface) => sample(`surface="${surface}"`, this.#tallies[surface]));
    const memory = process.memoryUsage();
    const metrics: Metric[] = [
      {
        ...{ name: 'http_requests_total', type: 'counter', help: 'Requests answered.' },
        samples: bySurface((surface, { byClass }) =>
          STATUS_CLASSES.slice(1).map((name, i) => [`{${surface},status="${name}"}`, byClass[i + 1] ?? 0]),
        ),
      },
      {
        ...{ name: 'rate_limit_rejections_total', type: 'counter', help: 'Requests over the limit of their surface.' },
        samples: bySurface((surface, { rejected }) => [[`{${surface}}`, rejected]]),
      },
      {
        ...{ name: 'http_request_duration_seconds', type: 'histogram' },
        help: 'From the headers of a request to the end of its answer.',
        samples: bySurface(durationSamples),
      },
      ...this.#gauges.map(({ name, help, read }): Metric => {
        const value = read();
        return { name, type: 'gauge', help, samples: typeof value === 'number' ? [['', value]] : value };
      }),
      {
        ...{ name: 'process_memory_bytes', type: 'gauge', help: 'Memory of the process.' },
        samples: [
          ['{kind="rss"}', memory.rss],
          ['{kind="heap_used"}', memory.heapUsed],
          ['{kind="heap_total"}', memory.heapTotal],
          ['{kind="external"}', memory.external],
        ],
      },
      {
        ...{ name: 'process_uptime_seconds', type: 'gauge', help: 'Since the process started.' },
        samples: [['', process.uptime()]],
      },
      {
        ...{ name: 'event_loop_delay_seconds', type: 'gauge' },
        help: 'By which timers are late, since the last time this was asked.',
        samples: [
          ['{quantile="0.5"}', delayOf(this.#delay.percentile(50))],
          ['{quantile="0.99"}', delayOf(this.#delay.percentile(99))],
          ['{quantile="1"}', delayOf(this.#delay.max)],
        ],
      },
    ];
    this.#delay.reset();
    return metrics;
  }
}

/** The text format of Prometheus. */
export function writeMetrics(metrics: readonly Metric[]): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of metrics) {
    lines.push(`# HELP tatemono_${name} ${help}`, `# TYPE tatemono_${name} ${type}`);
    for (const [labels, value] of samples) lines.push(`tatemono_${name}${labels} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}

/** What several processes count together is added up; the gauges of each have its name as a label. */
export function mergeMetrics(readings: readonly { worker: string; metrics: readonly Metric[] }[]): Metric[] {
  const merged = new Map<string, Metric>();
  for (const { worker, metrics } of readings) {
    for (const { name, type, help, samples } of metrics) {
      let known = merged.get(name);
      if (known === undefined) {
        known = { name, type, help, samples: [] };
        merged.set(name, known);
      }
      if (type === 'gauge') known.samples.push(...samples.map((sample) => withWorker(sample, worker)));
      else addSamples(known.samples, samples);
    }
  }
  return [...merged.values()];
}

function withWorker([labels, value]: Sample, worker: string): Sample {
  const label = `worker="${worker}"`;
  return [labels === '' ? `{${label}}` : `${labels.slice(0, -1)},${label}}`, value];
}

function addSamples(sums: Sample[], samples: readonly Sample[]): void {
  for (const [labels, value] of samples) {
    const sum = sums.find(([other]) => other === labels);
    if (sum === undefined) sums.push([labels, value]);
    else sum[1] += value;
  }
}

function durationSamples(surface: string, { byDuration, seconds }: Tally): Sample[] {
  let count = 0;
  const samples = Array.from(byDuration, (more, i): Sample => {
    count += more;
    return [`_bucket{${surface},le="${BUCKETS[i] ?? '+Inf'}"}`, count];
  });
  return [...samples, [`_sum{${surface}}`, seconds], [`_count{${surface}}`, count]];
}
