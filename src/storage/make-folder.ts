import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Folder by folder: Node's own recursive way never ends where a folder cannot be made, as under /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
