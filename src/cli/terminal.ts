import { SingleBar } from 'cli-progress';
import type { Config } from '../config.ts';
import type { Context, Report } from '../pipeline/context.ts';
import { migrate } from '../storage/migrate.ts';
import { openStorage } from '../storage/open-storage.ts';
import { cleanUpAfterRestore } from '../storage/restore-run.ts';
import { printable } from '../vocabulary/text.ts';

/** Every exit code there is; docs/reference/commands.md describes them. */
export const EXIT = {
  done: 0,
  /** Failed, or part of the input was rejected. */
  failed: 1,
  /** Wrong usage or an invalid setting. */
  usage: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The settings and streams that a command runs with. */
export interface TerminalSettings {
  config: Config;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

/** What every command works with. */
export interface Terminal {
  config: Config;
  /** Results go to standard output. */
  print(line: string): void;
  /** Problems and hints go to standard error. */
  warn(line: string): void;
  exitWith(code: ExitCode): void;
  exitCode(): ExitCode;
  /** Opens the database, brings its tables up to date, and closes it whatever happens. */
  withContext(work: (context: TerminalContext) => Promise<ExitCode | undefined>): Promise<void>;
}

export type TerminalContext = Context & { report: TerminalReport };

export function openTerminal({ config, out, err }: TerminalSettings): Terminal {
  let exit: ExitCode = EXIT.done;
  const warn = (line: string) => void err.write(`${line}\n`);
  return {
    config,
    warn,
    print: (line) => void out.write(`${line}\n`),
    exitWith: (code) => {
      exit = code;
    },
    exitCode: () => exit,
    async withContext(work) {
      const { databaseUrl, archiveDir } = config;
      const storage = openStorage(databaseUrl, (error) => warn(`database: ${printable(error.message, 2_000)}`));
      const report = terminalReport(err);
      try {
        await migrate(storage, undefined, warn);
        await cleanUpAfterRestore(storage);
        const now = () => new Date().toISOString();
        exit = (await work({ storage, databaseUrl, archiveDir, now, report })) ?? EXIT.done;
      } finally {
        report.end();
        await storage.close();
      }
    },
  };
}

interface TerminalReport extends Report {
  /** Whether a file could not be read. */
  hasBrokenFile(): boolean;
  /** Lifts the limit on messages of one kind. */
  showAll(): void;
  passedOver(): number;
  end(): void;
}

export const MAX_PATH = 4_096;
/** Of each kind of message; a misunderstood source has one for every record. */
const MAX_MESSAGES = 100;
const MAX_REASON = 1_000;

const SEE_ALL = 'are only counted; run again with --verbose to list them all';

const place = (file: string, line: number) => `${printable(file, MAX_PATH)}:${line}`;

/** A progress bar for each stage on a terminal, and plain lines for messages. */
function terminalReport(err: NodeJS.WriteStream): TerminalReport {
  let limit: number = MAX_MESSAGES;
  let brokenFiles = 0;
  let rejections = 0;
  let passedOver = 0;
  let bar: SingleBar | undefined;
  let stage = '';
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  const line = (text: string) => {
    end();
    err.write(`${text}\n`);
  };
  return {
    stage(name) {
      end();
      stage = name;
    },
    progress(done, of) {
      if (!err.isTTY) return;
      if (bar === undefined) {
        bar = new SingleBar({
          stream: err,
          format: `${printable(stage, 40)} {bar} {percentage}% | {eta_formatted} left`,
          hideCursor: true,
          clearOnComplete: true,
          stopOnComplete: true,
        });
        bar.start(of, done);
      }
      bar.update(done);
    },
    showAll: () => {
      limit = Number.POSITIVE_INFINITY;
    },
    rejected: (file, number, reason) => {
      rejections += 1;
      if (rejections <= limit) line(`${place(file, number)}: rejected: ${printable(reason, MAX_REASON)}`);
      else if (rejections === limit + 1) line(`further rejections ${SEE_ALL}`);
    },
    noted: (file, number, reason) => {
      passedOver += 1;
      if (passedOver <= limit) line(`${place(file, number)}: passed over: ${printable(reason, MAX_REASON)}`);
      else if (passedOver === limit + 1) line(`further values passed over ${SEE_ALL}`);
    },
    remarked: (file, reason, alone) => {
      const how = alone === true || limit === Number.POSITIVE_INFINITY ? '' : '; --verbose lists them';
      line(`${printable(file, MAX_PATH)}: ${printable(reason, MAX_REASON)}${how}`);
    },
    detailed: (file, number, reason) => {
      if (limit !== Number.POSITIVE_INFINITY) return;
      const where = number === undefined ? printable(file, MAX_PATH) : place(file, number);
      line(`${where}: ${printable(reason, MAX_REASON)}`);
    },
    passedOver: () => passedOver,
    identity: (change, building, other, reason) =>
      line(
        change === 'merged'
          ? `merged ${building} into ${other}: ${reason}; to undo it, run tatemono unmerge ${building}`
          : `unmerged ${building} from ${other}: ${reason}`,
      ),
    moved: (record, from, to) =>
      line(`moved ${printable(record, MAX_REASON)} from ${from} to ${to}: a file names its building`),
    broken: (file, reason) => {
      brokenFiles += 1;
      line(`${printable(file, MAX_PATH)}: ${printable(reason, MAX_REASON)}`);
    },
    repaired: (path, reason, input) =>
      line(
        `${printable(path, MAX_PATH)}: damaged file in the archive (${reason}); replaced with ${printable(input, MAX_PATH)}`,
      ),
    hasBrokenFile: () => brokenFiles > 0,
    waiting: () => line('another tatemono process is writing to this database; waiting for it to finish'),
    end,
  };
}
