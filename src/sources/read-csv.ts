import { type CsvError, type Info, type Options, parse } from 'csv-parse';
import type { SourceFile } from './adapter.ts';
import { BrokenFile } from './broken-file.ts';
import { decodeText, type Encoding } from './decode-text.ts';

export interface Row {
  /** The line it begins in, counted from 1. */
  line: number;
  cells: string[];
}

const MAX_ROW = 1 << 20;
const ROWS = 500;

const OPTIONS: Options = {
  relax_column_count: true,
  skip_empty_lines: false,
  max_record_size: MAX_ROW,
  info: true,
};

/** The rows of a CSV file in some portions, cells trimmed, whatever its line ends and its encoding. */
export async function* readCsv(file: SourceFile, legacy?: Encoding): AsyncGenerator<Row[]> {
  const parser = parse(OPTIONS);
  let rows: Row[] = [];
  let line = 1;
  let fault: Error | undefined;
  parser.on('error', (error) => {
    fault = error;
  });
  const drain = () => {
    for (let read = parser.read(); read !== null; read = parser.read()) {
      const { record, info } = read as { record: string[]; info: Info };
      rows.push({ line, cells: record.map((cell) => cell.trim()) });
      line = info.lines + 1;
    }
  };
  const check = () => {
    if (fault !== undefined) throw new BrokenFile(describe(fault as CsvError));
  };
  try {
    for await (const text of decodeText(file.bytes(), legacy)) {
      if (!parser.write(text)) await settled(parser);
      drain();
      check();
      if (rows.length >= ROWS) {
        yield rows;
        rows = [];
      }
    }
  } catch (error) {
    // What was whole before the break has been read.
    if (rows.length > 0) yield rows;
    throw error;
  }
  const ended = new Promise<void>((resolve) => {
    parser.once('end', resolve);
    parser.once('error', () => resolve());
  });
  parser.on('readable', drain);
  parser.end();
  drain();
  await ended;
  if (rows.length > 0) yield rows;
  check();
}

function settled(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      parser.off('drain', settle);
      parser.off('error', settle);
      resolve();
    };
    parser.once('drain', settle);
    parser.once('error', settle);
    setImmediate(settle);
  });
}

function describe(error: CsvError): string {
  const at = typeof error.lines === 'number' ? ` at line ${error.lines}` : '';
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `a quoted cell is never closed${at}: the file may be cut off`;
    case 'CSV_MAX_RECORD_SIZE':
      return `a row is longer than ${MAX_ROW} characters${at}`;
    default:
      return `it is no CSV${at}`;
  }
}
