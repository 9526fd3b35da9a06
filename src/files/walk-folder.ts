import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

interface Walked {
  /** Files in the order of their paths, each once, however many links lead to it. */
  files: { path: string; real: string }[];
  /** Pipes, devices and sockets, which could block for ever when opened. */
  special: string[];
  faults: { file: string; reason: string }[];
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links form a loop',
  ENOTDIR: 'a part of its path is a file',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** The reason of a file system error, in words. */
export function faultOf(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `it cannot be read (${code})`;
}

/** Files that operating systems add to folders and zips. */
export function isClutter(name: string): boolean {
  return /(?:^|\/)(?:\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)$|(?:^|\/)__MACOSX(?:\/|$)/i.test(name);
}

/**
 * All files below a folder. Links are followed last, so that a file is listed under its own path if it has one. A link to a
 * folder that contains the link is a loop; it and a dangling link are skipped.
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
      return stats && { stats, real: realpathSync(link), folder: realpathSync(dirname(link)) };
    });
    if (target === undefined) return;
    if (target.stats.isDirectory() && isInside(target.folder, target.real)) return;
    visit(link, target.real, target.stats);
  };
  /** Records a failure with its path; a file that is gone, or a dangling link, is not a fault of the folder. */
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
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`));
}
