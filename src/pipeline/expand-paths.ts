import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './context.ts';

/**
 * The files named, and in place of a folder its files with the given ending, in the order of their
 * names. A path that is nothing stays, and fails where it is read.
 */
export function expandPaths(paths: readonly string[], ending: string, report: Pick<Report, 'broken'>): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith(ending));
    if (names.length === 0) report.broken(path, `the folder has no file that ends in ${ending}`);
    return names.sort().map((name) => join(path, name));
  });
}
