import { posix } from 'node:path';
import { unsupported, unsupportedArchive } from '../files/unsupported-archive.ts';
import { printable } from '../vocabulary/text.ts';
import type { Report } from './context.ts';

const SHOWN = 3;
const SHOWN_ARCHIVES = 20;
const NOT_OURS = 'not of this source';

/** Says once how many files of a folder or zip are not of the source, with the first names; the rest on request. */
export function sayPassedOver(
  report: Report,
  root: string,
  names: readonly string[],
  reasons: ReadonlyMap<string, string> = new Map(),
): void {
  sayArchives(report, root, names);
  const others = names.filter((name) => unsupportedArchive(name) === undefined);
  if (others.length === 0) return;
  report.remarked(root, `${countOf(others)} passed over, ${NOT_OURS}: ${firstOf(others)}`);
  for (const name of others) report.detailed(name, undefined, `passed over: ${reasons.get(name) ?? NOT_OURS}`);
}

/** Each by its name, as it may well hold what was to be read; where there are very many, the rest on request. */
export function sayArchives(report: Report, root: string, names: readonly string[]): void {
  const archives = names.flatMap((name) => {
    const what = unsupportedArchive(name);
    return what === undefined ? [] : { name, reason: `passed over: it is ${unsupported(what)}` };
  });
  for (const { name, reason } of archives.slice(0, SHOWN_ARCHIVES)) report.remarked(name, reason, true);
  const more = archives.slice(SHOWN_ARCHIVES);
  if (more.length > 0) report.remarked(root, `${countOf(more)} passed over besides: archives, which are not supported`);
  for (const { name, reason } of more) report.detailed(name, undefined, reason);
}

const countOf = (names: readonly unknown[]): string => (names.length === 1 ? '1 file' : `${names.length} files`);

function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => printable(posix.basename(name), 100));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
