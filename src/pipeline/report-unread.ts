import { posix } from 'node:path';
import { printable } from '../vocabulary/text.ts';
import type { Report } from './context.ts';
import { type NamedPath, unsupported, unsupportedArchive } from './list-files.ts';
import type { SourceIngest } from './source-ingest.ts';

const SHOWN = 3;
const SHOWN_ARCHIVES = 20;
const NOT_OURS = 'not of this source';

/** Reports the files of other sources: counted where something was read beside them, otherwise an error. */
export function reportUnread(ingest: SourceIngest): void {
  for (const named of ingest.named.values()) reportUnreadBelow(ingest, named);
}

function reportUnreadBelow(ingest: SourceIngest, { root, kind, passedOver, isSettled }: NamedPath): void {
  const { context, adapter, foreign, broken, tallies } = ingest;
  const { report } = context;
  const own = ingest.files.filter((file) => file.root === root);
  const inZips = ingest.passedOver.filter((file) => file.root === root).map(({ name }) => name);
  const ofOthers = own.map(({ name }) => name).filter((name) => foreign.has(name));
  if (own.some(({ name, unread }) => unread !== true && !foreign.has(name))) {
    reportPassedOver(report, root, [...passedOver, ...inZips, ...ofOthers], foreign);
    return;
  }
  tallies.delete(root);
  reportArchives(report, root, [...passedOver, ...inZips]);
  for (const name of ofOthers) report.broken(name, foreign.get(name) as string);
  const isBroken = [...broken].some((file) => own.some(({ name }) => file === name || file.startsWith(`${name}/`)));
  if (kind === 'file' || isSettled || isBroken || ofOthers.length > 0) return;
  report.broken(root, `the ${kind} has no file of this source; expected ${adapter.expected}`);
}

/** Reports once how many files of a folder or zip are not of the source, with the first names; `--verbose` lists all. */
function reportPassedOver(
  report: Report,
  root: string,
  names: readonly string[],
  reasons: ReadonlyMap<string, string>,
): void {
  reportArchives(report, root, names);
  const others = names.filter((name) => unsupportedArchive(name) === undefined);
  if (others.length === 0) return;
  report.remarked(root, `${countOf(others)} passed over, ${NOT_OURS}: ${firstOf(others)}`);
  for (const name of others) report.detailed(name, undefined, `passed over: ${reasons.get(name) ?? NOT_OURS}`);
}

/** Names each archive, because it may contain files of the source; `--verbose` lists those beyond the first. */
function reportArchives(report: Report, root: string, names: readonly string[]): void {
  const archives = names.flatMap((name) => {
    const what = unsupportedArchive(name);
    return what === undefined ? [] : { name, reason: `passed over: it is ${unsupported(what)}` };
  });
  for (const { name, reason } of archives.slice(0, SHOWN_ARCHIVES)) report.remarked(name, reason, true);
  const more = archives.slice(SHOWN_ARCHIVES);
  if (more.length > 0) report.remarked(root, `${countOf(more)} also passed over: archives, which are not supported`);
  for (const { name, reason } of more) report.detailed(name, undefined, reason);
}

const countOf = (names: readonly unknown[]): string => (names.length === 1 ? '1 file' : `${names.length} files`);

function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => printable(posix.basename(name), 100));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
