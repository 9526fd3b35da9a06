import type { Storage } from '../storage/storage.ts';
import { startThreads } from '../threads/threads.ts';
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
const LIMITS = { maxYoungGenerationSizeMb: 10, maxOldGenerationSizeMb: 192 };

/** Two threads with connections of their own; a fault in one is the fault of whoever asked. */
export function crewOfThreads(databaseUrl: string): Crew {
  const threads = startThreads<Jobs>(new URL('./worker.ts', import.meta.url), HANDS, {
    workerData: { databaseUrl },
    resourceLimits: LIMITS,
  });
  return {
    ahead: HANDS + 1,
    read: (portion) => threads.ask('read', portion),
    consolidate: (ids) => threads.ask('consolidate', ids),
    compose: (part) => threads.ask('compose', part),
    meet: (tile) => threads.ask('meet', tile),
    close: () => threads.close(),
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
