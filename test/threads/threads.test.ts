import { afterEach, expect, it } from 'vitest';
import { startThreads, type Threads } from '../../src/threads/threads.ts';
import type { ClumsyJobs } from './clumsy-worker.ts';

let threads: Threads<ClumsyJobs>;
const start = (count: number) => {
  const module = new URL('./clumsy-worker.ts', import.meta.url);
  threads = startThreads<ClumsyJobs>(module, count, { workerData: { factor: 2 } });
};
afterEach(() => threads.close());

it('runs many jobs at once, each with its own result', async () => {
  start(2);
  const jobs = Array.from({ length: 200 }, (_, i) => i);
  expect(await Promise.all(jobs.map((job) => threads.ask('double', job)))).toEqual(jobs.map((job) => job * 2));
});

it('a job that fails rejects only its own request', async () => {
  start(1);
  const [failed, done] = await Promise.allSettled([threads.ask('fail', 'no luck'), threads.ask('double', 4)]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'no luck' } });
  expect(done).toMatchObject({ status: 'fulfilled', value: 8 });
});

it('a thread that ends rejects its jobs, and the next job runs in a new thread', async () => {
  start(1);
  await expect(threads.ask('end', undefined)).rejects.toThrow('a worker thread has ended');
  expect(await threads.ask('double', 21)).toBe(42);
});
