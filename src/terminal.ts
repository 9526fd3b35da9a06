import { SingleBar } from 'cli-progress';
import type { Config } from './config.ts';
import type { Report } from './pipeline/context.ts';
import { printable } from './vocabulary/text.ts';

/** What a command needs from the world around it. */
export interface Terminal {
  config: Config;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

export interface TerminalReport extends Report {
  /** Whether a file could not be read. */
  broke(): boolean;
  /** How much was passed over. */
  notes(): number;
  end(): void;
}

export const MAX_PATH = 4_096;
const MOST_NOTES = 100;

/** A bar for each stage where a person watches, and plain lines for what must not be lost. */
export function terminalReport(err: NodeJS.WriteStream): TerminalReport {
  let brokenFiles = 0;
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
    rejected: (file, number, reason) => line(`${printable(file, MAX_PATH)}:${number}: rejected: ${reason}`),
    noted: (file, number, reason) => {
      notes += 1;
      if (notes <= MOST_NOTES) line(`${printable(file, MAX_PATH)}:${number}: passed over: ${reason}`);
      else if (notes === MOST_NOTES + 1) line('more was passed over, and is counted only');
    },
    notes: () => notes,
    identity: (change, building, other, reason) =>
      line(
        change === 'merged'
          ? `merged ${building} into ${other}: ${reason}; tatemono unmerge ${building} takes it back`
          : `parted ${building} from ${other}: ${reason}`,
      ),
    broken: (file, reason) => {
      brokenFiles += 1;
      line(`${printable(file, MAX_PATH)}: ${reason}`);
    },
    broke: () => brokenFiles > 0,
    waiting: () => line('another tatemono process is writing to this database; waiting for it to finish'),
    end,
  };
}
