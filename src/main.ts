import { EXIT, run } from './cli/program.ts';
import { readConfig } from './config.ts';
import { FailureError } from './vocabulary/failure.ts';
import { printable, printableLines } from './vocabulary/text.ts';

// A reader that has seen enough (`tatemono unmatched | head`) ends the command, and is no fault.
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

function exitCodeOf(error: unknown): number {
  return error instanceof FailureError && error.failure.kind === 'badSetting' ? EXIT.usage : EXIT.failed;
}

/** What went wrong in one line where we know what it was; a fault of the program whole. */
function messageOf(error: unknown): string {
  if (error instanceof FailureError) return `tatemono: ${printable(error.message, 2_000)}`;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && error instanceof Error)
    return `tatemono: ${printable(error.message, 2_000)} (${code})`;
  return printableLines(`tatemono: ${error instanceof Error ? error.stack : String(error)}`);
}
