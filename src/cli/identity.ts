import type { Command } from 'commander';
import { mergeBuildings, retireBuilding, unmergeBuilding } from '../pipeline/identity-commands.ts';
import { readIdArgument } from './arguments.ts';
import { EXIT, type Terminal } from './terminal.ts';

/** `merge`, `unmerge`, `retire`: changes of building identity (ID-04). */
export function addIdentityCommands(program: Command, { print, withContext }: Terminal): void {
  program
    .command('merge')
    .description('merge two buildings: the first ID redirects to the second')
    .argument('<loser>', 'the ID to end', readIdArgument)
    .argument('<survivor>', 'the ID to keep', readIdArgument)
    .option('--reason <text>', 'stored with the change')
    .action((loser: string, survivor: string, { reason = null }: { reason?: string | null }) =>
      withContext(async (context) => {
        const outcome = await mergeBuildings(context, loser, survivor, reason);
        print(outcome === 'done' ? `merged ${loser} into ${survivor}` : `${loser} is already merged into ${survivor}`);
        return EXIT.done;
      }),
    );

  program
    .command('unmerge')
    .description('undo a merge')
    .argument('<loser>', 'the ID that was merged', readIdArgument)
    .option('--reason <text>', 'stored with the change')
    .action((loser: string, { reason = null }: { reason?: string | null }) =>
      withContext(async (context) => {
        const outcome = await unmergeBuilding(context, loser, reason);
        print(outcome === 'done' ? `unmerged ${loser}` : `${loser} is already unmerged`);
        return EXIT.done;
      }),
    );

  program
    .command('retire')
    .description("retire a building's ID")
    .argument('<id>', 'the ID to end', readIdArgument)
    .option('--into <id>', 'the ID that it redirects to', readIdArgument)
    .option('--reason <text>', 'stored with the change')
    .action((id: string, { into, reason = null }: { into?: string; reason?: string | null }) =>
      withContext(async (context) => {
        const outcome = await retireBuilding(context, id, into, reason);
        const successor = into === undefined ? '' : ` into ${into}`;
        print(outcome === 'done' ? `retired ${id}${successor}` : `${id} is already retired`);
        return EXIT.done;
      }),
    );
}
