import { createReadStream, type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { archiveFile } from '../observations/archive.ts';
import type { SourceFile } from '../sources/adapter.ts';
import { BrokenFile } from '../sources/broken-file.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { printable } from '../vocabulary/text.ts';
import type { Context } from './context.ts';
import { ZipArchive } from './zip-archive.ts';

const CHUNK_BYTES = 1 << 20;
const MAX_NAME = 4_096;

/** A file as it was archived, and where the operator named it. */
export interface ArchivedFile {
  /** What was named on the command line: the file itself or a folder above it. */
  root: string;
  name: string;
  path: string;
  sha256: string;
  bytes: number;
}

/** Archives what is named: files, and of folders everything below them that is for the source. */
export async function archiveFiles(
  { archiveDir, report }: Context,
  roots: readonly string[],
  isRead: (name: string) => boolean,
): Promise<ArchivedFile[]> {
  const archived: ArchivedFile[] = [];
  const taken = new Set<string>();
  for (const root of roots) {
    const files = listFiles(root, isRead);
    if (files.length === 0) report.broken(root, 'the folder has no file of this source');
    for (const { path: original, name } of files) {
      // A folder and a file in it may both be named.
      const place = resolve(original);
      if (taken.has(place)) continue;
      taken.add(place);
      try {
        const { path, sha256, bytes } = await archiveFile(archiveDir, original);
        archived.push({ root, name, path, sha256, bytes });
      } catch (error) {
        if (!(error instanceof FailureError) || error.failure.kind !== 'brokenFile') throw error;
        report.broken(error.failure.file, error.failure.reason);
      }
    }
  }
  return archived;
}

export function listFiles(root: string, isRead: (name: string) => boolean): { path: string; name: string }[] {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return [{ path: root, name: root }];
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry: Dirent) => join(entry.parentPath, entry.name))
    .filter((path) => isZip(path) || isRead(inSlashes(relative(root, path))));
  return found.sort().map((path) => ({ path, name: inSlashes(join(root, relative(root, path))) }));
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
  close(): void;
}

/** The files that an adapter is given: those archived, and in place of a zip what is in it. */
export async function openFiles(archived: readonly ArchivedFile[], isRead: (name: string) => boolean): Promise<Opened> {
  const files: Opened['files'] = [];
  const broken: Opened['broken'] = [];
  const zips: ZipArchive[] = [];
  for (const { root, name, path, sha256, bytes } of archived) {
    if (!isZip(name)) {
      files.push({
        root,
        name,
        sha256,
        size: bytes,
        bytes: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
      });
      continue;
    }
    try {
      const zip = await ZipArchive.open(path);
      zips.push(zip);
      const entries = zip.entries.filter((entry) => isRead(entry.fileName));
      if (entries.length === 0) broken.push({ file: name, reason: 'the zip has no file of this source' });
      const names = new Set<string>();
      for (const entry of entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
        const inZip = `${name}/${printable(entry.fileName, MAX_NAME)}`;
        if (names.has(inZip)) {
          broken.push({ file: inZip, reason: 'the zip has several files of this name: only one of them is read' });
          continue;
        }
        names.add(inZip);
        files.push({
          root,
          name: inZip,
          sha256,
          size: entry.uncompressedSize,
          bytes: () => zip.bytes(entry),
        });
      }
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error;
      broken.push({ file: name, reason: error.message });
    }
  }
  return {
    files,
    broken,
    close() {
      for (const zip of zips) zip.close();
    },
  };
}
