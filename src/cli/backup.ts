import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { restoreRegistry } from '../pipeline/restore.ts';
import { backUp } from '../storage/backup.ts';
import { printable } from '../vocabulary/text.ts';
import { EXIT, MAX_PATH, type Terminal } from './terminal.ts';

/** `backup` and `restore`: the whole registry as one file. */
export function addBackupCommands(program: Command, { print, warn, withContext }: Terminal): void {
  program
    .command('backup')
    .description('write a consistent copy of everything to one file; serving continues')
    .argument('<file>', 'a file that does not exist yet')
    .action((file: string) =>
      withContext(async ({ storage }) => {
        await backUp(storage, file);
        print(`backed up into ${printable(file, MAX_PATH)} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
        return EXIT.done;
      }),
    );

  program
    .command('restore')
    .description('replace all data with a backup')
    .argument('<file>', 'a backup of either database')
    .action((file: string) =>
      withContext(async (context) => {
        await restoreRegistry(context, file, warn);
        print(`restored from ${printable(file, MAX_PATH)}`);
        return EXIT.done;
      }),
    );
}
