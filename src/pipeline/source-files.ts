import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { BrokenFile } from '../files/broken-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { unsupported, unsupportedArchive } from '../files/unsupported-archive.ts';
import { type KnownFile, readVerified } from '../files/verified-file.ts';
import { faultOf, isClutter, walkFolder } from '../files/walk-folder.ts';
import { UnsafeZip, ZipArchive, type ZipEntry } from '../files/zip-archive.ts';
import type { Adapter } from '../sources/adapter.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { printable } from '../vocabulary/text.ts';
import { archiveInput } from './archive-input.ts';
import type { Context } from './context.ts';

const MAX_NAME = 4_096;

/** A file as it was archived, and where the operator named it. */
export interface ArchivedFile extends KnownFile {
  /** What was named on the command line: the file itself or a folder above it. */
  root: string;
  name: string;
}

/** What decides which files are read: all of an adapter but the reading itself. */
export type FileRules = Pick<Adapter, 'reads' | 'readsNamed' | 'ignores' | 'companions' | 'expected'>;

/** What was named, and what is below it. */
interface Listing {
  root: string;
  kind: 'file' | 'folder' | 'zip';
  files: { path: string; real: string; name: string }[];
  passedOver: string[];
  faults: { file: string; reason: string }[];
}

interface ArchivedFiles {
  archived: ArchivedFile[];
  /** Each thing named, once. */
  roots: Map<string, NamedRoot>;
}

export interface NamedRoot extends Pick<Listing, 'root' | 'kind' | 'passedOver'> {
  /** Something of it is accounted for otherwise: it was reported, or is read under another name. */
  isSettled: boolean;
}

/** Archives what is named: files with those that belong to them, and of folders everything that is for the source. */
export async function archiveFiles(
  context: Context,
  paths: readonly string[],
  rules: FileRules,
): Promise<ArchivedFiles> {
  const { report } = context;
  const archived: ArchivedFile[] = [];
  const roots: ArchivedFiles['roots'] = new Map();
  const taken = new Set<string>();
  for (const each of paths) {
    const { root, kind, files, passedOver, faults } = listFiles(each, rules);
    for (const { file, reason } of faults) report.broken(file, reason);
    const named = roots.get(root) ?? { root, kind, passedOver, isSettled: false };
    roots.set(root, named);
    named.isSettled ||= faults.length > 0;
    for (const { path: original, real, name } of files) {
      // A folder and a file in it may both be named, and links may lead to one file from several places.
      if (taken.has(real)) {
        named.isSettled = true;
        continue;
      }
      taken.add(real);
      try {
        archived.push({ root, name, ...(await archiveInput(context, original)) });
      } catch (error) {
        report.broken(original, reasonOf(error, original));
        named.isSettled = true;
      }
    }
  }
  return { archived, roots };
}

/** Why a file could not be archived; anything that is not the file's fault is thrown on. */
function reasonOf(error: unknown, file: string): string {
  if (error instanceof FailureError && error.failure.kind === 'brokenFile') return error.failure.reason;
  // It may go, or become unreadable, between the first look at it and the copy.
  if ((error as NodeJS.ErrnoException).path === file) return faultOf(error);
  throw error;
}

/** The files that are read for a path on the command line. */
export function listFiles(root: string, rules: FileRules): Listing {
  const listing: Listing = { root, kind: 'file', files: [], passedOver: [], faults: [] };
  const stats = lookAt(root);
  if (typeof stats === 'string') listing.faults.push({ file: root, reason: stats });
  else if (stats.isDirectory()) listFolder(listing, rules);
  else if (!stats.isFile()) listing.faults.push({ file: root, reason: 'it is neither a file nor a folder' });
  else listFile(listing, rules);
  return listing;
}

function lookAt(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return faultOf(error);
  }
}

function listFolder(listing: Listing, { reads, ignores }: FileRules): void {
  const { root } = listing;
  listing.kind = 'folder';
  const { files, special, faults } = walkFolder(root);
  listing.faults.push(...faults);
  const nameOf = (path: string) => inSlashes(join(root, relative(root, path)));
  for (const { path, real } of files) {
    const below = inSlashes(relative(root, path));
    if (isZip(below) || reads(below)) listing.files.push({ path, real, name: nameOf(path) });
    else if (ignores?.(below) !== true) listing.passedOver.push(nameOf(path));
  }
  listing.passedOver.push(...special.map(nameOf));
}

function listFile(listing: Listing, rules: FileRules): void {
  const { root } = listing;
  const add = (path: string) => listing.files.push({ path, real: realpathSync(path), name: inSlashes(path) });
  if (isZip(root)) {
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
  const folder = dirname(root);
  const found = rules.companions(basename(root), siblingsOf(folder, listing)).map((name) => beside(root, name));
  const [main] = found;
  // Alone it may still say what it lacks; an index without its file says nothing.
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

/** A file of the same folder, written as the operator wrote the first. */
function beside(path: string, name: string): string {
  return path.slice(0, path.length - basename(path).length) + name;
}

function inSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}

export function isZip(name: string): boolean {
  return /\.zip$/i.test(name);
}

export interface Opened {
  files: (SourceFile & { sha256: string; root: string })[];
  broken: { file: string; reason: string }[];
  /** What is not read: files in zips, and zips in which nothing is. */
  passedOver: { root: string; name: string }[];
  /** Zips in which nothing is read. */
  unread: (Pick<ArchivedFile, 'name' | 'sha256' | 'root'> & { size: number })[];
  close(): void;
}

/** The files that an adapter is given: those archived, and in place of a zip what is in it. */
export async function openFiles(archived: readonly ArchivedFile[], rules: FileRules): Promise<Opened> {
  const zips: ZipArchive[] = [];
  const opened: Opened = {
    ...{ files: [], broken: [], passedOver: [], unread: [] },
    close() {
      for (const zip of zips) zip.close();
    },
  };
  for (const file of archived) {
    const { root, name, sha256, bytes } = file;
    if (!isZip(name)) {
      opened.files.push({ root, name, sha256, size: bytes, bytes: () => readVerified(file) });
      continue;
    }
    const inside: Opened = { ...opened, files: [], broken: [], passedOver: [] };
    try {
      const zip = await ZipArchive.open(file);
      zips.push(zip);
      await openZip(zip, file, rules, inside, zips);
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      // Of a zip that is not safe nothing is read, however harmless some of its files look.
      Object.assign(inside, { files: [], passedOver: [], broken: [{ file: name, reason: error.message }] });
    }
    opened.files.push(...inside.files);
    opened.broken.push(...inside.broken);
    opened.passedOver.push(...inside.passedOver);
    if (inside.files.length > 0) continue;
    opened.unread.push({ root, name, sha256, size: bytes });
    if (inside.broken.length === 0 && inside.passedOver.length === 0) opened.passedOver.push({ root, name });
  }
  return opened;
}

async function openZip(
  zip: ZipArchive,
  { root, name, sha256 }: Pick<ArchivedFile, 'root' | 'name' | 'sha256'>,
  rules: FileRules,
  opened: Opened,
  zips: ZipArchive[],
): Promise<void> {
  const names = new Set<string>();
  for (const entry of [...zip.entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isClutter(entry.name)) continue;
    const inZip = `${name}/${printable(entry.name, MAX_NAME)}`;
    if (entry.isLink || !(isZip(entry.name) || rules.reads(entry.name))) {
      if (rules.ignores?.(entry.name) !== true) opened.passedOver.push({ root, name: inZip });
    } else if (names.has(inZip)) {
      opened.broken.push({ file: inZip, reason: 'the zip has several files of this name: only one of them is read' });
    } else {
      names.add(inZip);
      if (isZip(entry.name)) await openZipInside(zip, entry, { root, name: inZip, sha256 }, rules, opened, zips);
      else opened.files.push({ root, name: inZip, sha256, size: entry.size, bytes: () => zip.bytes(entry) });
    }
  }
}

async function openZipInside(
  zip: ZipArchive,
  entry: ZipEntry,
  file: Pick<ArchivedFile, 'root' | 'name' | 'sha256'>,
  rules: FileRules,
  opened: Opened,
  zips: ZipArchive[],
): Promise<void> {
  try {
    const inner = await zip.openInside(entry);
    zips.push(inner);
    const before = opened.files.length + opened.passedOver.length + opened.broken.length;
    await openZip(inner, file, rules, opened, zips);
    const after = opened.files.length + opened.passedOver.length + opened.broken.length;
    if (after === before) opened.passedOver.push({ root: file.root, name: file.name });
  } catch (error) {
    // A damaged one stops itself; one that is not safe stops all.
    if (!(error instanceof BrokenFile) || error instanceof UnsafeZip) throw error;
    opened.broken.push({ file: file.name, reason: error.message });
  }
}
