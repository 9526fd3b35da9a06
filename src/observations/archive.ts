import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const CHUNK = 1 << 20;

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
  const known = await hashOf(file);
  const place = placeOf(archiveDir, known);
  const size = await sizeOf(place);
  if (size !== undefined) return { sha256: known, path: place, bytes: size };

  await mkdir(archiveDir, { recursive: true });
  const draft = join(archiveDir, `.draft-${randomUUID()}`);
  try {
    const { sha256, bytes } = await copyHashed(file, draft);
    const path = placeOf(archiveDir, sha256);
    await mkdir(dirname(path), { recursive: true });
    await rename(draft, path);
    return { sha256, path, bytes };
  } finally {
    await rm(draft, { force: true });
  }
}

export function placeOf(archiveDir: string, sha256: string): string {
  return join(archiveDir, 'sha256', sha256.slice(0, 2), sha256.slice(2));
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

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
