import { mkdirSync, rmSync } from 'node:fs';
import { scriptPath } from './processes.ts';

/** A folder that exists, empty, while it is used. */
export async function withScratch<T>(name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = scriptPath(`out/${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
