import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Db } from '../storage/storage.ts';
import type { Difference } from '../vocabulary/difference.ts';
import { inspectCopy, placeOf } from './archive.ts';

/** The files that the log of ingests names, each once, with the name it was ingested under first. */
export async function listArchived(db: Db): Promise<{ sha256: string; file: string }[]> {
  const rows = await db.selectFrom('ingest').select(['sha256', 'file']).orderBy('id').execute();
  const first = new Map<string, string>();
  for (const { sha256, file } of rows) if (!first.has(sha256)) first.set(sha256, file);
  return [...first].map(([sha256, file]) => ({ sha256, file }));
}

/** VRF-08: what is wrong with the archived copy of a file. */
export async function checkCopy(
  archiveDir: string,
  { sha256, file }: { sha256: string; file: string },
): Promise<Difference[]> {
  const row = placeIn(archiveDir, sha256);
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    return [{ kind: 'differs', table: 'ingest', row: file, detail: 'the hash of its bytes', remedy: null }];
  }
  const damage = await inspectCopy(archiveDir, sha256);
  if (damage === null) return [];
  const detail = `${damage === undefined ? '' : `${damage}; `}ingest ${file} again to replace it`;
  return [{ kind: damage === undefined ? 'missing' : 'differs', table: 'archive', row, detail, remedy: null }];
}

const placeIn = (archiveDir: string, sha256: string) =>
  relative(archiveDir, placeOf(archiveDir, sha256)).split(sep).join('/');

/** Files of the archive that nothing names, such as those of a killed ingest or of a registry that was replaced. */
export async function* findUnnamed(archiveDir: string, named: ReadonlySet<string>): AsyncGenerator<Difference> {
  const known = new Set([...named].map((sha256) => placeIn(archiveDir, sha256)));
  for (const path of await listFiles(archiveDir)) {
    const row = path.split(sep).join('/');
    if (!known.has(row)) yield { kind: 'note', table: 'archive', row, detail: 'nothing names this file', remedy: null };
  }
}

/** The files below a folder; none if it does not exist. */
async function listFiles(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) files.push(...(await listFiles(folder, path)));
    else files.push(path);
  }
  return files;
}
