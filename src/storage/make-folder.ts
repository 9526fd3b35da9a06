import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Folder by folder, because Node's recursive option loops forever where a folder cannot be created, as under /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
