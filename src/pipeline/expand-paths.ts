import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FailureError } from '../vocabulary/failure.ts';

/** The files named, and in place of a folder its files with the given ending, in the order of their names. */
export async function expandPaths(paths: readonly string[], ending: string): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await look(path);
    if (!found.isDirectory()) files.push(path);
    else {
      const names = (await readdir(path)).filter((name) => name.endsWith(ending)).sort();
      if (names.length === 0) throw broken(path, `the folder has no file that ends in ${ending}`);
      files.push(...names.map((name) => join(path, name)));
    }
  }
  return files;
}

async function look(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw broken(path, code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`);
  }
}

function broken(file: string, reason: string): FailureError {
  return new FailureError({ kind: 'brokenFile', file, reason });
}
