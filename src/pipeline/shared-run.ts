import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { countWorkers, JobQueue } from '../storage/job-queue.ts';
import type { Storage } from '../storage/storage.ts';
import type { Context } from './context.ts';
import { jobDoer, type PhaseJob, type SharedJob, type SharedResult, type SharedResults } from './queued-jobs.ts';
import type { WorkerPool } from './worker-pool.ts';

const QUEUED_PER_WORKER = 16;
const POLL_MS = 10;
/** A thread stops now and then, so that it can be closed. */
const JOBS_AT_ONCE = 16;
/** Fewer buildings or records are done before a worker notices that there are jobs. */
const WORTH_SHARING = 2_000;

type JobOf<K> = Extract<SharedJob, { kind: K }>;

interface Waiting<J> {
  id: string;
  job: J;
  outcome?: { result: SharedResult } | { error: string };
}

/** WRK-01: a run whose jobs this process shares with workers, through a queue in PostgreSQL. */
export class SharedRun {
  readonly #queue: JobQueue<PhaseJob, SharedResult>;
  readonly #run: number;
  readonly #most: number;
  readonly #pool: WorkerPool;
  readonly #takeHere: () => Promise<boolean>;
  #phase = 0;

  private constructor(
    queue: JobQueue<PhaseJob, SharedResult>,
    run: number,
    workers: number,
    pool: WorkerPool,
    storage: Storage,
  ) {
    this.#queue = queue;
    const doJob = jobDoer(storage);
    this.#takeHere = () => queue.take(doJob);
    this.#run = run;
    this.#most = QUEUED_PER_WORKER * (workers + pool.threads + 1);
    this.#pool = pool;
  }

  /** For a process that has the write lock; undefined if no worker is ready, or the work is less than they are worth. */
  static async start(
    { storage, databaseUrl }: Context,
    pool: WorkerPool,
    amount: number,
  ): Promise<SharedRun | undefined> {
    if (amount < WORTH_SHARING) return undefined;
    const workers = await countWorkers(storage);
    if (workers === 0) return undefined;
    const queue = await JobQueue.open<PhaseJob, SharedResult>(storage, databaseUrl);
    return new SharedRun(queue, await queue.startRun(), workers, pool, storage);
  }

  /** A phase: yields the result of each job, in the order of the jobs. This process does jobs too, so none is left. */
  async *phase<K extends SharedJob['kind']>(
    jobs: AsyncIterable<JobOf<K>> | Iterable<JobOf<K>>,
  ): AsyncGenerator<[job: JobOf<K>, result: SharedResults[K]]> {
    const phase = ++this.#phase;
    const waiting: Waiting<JobOf<K>>[] = [];
    let more: JobOf<K>[] = [];
    const put = async () => {
      const rows = more.map((job) => ({ id: randomUUID(), job }));
      await this.#queue.put(rows.map(({ id, job }) => ({ id, job: { ...job, run: this.#run, phase } })));
      waiting.push(...rows);
      more = [];
    };
    const helpers = new Helpers(this.#pool, this.#takeHere);
    try {
      for await (const job of jobs) {
        more.push(job);
        if (waiting.length + more.length < this.#most) continue;
        await put();
        while (waiting.length > this.#most / 2) yield await this.#first(waiting, helpers);
      }
      await put();
      while (waiting.length > 0) yield await this.#first(waiting, helpers);
    } finally {
      await helpers.end();
    }
  }

  /** Waits for the first of these jobs. */
  async #first<J extends SharedJob>(waiting: Waiting<J>[], helpers: Helpers): Promise<[J, never]> {
    const [first] = waiting as [Waiting<J>];
    while (first.outcome === undefined) {
      const worked = await helpers.help();
      const pending = new Map(waiting.flatMap((each) => (each.outcome === undefined ? [[each.id, each]] : [])));
      const done = await this.#queue.collect(new Set(pending.keys()));
      for (const [id, outcome] of done) (pending.get(id) as Waiting<J>).outcome = outcome;
      if (!worked && done.size === 0) await sleep(POLL_MS);
    }
    waiting.shift();
    if ('error' in first.outcome) throw new Error(`a shared job failed: ${first.outcome.error}`);
    return [first.job, first.outcome.result.result as never];
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

/** The threads of this process, each of which does jobs; without any, this thread does. */
class Helpers {
  readonly #pool: WorkerPool;
  readonly #takeHere: () => Promise<boolean>;
  #hasEnded = false;
  #running: Promise<void>[] | undefined;
  #failure: unknown;

  constructor(pool: WorkerPool, takeHere: () => Promise<boolean>) {
    this.#pool = pool;
    this.#takeHere = takeHere;
  }

  /** Returns whether this thread did a job. */
  async help(): Promise<boolean> {
    this.#running ??= Array.from({ length: this.#pool.threads }, () => this.#keepTaking());
    if (this.#failure !== undefined) throw this.#failure;
    return this.#pool.threads === 0 && this.#takeHere();
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#running ?? []);
  }

  async #keepTaking(): Promise<void> {
    try {
      while (!this.#hasEnded) if ((await this.#pool.takeShared(JOBS_AT_ONCE)) === 0) await sleep(POLL_MS);
    } catch (error) {
      this.#failure = error;
    }
  }
}
