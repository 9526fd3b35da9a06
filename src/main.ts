import { runCommand } from './cli/run-command.ts';
import { EXIT } from './cli/terminal.ts';

// A reader that closes the pipe (`tatemono unmatched | head`) ends the command without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

process.exitCode = await runCommand(process.argv.slice(2), process.env, { out: process.stdout, err: process.stderr });
