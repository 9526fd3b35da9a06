import { isUtf8 } from 'node:buffer';
import type { Line } from '../../files/split-lines.ts';
import { fail, type Result } from '../../vocabulary/result.ts';
import type { Entry } from './entry.ts';
import { parseRecordLine } from './parse-record-line.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

const WHITE_SPACE = new Set([0x20, 0x09, 0x0d]);

/** A line of nothing but white space says nothing, and is no fault. */
export function isBlank({ bytes }: Line): boolean {
  return (
    bytes !== undefined &&
    (bytes.length === 0 || (WHITE_SPACE.has(bytes[0] as number) && bytes.every((b) => WHITE_SPACE.has(b))))
  );
}

/** One line's bytes as an entry, or why they are none. */
export function readLine({ bytes, length, number, ended }: Line): Result<Entry, string> {
  if (bytes === undefined) return fail(`the line is ${length} bytes long, more than a record can be`);
  if (!isUtf8(bytes)) return fail('the line is not UTF-8');
  const start = number === 1 && bytes.subarray(0, 3).equals(BOM) ? 3 : 0;
  const parsed = parseRecordLine(bytes.toString('utf8', start).trim());
  if (!parsed.ok && parsed.failure === 'not JSON' && !ended) return fail('not JSON: the file ends inside this line');
  return parsed;
}
