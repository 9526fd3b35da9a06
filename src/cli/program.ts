import { Command, CommanderError } from 'commander';
import { printableLines } from '../vocabulary/text.ts';
import { addAuditCommand } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addExportCommand } from './export.ts';
import { addFetchCommand } from './fetch.ts';
import { addIdentityCommands } from './identity.ts';
import { addIngestCommands } from './ingest.ts';
import { addStatusCommand } from './status.ts';
import { EXIT, type ExitCode, openTerminal, type Terminal, type TerminalSettings } from './terminal.ts';
import { addVerifyCommand } from './verify.ts';
import { addWorkCommand } from './work.ts';

/** Runs one command line; returns its exit code. */
export async function run(args: readonly string[], settings: TerminalSettings): Promise<ExitCode> {
  const terminal = openTerminal(settings);
  const program = new Command('tatemono')
    .description('The open building registry for Japan.')
    .exitOverride()
    .showHelpAfterError('Add --help to see how the command is used.')
    .configureOutput({
      writeOut: (text) => settings.out.write(text),
      writeErr: (text) => settings.err.write(printableLines(text)),
    });

  program.commandsGroup('Service:');
  addServeCommand(program, terminal);
  addStatusCommand(program, terminal);
  program.commandsGroup('Data:');
  addFetchCommand(program, terminal);
  addIngestCommands(program, terminal);
  addWorkCommand(program, terminal);
  addExportCommand(program, terminal);
  addAuditCommand(program, terminal);
  addVerifyCommand(program, terminal);
  program.commandsGroup('Identity:');
  addIdentityCommands(program, terminal);
  program.commandsGroup('Backup:');
  addBackupCommands(program, terminal);
  program.commandsGroup('REIT publications:');
  await addReitFamily(program, terminal, args);

  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return terminal.exitCode();
}

function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('serve the API, MCP and the pages; an empty database is first filled with the sample')
    .action(async () => {
      // Loaded only here: the other commands do not need the server or its memory.
      const { serve } = await import('../serve.ts');
      await serve(terminal);
    });
}

/** Loads the REIT commands only when they are used, because an ingest has no memory to spare for them. */
async function addReitFamily(program: Command, terminal: Terminal, args: readonly string[]): Promise<void> {
  const reit = program
    .command('reit')
    .description('publish property histories of REITs: extract, compose, review, activate, withdraw');
  if (!args.includes('reit')) return;
  const { addReitCommands } = await import('./reit.ts');
  const { addExtractCommand } = await import('./reit-extract.ts');
  addExtractCommand(reit, terminal);
  addReitCommands(reit, terminal);
}
