import { openStorage } from '../storage/open-storage.ts';
import { answerJobs } from '../threads/threads.ts';
import { prepareItems } from './prepare-items.ts';
import type { ReaderJobs } from './read-files.ts';
import { type Preparers, SourceReader } from './source-reader.ts';

/** The thread that reads a source; it has its own connection. */
answerJobs<ReaderJobs, { databaseUrl: string }>(({ databaseUrl }) => {
  const storage = openStorage(databaseUrl, (error) => {
    throw error;
  });
  const prepare: Preparers['prepare'] = (batch) => prepareItems(storage.db, batch);
  const reader = new SourceReader({ ahead: 1, prepare });
  return { open: (job) => reader.open(job), next: () => reader.next() };
});
