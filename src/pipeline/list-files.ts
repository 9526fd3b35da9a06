import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { faultOf, walkFolder } from '../files/walk-folder.ts';
import type { FileRules } from '../sources/adapter.ts';
import type { Report } from './context.ts';

export interface ListedFile {
  /** The path on the command line: the file itself, or a folder above it. */
  root: string;
  path: string;
  /** The path without links, by which the same file is recognised. */
  real: string;
  name: string;
}

/** A path on the command line. */
export interface NamedPath {
  root: string;
  kind: 'file' | 'folder' | 'zip';
  /** Files below it that the source does not read. */
  passedOver: string[];
  /** Something below it was already reported, or is read under another name. */
  isSettled: boolean;
}

interface Listing extends Omit<NamedPath, 'isSettled'> {
  files: ListedFile[];
  faults: { file: string; reason: string }[];
}

/** The files that are read for some paths on the command line, each once. Reports what cannot be read. */
export function listPaths(
  paths: readonly string[],
  rules: FileRules,
  report: Report,
): { files: ListedFile[]; named: Map<string, NamedPath> } {
  const files: ListedFile[] = [];
  const named = new Map<string, NamedPath>();
  const listed = new Set<string>();
  for (const path of paths) {
    const { root, kind, passedOver, faults, files: found } = listFiles(path, rules);
    for (const { file, reason } of faults) report.broken(file, reason);
    const entry = named.get(root) ?? { root, kind, passedOver, isSettled: false };
    named.set(root, entry);
    // A folder and a file in it may both be named, and several links may lead to one file.
    const unlisted = found.filter(({ real }) => !listed.has(real));
    entry.isSettled ||= faults.length > 0 || unlisted.length < found.length;
    for (const file of unlisted) listed.add(file.real);
    files.push(...unlisted);
  }
  return { files, named };
}

/** The files that are read for one path on the command line. */
export function listFiles(root: string, rules: FileRules): Listing {
  const listing: Listing = { root, kind: 'file', files: [], passedOver: [], faults: [] };
  const stats = statsOf(root);
  if (typeof stats === 'string') listing.faults.push({ file: root, reason: stats });
  else if (stats.isDirectory()) listFolder(listing, rules);
  else if (!stats.isFile()) listing.faults.push({ file: root, reason: 'it is neither a file nor a folder' });
  else listFile(listing, rules);
  return listing;
}

function statsOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return faultOf(error);
  }
}

function listFolder(listing: Listing, { reads, ignores, plainFiles }: FileRules): void {
  const { root } = listing;
  listing.kind = 'folder';
  const { files, special, faults } = walkFolder(root);
  listing.faults.push(...faults);
  const nameOf = (path: string) => inSlashes(join(root, relative(root, path)));
  for (const { path, real } of files) {
    const below = inSlashes(relative(root, path));
    if ((isZip(below) && plainFiles !== true) || reads(below)) {
      listing.files.push({ root, path, real, name: nameOf(path) });
    } else if (ignores?.(below) !== true) listing.passedOver.push(nameOf(path));
  }
  listing.passedOver.push(...special.map(nameOf));
}

function listFile(listing: Listing, rules: FileRules): void {
  const { root } = listing;
  const add = (path: string) =>
    listing.files.push({ root: listing.root, path, real: realpathSync(path), name: inSlashes(path) });
  if (isZip(root) && rules.plainFiles !== true) {
    listing.kind = 'zip';
    add(root);
    return;
  }
  if (!(rules.readsNamed ?? rules.reads)(inSlashes(root))) {
    listing.faults.push({ file: root, reason: refusalByName(root, rules) });
    return;
  }
  if (rules.companions === undefined) {
    add(root);
    return;
  }
  const names = rules.companions(basename(root), siblingsOf(dirname(root), listing));
  const found = names.map((name) => beside(root, name));
  const [main] = found;
  // A main file that lacks its companions is read, and says what is missing; a companion alone is refused.
  if (main === undefined && !rules.reads(root)) {
    listing.faults.push({ file: root, reason: refusalByName(root, rules) });
    return;
  }
  if (main !== undefined) listing.root = main;
  for (const path of main === undefined ? [root] : found) add(path);
}

function refusalByName(name: string, { expected }: FileRules): string {
  const archive = unsupportedArchive(name);
  return archive === undefined ? `Unsupported file type; expected ${expected}` : `the file is ${unsupported(archive)}`;
}

function siblingsOf(folder: string, { faults }: Listing): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    faults.push({ file: folder, reason: faultOf(error) });
    return [];
  }
}

/** A file of the same folder, its path written as the operator wrote the first. */
function beside(path: string, name: string): string {
  return path.slice(0, path.length - basename(path).length) + name;
}

function inSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}

export function isZip(name: string): boolean {
  return /\.zip$/i.test(name);
}

/** Archives that are not supported, by the end of their names; a large download may come in numbered volumes. */
const ARCHIVES: readonly [ending: RegExp, what: string][] = [
  [/\.7z(?:\.\d{3})?$/i, 'a 7-Zip archive'],
  [/\.rar$/i, 'a RAR archive'],
  [/\.lzh$/i, 'an LZH archive'],
  [/\.(?:tar(?:\.(?:gz|bz2|xz|zst))?|tgz|tbz2?|txz)$/i, 'a tar archive'],
  [/\.xz$/i, 'an xz file'],
];

/** The kind of an archive that cannot be read, by its name. */
export function unsupportedArchive(name: string): string | undefined {
  return ARCHIVES.find(([ending]) => ending.test(name))?.[1];
}

export const unsupported = (what: string): string => `${what}, which is not supported: unpack it first`;
