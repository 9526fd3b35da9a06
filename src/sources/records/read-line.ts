import { isUtf8 } from 'node:buffer';
import { isObject, type Json } from '../../files/read-json.ts';
import type { Line } from '../../files/split-lines.ts';
import { findDuplicateKey } from '../../vocabulary/find-duplicate-key.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { readSourceUrl } from '../../vocabulary/source-url.ts';
import { hiddenIn, printable, withoutHidden } from '../../vocabulary/text.ts';
import type { Entry, MergeEntry } from './entry.ts';
import { readArea } from './read-area.ts';
import { readRecord } from './read-record.ts';
import { InvalidLine, readAssetKey, readOptionalText, refuseUnknownKeys } from './read-values.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

const WHITE_SPACE = new Set([0x20, 0x09, 0x0d]);

/** A line of white space is skipped. */
export function isBlank({ bytes }: Line): boolean {
  return (
    bytes !== undefined &&
    (bytes.length === 0 || (WHITE_SPACE.has(bytes[0] as number) && bytes.every((b) => WHITE_SPACE.has(b))))
  );
}

/** The entry of a line, or why the line is invalid. */
export function readLine({ bytes, length, number, ended }: Line): Result<Entry, string> {
  if (bytes === undefined) return fail(`the line is ${length} bytes long, more than a record can be`);
  if (!isUtf8(bytes)) return fail('the line is not UTF-8');
  const start = number === 1 && bytes.subarray(0, 3).equals(BOM) ? 3 : 0;
  const parsed = parseRecordLine(bytes.toString('utf8', start).trim());
  if (!parsed.ok && parsed.failure === 'not JSON' && !ended) return fail('not JSON: the file ends inside this line');
  return parsed;
}

export function parseRecordLine(text: string): Result<Entry, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('not JSON');
  }
  if (!isObject(value)) return fail('not a JSON object');
  const duplicate = findDuplicateKey(text);
  if (duplicate !== undefined) return fail(`duplicate key "${printable(duplicate, 60)}" in one object`);
  const notes = cleanTexts(value);
  const withNotes = <E extends Entry>(entry: E): E => (notes.length === 0 ? entry : { ...entry, notes });
  try {
    switch (value.kind) {
      case 'record':
        return ok(withNotes(readRecord(value)));
      case 'area':
        return ok(withNotes(readArea(value)));
      case 'merge':
        return ok(withNotes(readMerge(value)));
      default:
        return fail('kind must be area, record or merge');
    }
  } catch (error) {
    if (error instanceof InvalidLine) return fail(error.message);
    throw error;
  }
}

const MERGE_KEYS = new Set(['kind', 'from', 'into', 'reason']);

function readMerge(line: Json): MergeEntry {
  refuseUnknownKeys(line, MERGE_KEYS, '');
  return {
    kind: 'merge',
    from: readAssetKey(line.from, 'from'),
    into: readAssetKey(line.into, 'into'),
    reason: readOptionalText(line.reason, 'reason'),
  };
}

/**
 * Removes what must not be published from the texts of a line, and returns what was removed. Values that are not text, or
 * that cannot be stored (NUL, half of a surrogate pair), are left for the readers to reject.
 */
function cleanTexts(line: Json): string[] {
  const notes: string[] = [];
  const clean = (object: unknown, keys: readonly string[], at: string) => {
    if (!isObject(object)) return;
    for (const key of keys) {
      const text = object[key];
      if (typeof text !== 'string' || text.includes('\0') || !text.isWellFormed()) continue;
      const cleaned = withoutHidden(text);
      if (cleaned === text) continue;
      const hidden = hiddenIn(text);
      notes.push(`${at}${key}: ${hidden === undefined ? 'a line break or tab became a space' : `${hidden} removed`}`);
      (object as Record<string, unknown>)[key] = cleaned;
    }
  };
  const cleanEach = (list: unknown, keys: readonly string[], at: string) => {
    if (Array.isArray(list)) for (const [i, item] of list.entries()) clean(item, keys, `${at}[${i}].`);
  };
  clean(line, ['nameJa', 'nameEn', 'reason'], '');
  cleanEach(line.observations, ['value'], 'observations');
  cleanEach(line.venues, ['nameJa', 'nameEn', 'category', 'level'], 'venues');
  clean(line.complex, ['nameJa', 'nameEn'], 'complex.');
  if (typeof line.sourceUrl === 'string') {
    const read = readSourceUrl(line.sourceUrl);
    if (read.ok && read.value.removed.length > 0) {
      notes.push(`sourceUrl: ${read.value.removed.join(' and ')} removed`);
      (line as Record<string, unknown>).sourceUrl = read.value.url;
    }
  }
  return notes;
}
