import { parentPort, workerData } from 'node:worker_threads';
import { openStorage } from '../storage/open-storage.ts';
import type { AnswerMessage, JobMessage } from './crew.ts';
import { jobsOn } from './jobs.ts';

/** A thread of the crew: takes jobs, reads through a connection of its own, sends answers. */
const { databaseUrl } = workerData as { databaseUrl: string };
const storage = openStorage(databaseUrl, (error) => {
  throw error;
});
const jobs = jobsOn(storage);

parentPort?.on('message', async ({ id, name, job }: JobMessage) => {
  let message: AnswerMessage;
  try {
    message = { id, answer: await jobs[name](job as never) };
  } catch (error) {
    message = { id, error: error as Error };
  }
  parentPort?.postMessage(message);
});
