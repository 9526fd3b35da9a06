import { posix } from 'node:path';
import { printable } from '../vocabulary/text.ts';
import type { Report } from './context.ts';

const SHOWN = 3;
const NOT_OURS = 'not of this source';

/** Says once how many files of a folder or zip are not of the source, with the first names; the rest on request. */
export function sayPassedOver(
  report: Report,
  root: string,
  names: readonly string[],
  reasons: ReadonlyMap<string, string> = new Map(),
): void {
  if (names.length === 0) return;
  const shown = names.slice(0, SHOWN).map((name) => printable(posix.basename(name), 100));
  const more = names.length - shown.length;
  const listed = more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
  const files = names.length === 1 ? '1 file' : `${names.length} files`;
  report.remarked(root, `${files} passed over, ${NOT_OURS}: ${listed}`);
  for (const name of names) report.detailed(name, undefined, `passed over: ${reasons.get(name) ?? NOT_OURS}`);
}
