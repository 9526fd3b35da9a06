import { openStorage } from '../storage/open-storage.ts';
import { answerJobs } from '../threads/threads.ts';
import { type Jobs, jobsOn } from './jobs.ts';

/** A thread of the crew: reads through a connection of its own. */
answerJobs<Jobs, { databaseUrl: string }>(({ databaseUrl }) =>
  jobsOn(
    openStorage(databaseUrl, (error) => {
      throw error;
    }),
  ),
);
