import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { awaitEarlierJobs, countWorkers, JobQueue } from '../../src/storage/job-queue.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage, Tx } from '../../src/storage/storage.ts';
import { onPostgres, type TestDatabase } from '../support/engines.ts';

interface AddTodo {
  run: number;
  name: string;
}

const open = async ({ url }: TestDatabase) => {
  const storage = openStorage(url, () => {});
  const queue = await JobQueue.open<AddTodo, { name: string }>(storage, url);
  const close = async () => {
    await queue.close();
    await storage.close();
  };
  return { storage, queue, close };
};

const addTodo = async (tx: Tx, { name }: AddTodo) => {
  await tx.insert('todo', ['name'], [[name]]);
  return { name };
};

const todos = async ({ db }: Storage) =>
  (await db.selectFrom('todo').select('name').orderBy('name').execute()).map(({ name }) => String(name));

onPostgres('a queue of jobs', (fresh) => {
  it('WRK-02 gives each job to one process at a time, and stores its result with the mark that it is done', async () => {
    const database = await fresh();
    // Two processes may create the tables of the queue at once.
    const [one, other] = await Promise.all([open(database), open(database)]);
    const run = await one.queue.startRun();
    const jobs = ['a', 'b', 'c'].map((name) => ({ id: randomUUID(), job: { run, name } }));
    await one.queue.put(jobs);
    const ids = new Set(jobs.map(({ id }) => id));
    const stopped = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const failing = one.queue.take(async (tx, job) => {
      await addTodo(tx, job);
      begun.resolve();
      await stopped.promise;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    await begun.promise;
    const taken: string[] = [];
    const note = (tx: Tx, job: AddTodo) => {
      taken.push(job.name);
      return addTodo(tx, job);
    };
    expect(await other.queue.take(note)).toBe(true);
    expect(await other.queue.take(note)).toBe(true);
    expect(await other.queue.take(note)).toBe(false);
    expect((await one.queue.collect(ids)).size).toBe(2);
    stopped.resolve();
    await failing;
    expect(await todos(one.storage)).toEqual([...taken].sort());
    expect(await other.queue.take(note)).toBe(true);
    expect([...taken].sort()).toEqual(['a', 'b', 'c']);
    expect(await todos(one.storage)).toEqual(['a', 'b', 'c']);
    await one.close();
    await other.close();
  });

  it('WRK-02 reports an error that another attempt would repeat', async () => {
    const { queue, storage, close } = await open(await fresh());
    const id = randomUUID();
    await queue.put([{ id, job: { run: await queue.startRun(), name: 'a' } }]);
    await queue.take(async (tx, job) => {
      await addTodo(tx, job);
      throw new TypeError('a fault of the program');
    });
    expect(await queue.collect(new Set([id]))).toEqual(
      new Map([[id, { error: expect.stringContaining('a fault of the program') }]]),
    );
    expect(await todos(storage)).toEqual([]);
    await close();
  });

  it('WRK-05 does no job of a run whose process has ended, and a new writer waits for one that is being done', async () => {
    const database = await fresh();
    const [ended, worker] = [await open(database), await open(database)];
    const run = await ended.queue.startRun();
    await ended.queue.put(['a', 'b'].map((name) => ({ id: randomUUID(), job: { run, name } })));
    const begun = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    const taken = worker.queue.take(async (tx, job) => {
      begun.resolve();
      await going.promise;
      return addTodo(tx, job);
    });
    await begun.promise;
    await ended.close();
    const order: string[] = [];
    const next = openStorage(database.url, () => {});
    const writing = awaitEarlierJobs(next).then(() => order.push('the next writer'));
    going.resolve();
    await taken.then(() => order.push('the job'));
    await writing;
    expect(order).toEqual(['the job', 'the next writer']);
    expect(await worker.queue.take(addTodo)).toBe(true);
    expect(await worker.queue.take(addTodo)).toBe(false);
    expect(await todos(next)).toHaveLength(1);
    await next.close();
    await worker.close();
  });

  it('WRK-01 WRK-06 counts the workers of this release that are ready', async () => {
    const database = await fresh();
    const [one, other] = [await open(database), await open(database)];
    expect(await countWorkers(one.storage)).toBe(0);
    await one.queue.announceWorker();
    await other.queue.announceWorker();
    expect(await countWorkers(one.storage)).toBe(2);
    await other.close();
    expect(await countWorkers(one.storage)).toBe(1);
    await one.close();
  });
});
