import { BrokenFile } from '../files/broken-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { type KnownFile, readVerified } from '../files/verified-file.ts';
import { isClutter } from '../files/walk-folder.ts';
import { UnsafeZip, ZipArchive, type ZipEntry } from '../files/zip-archive.ts';
import type { FileRules } from '../sources/adapter.ts';
import { printable } from '../vocabulary/text.ts';
import { isZip } from './list-files.ts';

const MAX_NAME = 4_096;

/** A file as it was archived, and where the operator named it. */
export interface ArchivedFile extends KnownFile {
  /** The path on the command line: the file itself, or a folder above it. */
  root: string;
  name: string;
}

export interface Opened {
  files: (SourceFile & { sha256: string; root: string })[];
  broken: { file: string; reason: string }[];
  /** Files in zips that the source does not read, and zips without any file that it reads. */
  passedOver: { root: string; name: string }[];
  /** Zips without any file that is read. */
  unread: (Pick<ArchivedFile, 'name' | 'sha256' | 'root'> & { size: number })[];
  close(): void;
}

/** The files that an adapter receives: those archived, and instead of a zip the files in it. */
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
    if (!isZip(name) || rules.plainFiles === true) {
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
      // Nothing of an unsafe zip is read, even if some of its files look harmless.
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
    // A damaged zip is left out alone; an unsafe one stops the whole outer zip.
    if (!(error instanceof BrokenFile) || error instanceof UnsafeZip) throw error;
    opened.broken.push({ file: file.name, reason: error.message });
  }
}
