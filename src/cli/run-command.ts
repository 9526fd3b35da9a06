import { type Config, readConfig } from '../config.ts';
import { explainDatabaseError } from '../storage/explain-error.ts';
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
  let config: Config | undefined;
  try {
    config = readConfig(env);
    return await run(args, { config, out, err });
  } catch (error) {
    err.write(`${messageOf(error, config)}\n`);
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): ExitCode {
  return error instanceof FailureError && error.failure.kind === 'badSetting' ? EXIT.usage : EXIT.failed;
}

/** OPS-01: one line for an expected failure or an error of the system; the whole stack for a fault of the program. */
function messageOf(error: unknown, config: Config | undefined): string {
  const explained = explain(error, config);
  if (explained !== undefined) return `tatemono: ${printable(explained, 2_000)}`;
  return printableLines(`tatemono: ${error instanceof Error ? error.stack : String(error)}`);
}

function explain(error: unknown, config: Config | undefined): string | undefined {
  if (error instanceof FailureError && error.failure.kind !== 'connection') return error.message;
  const ofDatabase = config && explainDatabaseError(error, config.databaseUrl);
  if (ofDatabase !== undefined) return ofDatabase;
  if (error instanceof FailureError) return explainSystemError(error.cause) ?? error.message;
  return explainSystemError(error);
}

function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return undefined;
  const reason = FILE_ERRORS[code];
  if (reason === undefined) return `${message} (${code})`;
  return path === undefined ? reason : `${path}: ${reason}`;
}

const DENIED = 'permission denied; give this user the right to read and write it, or choose another path';
const FULL = 'the disk is full; free some space and run the command again';
const TOO_MANY_FILES = 'too many files are open; raise the limit of this user (ulimit -n)';

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: 'the file system is read-only; choose another path',
  ENOENT: 'no such file or folder; check the path',
  ENOTDIR: 'a part of the path is a file, not a folder; check the path',
  EISDIR: 'it is a folder, not a file; check the path',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EIO: 'the disk reports an input/output error; check the disk',
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
};
