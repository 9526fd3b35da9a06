import type { Command } from 'commander';
import { work } from '../pipeline/work.ts';
import { printable } from '../vocabulary/text.ts';
import { EXIT, type Terminal } from './terminal.ts';

/** `work`: a process that shares the jobs of ingests on the same PostgreSQL database. */
export function addWorkCommand(program: Command, { print, warn, withContext }: Terminal): void {
  program
    .command('work')
    .description('share the work of ingests on the same PostgreSQL database, until it is stopped')
    .action(() =>
      withContext(async (context) => {
        const stopping = new AbortController();
        const stop = () => stopping.abort();
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
        const report = {
          ready: () => print('tatemono works for ingests on this database'),
          done: (jobs: number) => print(`did ${jobs} job${jobs === 1 ? '' : 's'} of an ingest`),
          lost: (error: Error) => warn(`database: ${printable(error.message, 2_000)}; trying again`),
        };
        try {
          await work(context, report, stopping.signal);
        } finally {
          for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
        }
        return EXIT.done;
      }),
    );
}
