import { SingleBar } from 'cli-progress';
import type { Config } from '../config.ts';
import type { Report } from '../pipeline/context.ts';
import { printable } from '../vocabulary/text.ts';

/** What a command needs from the world around it. */
export interface Terminal {
  config: Config;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

export interface TerminalReport extends Report {
  /** Whether a file could not be read. */
  broke(): boolean;
  /** Every message from now on, however many. */
  showAll(): void;
  /** How much was passed over. */
  notes(): number;
  end(): void;
}

export const MAX_PATH = 4_096;
/** Of each kind of message; a source that was misunderstood has one for every record. */
const MOST_LINES = 100;
const MAX_REASON = 1_000;

const SEE_ALL = 'run it again with --verbose to see all';

const place = (file: string, line: number) => `${printable(file, MAX_PATH)}:${line}`;

/** A bar for each stage where a person watches, and plain lines for what must not be lost. */
export function terminalReport(err: NodeJS.WriteStream): TerminalReport {
  let most: number = MOST_LINES;
  let brokenFiles = 0;
  let rejections = 0;
  let notes = 0;
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
      most = Number.POSITIVE_INFINITY;
    },
    rejected: (file, number, reason) => {
      rejections += 1;
      if (rejections <= most) line(`${place(file, number)}: rejected: ${printable(reason, MAX_REASON)}`);
      else if (rejections === most + 1) line(`more is rejected, and only counted: ${SEE_ALL}`);
    },
    noted: (file, number, reason) => {
      notes += 1;
      if (notes <= most) line(`${place(file, number)}: passed over: ${printable(reason, MAX_REASON)}`);
      else if (notes === most + 1) line(`more is passed over, and only counted: ${SEE_ALL}`);
    },
    remarked: (file, reason, alone) => {
      const how = alone === true || most === Number.POSITIVE_INFINITY ? '' : '; --verbose lists them';
      line(`${printable(file, MAX_PATH)}: ${printable(reason, MAX_REASON)}${how}`);
    },
    detailed: (file, number, reason) => {
      if (most !== Number.POSITIVE_INFINITY) return;
      const where = number === undefined ? printable(file, MAX_PATH) : place(file, number);
      line(`${where}: ${printable(reason, MAX_REASON)}`);
    },
    notes: () => notes,
    identity: (change, building, other, reason) =>
      line(
        change === 'merged'
          ? `merged ${building} into ${other}: ${reason}; tatemono unmerge ${building} takes it back`
          : `parted ${building} from ${other}: ${reason}`,
      ),
    moved: (record, from, to) =>
      line(`moved ${printable(record, MAX_REASON)} from ${from} to ${to}: a file names its building`),
    broken: (file, reason) => {
      brokenFiles += 1;
      line(`${printable(file, MAX_PATH)}: ${printable(reason, MAX_REASON)}`);
    },
    repaired: (path, reason, input) =>
      line(
        `${printable(path, MAX_PATH)}: damaged file in the archive (${reason}): replaced by ${printable(input, MAX_PATH)}`,
      ),
    broke: () => brokenFiles > 0,
    waiting: () => line('another tatemono process is writing to this database; waiting for it to finish'),
    end,
  };
}
