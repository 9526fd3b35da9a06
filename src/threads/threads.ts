import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, Worker, type WorkerOptions, workerData } from 'node:worker_threads';

/** Jobs of another thread by name; arguments and results are copied. */
// biome-ignore lint/suspicious/noExplicitAny: what a job takes and gives is known where the jobs are named
type ThreadJobs<J> = { [N in keyof J]: (job: any) => Promise<any> };

interface JobMessage {
  id: number;
  name: PropertyKey;
  job: unknown;
}
/** `failure` is a property of the error, which is lost when an error is copied. */
type AnswerMessage = { id: number; answer: unknown } | { id: number; error: Error; failure: unknown };

export interface Threads<J extends ThreadJobs<J>> {
  ask<N extends keyof J>(name: N, job: Parameters<J[N]>[0]): ReturnType<J[N]>;
  close(): Promise<void>;
}

interface WorkerThread {
  worker: Worker;
  waiting: Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>;
}

/** Starts threads that run one module; a job goes to the least busy one. */
export function startThreads<J extends ThreadJobs<J>>(module: URL, count: number, options: WorkerOptions): Threads<J> {
  const workers: WorkerThread[] = [];
  let lastId = 0;

  const start = (): WorkerThread => {
    const thread: WorkerThread = { worker: new Worker(module, options), waiting: new Map() };
    thread.worker.on('message', (message: AnswerMessage) => {
      const asked = thread.waiting.get(message.id);
      thread.waiting.delete(message.id);
      if ('error' in message) {
        const { error, failure } = message;
        asked?.reject(failure === undefined ? error : Object.assign(error, { failure }));
      } else asked?.resolve(message.answer);
    });
    // A thread that ends rejects its pending jobs; the next job starts another.
    const end = (error: Error) => {
      const at = workers.indexOf(thread);
      if (at !== -1) workers.splice(at, 1);
      for (const { reject } of thread.waiting.values()) reject(error);
      thread.waiting.clear();
    };
    thread.worker.on('error', end);
    thread.worker.on('exit', () => end(new Error('a worker thread has ended')));
    workers.push(thread);
    return thread;
  };
  for (let i = 0; i < count; i++) start();

  return {
    ask(name, job) {
      while (workers.length < count) start();
      const thread = workers.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
      const id = ++lastId;
      const answer = new Promise((resolve, reject) => thread.waiting.set(id, { resolve, reject }));
      thread.worker.postMessage({ id, name, job } satisfies JobMessage);
      return answer as ReturnType<J[typeof name]>;
    },
    async close() {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}

/** In the thread: runs the requested jobs. `D` is the worker data. */
export function answerJobs<J extends ThreadJobs<J>, D>(open: (data: D) => J): void {
  const jobs = open(workerData as D);
  parentPort?.on('message', async ({ id, name, job }: JobMessage) => {
    let message: AnswerMessage;
    try {
      message = { id, answer: await jobs[name as keyof J](job) };
    } catch (error) {
      message = { id, error: error as Error, failure: (error as { failure?: unknown }).failure };
    }
    parentPort?.postMessage(message);
  });
}

/**
 * Lowers the priority of this thread, so that others go first if there are more threads than processors. Only Linux has
 * priorities per thread.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, NICENESS);
}

const NICENESS = 10;
