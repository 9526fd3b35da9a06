import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

interface Walked {
  /** Files in the order of their paths, each once, whatever links lead to it. */
  files: { path: string; real: string }[];
  /** Pipes, devices and sockets: to open one may wait for ever. */
  special: string[];
  faults: { file: string; reason: string }[];
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'its links lead in a circle',
};

/** Why a path cannot be read, in words. */
export function faultOf(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `it cannot be read (${code})`;
}

/** What systems leave in folders and zips beside the files that people put there. */
export function isClutter(name: string): boolean {
  return /(?:^|\/)(?:\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$|(?:^|\/)__MACOSX(?:\/|$)/i.test(name);
}

/**
 * All files below a folder. Links are followed after everything else, so that a file is known by its own path
 * where it has one; a link to a folder that holds the link is a loop, and one to nothing is passed over.
 */
export function walkFolder(root: string): Walked {
  const walked: Walked = { files: [], special: [], faults: [] };
  const seen = new Set<string>();
  const links: string[] = [];

  const visitFolder = (path: string, real: string): void => {
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of attempt(path, () => readdirSync(path, { withFileTypes: true })) ?? []) {
      const child = join(path, entry.name);
      if (isClutter(entry.name)) continue;
      if (entry.isSymbolicLink()) links.push(child);
      else visit(child, join(real, entry.name), entry);
    }
  };
  const visit = (path: string, real: string, entry: Dirent | Stats): void => {
    if (entry.isDirectory()) visitFolder(path, real);
    else if (!entry.isFile()) walked.special.push(path);
    else if (!seen.has(real)) {
      seen.add(real);
      walked.files.push({ path, real });
    }
  };
  const follow = (link: string): void => {
    const target = attempt(link, () => {
      const stats = statSync(link, { throwIfNoEntry: false });
      return stats && { stats, real: realpathSync(link), place: realpathSync(dirname(link)) };
    });
    if (target === undefined) return;
    if (target.stats.isDirectory() && isInside(target.place, target.real)) return;
    visit(link, target.real, target.stats);
  };
  /** What fails is told with its path; what is gone meanwhile, or was never there, is no fault of a folder. */
  const attempt = <T>(path: string, action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ELOOP') walked.faults.push({ file: path, reason: faultOf(error) });
      return undefined;
    }
  };

  const real = attempt(root, () => realpathSync(root));
  if (real !== undefined) visitFolder(root, real);
  for (let at = 0; at < links.length; at++) follow(links[at] as string);
  walked.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return walked;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
