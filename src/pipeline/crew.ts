import { Worker } from 'node:worker_threads';
import type { Storage } from '../storage/storage.ts';
import { type Jobs, jobsOn } from './jobs.ts';

/** Whoever does the jobs of a run: this thread, or others beside it. */
export interface Crew extends Jobs {
  /** How many jobs to have under way so that nobody waits. */
  readonly ahead: number;
  close(): Promise<void>;
}

/** For a little work, which would be done before a thread has started. */
export function crewOfOne(storage: Storage): Crew {
  return { ...jobsOn(storage), ahead: 1, close: async () => {} };
}

const HANDS = 2;
/** Bounds what each thread may hold, so that a large file does not make a large process. */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 192 };

export interface JobMessage {
  id: number;
  name: keyof Jobs;
  job: unknown;
}
export type AnswerMessage = { id: number; answer: unknown } | { id: number; error: Error };

/** Two threads with connections of their own; a fault in one is the fault of whoever asked. */
export function crewOfThreads(databaseUrl: string): Crew {
  const asked = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  const failAll = (error: Error) => {
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  };
  const workers = Array.from({ length: HANDS }, () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { databaseUrl },
      resourceLimits: LIMITS,
    });
    worker.on('message', (message: AnswerMessage) => {
      const waiting = asked.get(message.id);
      asked.delete(message.id);
      if ('error' in message) waiting?.reject(message.error);
      else waiting?.resolve(message.answer as never);
    });
    worker.on('error', failAll);
    return { worker, busy: 0 };
  });

  let lastId = 0;
  const ask = <N extends keyof Jobs>(name: N, job: Parameters<Jobs[N]>[0]): ReturnType<Jobs[N]> => {
    const hand = workers.reduce((a, b) => (b.busy < a.busy ? b : a));
    hand.busy += 1;
    const id = ++lastId;
    const answer = new Promise((resolve, reject) => asked.set(id, { resolve: resolve as never, reject }));
    hand.worker.postMessage({ id, name, job } satisfies JobMessage);
    return answer.finally(() => {
      hand.busy -= 1;
    }) as ReturnType<Jobs[N]>;
  };
  return {
    ahead: 2 * HANDS,
    read: (portion) => ask('read', portion),
    consolidate: (ids) => ask('consolidate', ids),
    compose: (part) => ask('compose', part),
    async close() {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Asks for the next answers while the last is used, and gives them in the order of the questions. */
export async function* inOrder<J, A>(
  jobs: AsyncIterable<J> | Iterable<J>,
  ahead: number,
  ask: (job: J) => Promise<A>,
): AsyncGenerator<[job: J, answer: A]> {
  const waiting: { job: J; answer: Promise<A> }[] = [];
  for await (const job of jobs) {
    const answer = ask(job);
    // Whoever takes it in turn sees the fault; until then it must not count as unhandled.
    answer.catch(() => {});
    waiting.push({ job, answer });
    if (waiting.length < ahead) continue;
    const next = waiting.shift() as (typeof waiting)[number];
    yield [next.job, await next.answer];
  }
  for (const { job, answer } of waiting) yield [job, await answer];
}
