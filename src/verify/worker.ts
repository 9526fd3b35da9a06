import { openStorage } from '../storage/open-storage.ts';
import { answerJobs } from '../threads/threads.ts';
import { type VerifyJobs, verifyJobsOn } from './jobs.ts';

/** A worker thread; it has its own connection. */
answerJobs<VerifyJobs, { databaseUrl: string }>(({ databaseUrl }) =>
  verifyJobsOn(
    openStorage(databaseUrl, (error) => {
      throw error;
    }),
  ),
);
