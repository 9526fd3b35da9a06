import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { digestOf, type FileDigest, hasDigest } from '../files/verified-file.ts';
import { faultOf } from '../files/walk-folder.ts';
import { makeFolder } from '../storage/make-folder.ts';
import type { Db, Storage } from '../storage/storage.ts';
import { FailureError } from '../vocabulary/failure.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';

const CHUNK = 1 << 20;
const DRAFT = '.draft-';
const OLD_DRAFT_MS = 24 * 3_600_000;

export interface Archived extends FileDigest {
  /** The archived copy, whose bytes were verified when it was archived or read last. */
  path: string;
}

/** A file in the archive whose bytes do not match its name. */
interface Damage {
  sha256: string;
  path: string;
  reason: string;
}

/** Receives damage before it is repaired, and the hashes of intact copies. */
interface DamageLog {
  found(damage: Damage): Promise<void>;
  repaired(damage: Damage): void;
  intact(sha256: string): Promise<void>;
}

const NO_LOG: DamageLog = { async found() {}, repaired() {}, async intact() {} };

/**
 * Archives the bytes of a file under their SHA-256: written to a temporary file, which is then renamed. An existing copy is
 * read and verified before it is used; a damaged one is replaced.
 */
export async function archiveFile(archiveDir: string, file: string, log = NO_LOG): Promise<Archived> {
  const known = await digestInput(file);
  if (known === undefined) return copyIn(archiveDir, file, log);
  await refuseDamaged(archiveDir, file, known.sha256, log);
  const path = placeOf(archiveDir, known.sha256);
  const reason = await findDamage(path, (chunks) => hasDigest(chunks, known));
  if (reason === null) {
    await log.intact(known.sha256);
    return { ...known, path };
  }
  if (reason === undefined) return copyIn(archiveDir, file, log);

  const damage = { sha256: known.sha256, path, reason };
  await log.found(damage);
  try {
    const archived = await copyIn(archiveDir, file, log);
    if (archived.sha256 === known.sha256) log.repaired(damage);
    return archived;
  } catch (error) {
    const why = `${reason}, and cannot be replaced: ${faultOf(error)}`;
    throw broken(file, `its copy in the archive, ${path}, is damaged: ${why}; check the archive and the rights on it`);
  }
}

export function placeOf(archiveDir: string, sha256: string): string {
  return join(archiveDir, 'sha256', sha256.slice(0, 2), sha256.slice(2));
}

/** What is wrong with an archived copy: null if it is intact, undefined if it is missing. */
export function inspectCopy(archiveDir: string, sha256: string): Promise<string | null | undefined> {
  const isIntact = async (chunks: AsyncIterable<Buffer>) => (await digestOf(chunks)).sha256 === sha256;
  return findDamage(placeOf(archiveDir, sha256), isIntact);
}

/** An archived copy, ready to be read block by block; or why it cannot be read. */
export async function openCopy(archiveDir: string, sha256: string): Promise<Result<Archived, string>> {
  let digest: FileDigest | undefined;
  const damage = await findDamage(placeOf(archiveDir, sha256), async (chunks) => {
    digest = await digestOf(chunks);
    return digest.sha256 === sha256;
  });
  if (damage === undefined) return fail('the file is missing in the archive');
  if (damage !== null || digest === undefined) return fail(`the file in the archive is damaged: ${damage}`);
  return ok({ ...digest, path: placeOf(archiveDir, sha256) });
}

async function findDamage(
  path: string,
  isIntact: (chunks: AsyncIterable<Buffer>) => Promise<boolean>,
): Promise<string | null | undefined> {
  try {
    const { isRegular, isFolder, size } = await lookAt(path);
    if (isFolder) return 'it is a folder';
    // Reading from a pipe could block for ever.
    if (!isRegular) return 'it is not a regular file';
    if (await isIntact(readChunks(path, size))) return null;
    return size === 0 ? 'it is empty' : 'its bytes do not match its name';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : faultOf(error);
  }
}

/** Refuses a damaged file of the archive as input. */
async function refuseDamaged(archiveDir: string, file: string, sha256: string, log: DamageLog): Promise<void> {
  const parts = relative(resolve(archiveDir), resolve(file)).split(sep);
  const named = parts.slice(1).join('');
  if (parts[0] !== 'sha256' || parts.length !== 3 || !/^[0-9a-f]{64}$/.test(named) || named === sha256) return;
  const reason = 'its bytes do not match its name';
  await log.found({ sha256: named, path: file, reason });
  throw broken(file, `it is damaged: ${reason}; ingest the original file to repair it`);
}

/** Undefined if the input can be read only once, such as a pipe. */
async function digestInput(file: string): Promise<FileDigest | undefined> {
  try {
    const { isRegular, isFolder, size } = await lookAt(file);
    if (!isRegular && !isFolder) return undefined;
    return await digestOf(readChunks(file, size));
  } catch (error) {
    throw broken(file, faultOf(error));
  }
}

function broken(file: string, reason: string): FailureError {
  return new FailureError({ kind: 'brokenFile', file, reason });
}

/** Hashes the bytes as it writes them, because the file may have changed since it was hashed first. */
async function copyIn(archiveDir: string, file: string, log: DamageLog): Promise<Archived> {
  makeFolder(archiveDir);
  await removeOldDrafts(archiveDir);
  const draft = join(archiveDir, `${DRAFT}${randomUUID()}`);
  try {
    const out = await open(draft, 'wx');
    let digest: FileDigest;
    try {
      const { size } = await lookAt(file);
      digest = await digestOf(readChunks(file, size), (chunk) => out.writeFile(chunk));
      await out.sync();
    } finally {
      await out.close();
    }
    const path = placeOf(archiveDir, digest.sha256);
    makeFolder(dirname(path));
    // A rename replaces a file, but not a folder.
    if ((await lookAt(path).catch(() => undefined))?.isFolder) await rm(path, { recursive: true });
    await rename(draft, path);
    await syncFolder(dirname(path));
    await log.intact(digest.sha256);
    return { ...digest, path };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Makes a new name survive a power cut, if the system supports it. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {
    // Not every system can open a folder; the bytes themselves are on disk.
  }
}

/** Removes the drafts of killed processes; a draft that is still being written is younger. */
async function removeOldDrafts(archiveDir: string): Promise<void> {
  for (const name of await readdir(archiveDir)) {
    if (!name.startsWith(DRAFT)) continue;
    const draft = join(archiveDir, name);
    const written = (await lookAt(draft).catch(() => undefined))?.mtimeMs;
    if (written !== undefined && Date.now() - written > OLD_DRAFT_MS) await rm(draft, { force: true });
  }
}

/** Every read allocates a whole chunk, so a small file gets small ones. A pipe has no size. */
function readChunks(path: string, size: number): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: size > 0 && size < CHUNK ? size : CHUNK });
}

async function lookAt(path: string): Promise<{ isRegular: boolean; isFolder: boolean; size: number; mtimeMs: number }> {
  const stats = await stat(path);
  return { isRegular: stats.isFile(), isFolder: stats.isDirectory(), size: stats.size, mtimeMs: stats.mtimeMs };
}

/** Records a damaged file of the archive until it is repaired. */
export async function markDamagedFile(
  storage: Storage,
  { sha256, reason, foundAt }: { sha256: string; reason: string; foundAt: string },
): Promise<void> {
  await storage.transaction((tx) =>
    tx.upsert('damaged_file', ['sha256', 'reason', 'found_at'], [[sha256, reason, foundAt]]),
  );
}

export async function clearDamagedFile(storage: Storage, sha256: string): Promise<void> {
  const marked = await storage.db.selectFrom('damaged_file').select('sha256').where('sha256', '=', sha256).execute();
  if (marked.length === 0) return;
  await storage.transaction(({ db }) => db.deleteFrom('damaged_file').where('sha256', '=', sha256).execute());
}

interface DamagedFile {
  path: string;
  reason: string;
  foundAt: string;
}

/** The recorded files that are still damaged. Each is read again, because it may have been replaced by hand. */
export async function listDamagedFiles(db: Db, archiveDir: string): Promise<DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  for (const row of await db.selectFrom('damaged_file').selectAll().orderBy('sha256').execute()) {
    const reason = await inspectCopy(archiveDir, row.sha256);
    if (reason === null) continue;
    damaged.push({ path: placeOf(archiveDir, row.sha256), reason: reason ?? 'it is missing', foundAt: row.found_at });
  }
  return damaged;
}
