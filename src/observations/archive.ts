import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../storage/make-folder.ts';
import { FailureError } from '../vocabulary/failure.ts';

const CHUNK = 1 << 20;
const DRAFT = '.draft-';
const OLD_DRAFT_MS = 24 * 3_600_000;

export interface Archived {
  sha256: string;
  /** The archived bytes. They never change, so what is read from here is what was archived. */
  path: string;
  bytes: number;
}

/**
 * Keeps the bytes of a file under their own hash. Written beside its place and moved there whole, so
 * that a name in the archive always stands for complete bytes; the same bytes again are not written.
 */
export async function archiveFile(archiveDir: string, file: string): Promise<Archived> {
  const known = await readable(file, hashOf(file));
  const place = placeOf(archiveDir, known);
  const size = (await lookAt(place))?.size;
  if (size !== undefined) return { sha256: known, path: place, bytes: size };

  makeFolder(archiveDir);
  await removeOldDrafts(archiveDir);
  const draft = join(archiveDir, `${DRAFT}${randomUUID()}`);
  try {
    const { sha256, bytes } = await copyHashed(file, draft);
    const path = placeOf(archiveDir, sha256);
    makeFolder(dirname(path));
    await rename(draft, path);
    return { sha256, path, bytes };
  } finally {
    await rm(draft, { force: true });
  }
}

export function placeOf(archiveDir: string, sha256: string): string {
  return join(archiveDir, 'sha256', sha256.slice(0, 2), sha256.slice(2));
}

/** What processes that were killed have left; a draft that is being written is younger. */
async function removeOldDrafts(archiveDir: string): Promise<void> {
  for (const name of await readdir(archiveDir)) {
    if (!name.startsWith(DRAFT)) continue;
    const draft = join(archiveDir, name);
    const written = (await lookAt(draft))?.mtimeMs;
    if (written !== undefined && Date.now() - written > OLD_DRAFT_MS) await rm(draft, { force: true });
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
};

async function readable<T>(file: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new FailureError({ kind: 'brokenFile', file, reason: UNREADABLE[code] ?? `it cannot be read (${code})` });
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Hashes what it writes: the file may have changed since it was looked at. */
async function copyHashed(file: string, draft: string): Promise<{ sha256: string; bytes: number }> {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  const out = await open(draft, 'wx');
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      await out.writeFile(chunk as Buffer);
    }
    await out.sync();
  } finally {
    await out.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}

async function lookAt(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
