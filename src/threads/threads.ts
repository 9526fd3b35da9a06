import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, Worker, type WorkerOptions, workerData } from 'node:worker_threads';

/** Work that another thread can do: each job by its name, what goes there and what comes back copied. */
// biome-ignore lint/suspicious/noExplicitAny: what a job takes and gives is known where the jobs are named
type ThreadJobs<J> = { [N in keyof J]: (job: any) => Promise<any> };

interface JobMessage {
  id: number;
  name: PropertyKey;
  job: unknown;
}
type AnswerMessage = { id: number; answer: unknown } | { id: number; error: Error };

export interface Threads<J extends ThreadJobs<J>> {
  ask<N extends keyof J>(name: N, job: Parameters<J[N]>[0]): ReturnType<J[N]>;
  close(): Promise<void>;
}

interface Hand {
  worker: Worker;
  waiting: Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>;
}

/** Some threads that run one module; a job goes to the one with the least to do. */
export function startThreads<J extends ThreadJobs<J>>(module: URL, count: number, options: WorkerOptions): Threads<J> {
  const hands: Hand[] = [];
  let lastId = 0;

  const start = (): Hand => {
    const hand: Hand = { worker: new Worker(module, options), waiting: new Map() };
    hand.worker.on('message', (message: AnswerMessage) => {
      const asked = hand.waiting.get(message.id);
      hand.waiting.delete(message.id);
      if ('error' in message) asked?.reject(message.error);
      else asked?.resolve(message.answer);
    });
    // A thread that ends has failed whoever waits for it; the next job starts another.
    const end = (error: Error) => {
      const at = hands.indexOf(hand);
      if (at !== -1) hands.splice(at, 1);
      for (const { reject } of hand.waiting.values()) reject(error);
      hand.waiting.clear();
    };
    hand.worker.on('error', end);
    hand.worker.on('exit', () => end(new Error('a thread has ended')));
    hands.push(hand);
    return hand;
  };
  for (let i = 0; i < count; i++) start();

  return {
    ask(name, job) {
      while (hands.length < count) start();
      const hand = hands.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
      const id = ++lastId;
      const answer = new Promise((resolve, reject) => hand.waiting.set(id, { resolve, reject }));
      hand.worker.postMessage({ id, name, job } satisfies JobMessage);
      return answer as ReturnType<J[typeof name]>;
    },
    async close() {
      await Promise.all(hands.map(({ worker }) => worker.terminate()));
    },
  };
}

/** In the thread: does what it is asked for. `D` is what it was started with. */
export function answerJobs<J extends ThreadJobs<J>, D>(open: (data: D) => J): void {
  const jobs = open(workerData as D);
  parentPort?.on('message', async ({ id, name, job }: JobMessage) => {
    let message: AnswerMessage;
    try {
      message = { id, answer: await jobs[name as keyof J](job) };
    } catch (error) {
      message = { id, error: error as Error };
    }
    parentPort?.postMessage(message);
  });
}

/**
 * Lets the other threads of this process go first where there are more of them than processors. Only
 * Linux has a priority for each thread; elsewhere nothing changes.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, NICENESS);
}

const NICENESS = 10;
