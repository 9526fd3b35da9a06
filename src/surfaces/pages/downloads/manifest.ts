import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const MANIFEST = 'manifest.json';

/** DWN-01: a file of the export. */
export interface ExportedFile {
  name: string;
  bytes: number;
  sha256: string;
  count: number;
  licences: readonly string[];
}

export interface Exported {
  files: readonly ExportedFile[];
  /** The day of the export, YYYY-MM-DD in Japan. */
  day: string;
}

/** A plain name: it cannot leave the folder. */
const NAME = /^[a-z0-9][a-z0-9-]*\.[a-z]+$/;
const SHA_256 = /^[0-9a-f]{64}$/;
const HOURS_OF_JAPAN = 9;

/** Reads what `tatemono export` has written into a folder, again whenever it has changed. */
export function manifestReader(folder: string): () => Promise<Exported | undefined> {
  const path = join(folder, MANIFEST);
  let known: { stamp: string; exported: Exported } | undefined;
  return async () => {
    const found = await stat(path).catch(unlessMissing);
    if (found === undefined) return undefined;
    const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`;
    if (known?.stamp !== stamp) {
      const inJapan = new Date(found.mtimeMs + HOURS_OF_JAPAN * 3_600_000);
      const exported = { files: readFiles(await readFile(path, 'utf8')), day: inJapan.toISOString().slice(0, 10) };
      known = { stamp, exported };
    }
    return known.exported;
  };
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** What an operator has put there may be anything; only what has the form of an export is offered. */
function readFiles(text: string): ExportedFile[] {
  const { files } = JSON.parse(text) as { files?: unknown };
  if (!Array.isArray(files)) throw new Error(`${MANIFEST} of the export has no files`);
  return files.filter(isFile);
}

function isFile(given: unknown): given is ExportedFile {
  const { name, bytes, sha256, count, licences } = (given ?? {}) as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    NAME.test(name) &&
    typeof sha256 === 'string' &&
    SHA_256.test(sha256) &&
    Number.isSafeInteger(bytes) &&
    Number.isSafeInteger(count) &&
    Array.isArray(licences) &&
    licences.every((licence) => typeof licence === 'string')
  );
}
