import { openStorage } from '../storage/open-storage.ts';
import { answerJobs } from '../threads/threads.ts';
import { SourceReader } from './read-source.ts';
import type { ReaderJobs } from './reader.ts';

/** The thread that reads a source. */
answerJobs<ReaderJobs, { databaseUrl: string }>(({ databaseUrl }) => {
  const storage = openStorage(databaseUrl, (error) => {
    throw error;
  });
  const reader = new SourceReader(storage.db);
  return { open: (job) => reader.open(job), next: () => reader.next() };
});
