import { type CsvError, type Info, type Options, parse } from 'csv-parse';
import { BrokenFile } from './broken-file.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import type { SourceFile } from './source-file.ts';

export interface Row {
  /** The line it begins in, counted from 1. */
  line: number;
  cells: string[];
  /** The last row, without a line end: it may be cut off. */
  unended?: true;
}

const MAX_ROW = 1 << 20;
const ROWS = 500;

const OPTIONS: Options = {
  // By default the first line end found is the only one, but a table pasted below a preamble may use another.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: false,
  max_record_size: MAX_ROW,
  info: true,
};

/**
 * The rows of a CSV file in batches, with trimmed cells, whatever its line ends and encoding. If the file is broken, the
 * rows before the break come first.
 */
export async function* readCsv(file: SourceFile, legacy?: Encoding): AsyncGenerator<Row[]> {
  const parser = parse(OPTIONS);
  let rows: Row[] = [];
  let line = 1;
  /** The parser counts a CRLF inside quotes as two lines. */
  let countedTwice = 0;
  let fault: Error | undefined;
  let broken: BrokenFile | undefined;
  let endsLine = true;
  parser.on('error', (error) => {
    fault = error;
  });
  const drain = () => {
    for (let read = parser.read(); read !== null; read = parser.read()) {
      const { record, info } = read as { record: string[]; info: Info };
      rows.push({ line, cells: record.map((cell) => cell.trim()) });
      for (const cell of record) countedTwice += countBreaks(cell);
      line = info.lines + 1 - countedTwice;
    }
  };
  try {
    for await (const text of decodeText(file.bytes(), legacy)) {
      if (!parser.write(text)) await settled(parser);
      if (text !== '') endsLine = /[\r\n]$/.test(text);
      drain();
      if (fault !== undefined) break;
      if (rows.length >= ROWS) {
        yield rows;
        rows = [];
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    broken = error;
  }
  if (fault === undefined) {
    const ended = new Promise<void>((resolve) => {
      parser.once('end', resolve);
      parser.once('error', () => resolve());
    });
    parser.on('readable', drain);
    parser.end();
    drain();
    await ended;
    // Before undecodable bytes, the last row counts only if its line was ended.
    if (broken !== undefined && fault === undefined && !endsLine) rows.pop();
    const last = rows.at(-1);
    if (broken === undefined && fault === undefined && !endsLine && last !== undefined) last.unended = true;
  }
  if (rows.length > 0) yield rows;
  if (broken !== undefined) throw broken;
  if (fault !== undefined) throw new BrokenFile(describe(fault as CsvError));
}

function countBreaks(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\r\n'); at >= 0; at = cell.indexOf('\r\n', at + 2)) count += 1;
  return count;
}

function settled(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      parser.off('drain', done);
      parser.off('error', done);
      resolve();
    };
    parser.once('drain', done);
    parser.once('error', done);
    setImmediate(done);
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
      return `not CSV${at}`;
  }
}
