import { run } from './cli/program.ts';
import { EXIT, type ExitCode } from './cli/terminal.ts';
import { readConfig } from './config.ts';
import { FailureError } from './vocabulary/failure.ts';
import { printable, printableLines } from './vocabulary/text.ts';

// A reader that closes the pipe (`tatemono unmatched | head`) ends the command without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});

try {
  const config = readConfig(process.env);
  process.exitCode = await run(process.argv.slice(2), { config, out: process.stdout, err: process.stderr });
} catch (error) {
  process.exitCode = exitCodeOf(error);
  console.error(messageOf(error));
}

function exitCodeOf(error: unknown): ExitCode {
  return error instanceof FailureError && error.failure.kind === 'badSetting' ? EXIT.usage : EXIT.failed;
}

/** One line for an expected failure or an error of the system; the whole stack for a fault of the program. */
function messageOf(error: unknown): string {
  if (error instanceof FailureError) return `tatemono: ${printable(error.message, 2_000)}`;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && error instanceof Error)
    return `tatemono: ${printable(error.message, 2_000)} (${code})`;
  return printableLines(`tatemono: ${error instanceof Error ? error.stack : String(error)}`);
}
