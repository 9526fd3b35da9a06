import { answerJobs } from '../../src/threads/threads.ts';

export interface ClumsyJobs {
  double(job: number): Promise<number>;
  fail(job: string): Promise<never>;
  end(job: undefined): Promise<never>;
}

answerJobs<ClumsyJobs, { factor: number }>(({ factor }) => ({
  double: async (job) => job * factor,
  fail: async (job) => {
    throw new Error(job);
  },
  end: async () => process.exit(3),
}));
