import { findDuplicateKey } from '../../vocabulary/find-duplicate-key.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { printable } from '../../vocabulary/text.ts';
import { cleanTexts } from './clean-texts.ts';
import type { Entry, MergeEntry } from './entry.ts';
import { readArea } from './read-area.ts';
import { readRecord } from './read-record.ts';
import { Fault, isObject, type Json, readAssetId, readOptionalText, refuseUnknownKeys } from './read-values.ts';

export function parseRecordLine(text: string): Result<Entry, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('not JSON');
  }
  if (!isObject(value)) return fail('not a JSON object');
  const duplicate = findDuplicateKey(text);
  if (duplicate !== undefined) return fail(`the key "${printable(duplicate, 60)}" stands twice in one object`);
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
    if (error instanceof Fault) return fail(error.message);
    throw error;
  }
}

const MERGE_KEYS = new Set(['kind', 'from', 'into', 'reason']);

function readMerge(line: Json): MergeEntry {
  refuseUnknownKeys(line, MERGE_KEYS, '');
  return {
    kind: 'merge',
    from: readAssetId(line.from, 'from'),
    into: readAssetId(line.into, 'into'),
    reason: readOptionalText(line.reason, 'reason'),
  };
}
