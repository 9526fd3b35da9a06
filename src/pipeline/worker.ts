import { openStorage } from '../storage/open-storage.ts';
import { answerJobs } from '../threads/threads.ts';
import { type Jobs, jobsOn } from './jobs.ts';

/** A worker thread; it has its own connection. */
answerJobs<Jobs, { databaseUrl: string }>(({ databaseUrl }) => {
  const storage = openStorage(databaseUrl, (error) => {
    throw error;
  });
  return jobsOn({ storage, databaseUrl });
});
