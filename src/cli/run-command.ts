import { readConfig } from '../config.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { printable, printableLines } from '../vocabulary/text.ts';
import { run } from './program.ts';
import { EXIT, type ExitCode, type TerminalSettings } from './terminal.ts';

/** Runs one command line with these settings, as the process does: an error becomes a message and an exit code. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { out, err }: Pick<TerminalSettings, 'out' | 'err'>,
): Promise<ExitCode> {
  try {
    return await run(args, { config: readConfig(env), out, err });
  } catch (error) {
    err.write(`${messageOf(error)}\n`);
    return exitCodeOf(error);
  }
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
