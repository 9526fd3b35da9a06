import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';

/** A file system in memory of a limited size, seen only by commands that `inside` starts; it ends with this process. */
export interface SmallDisk {
  dir: string;
  /** A command line that runs another one where the disk is mounted, as root or another user. */
  inside(command: readonly string[], user?: number): string[];
  resize(megabytes: number): void;
  close(): Promise<void>;
}

/** Undefined where it cannot be mounted: on systems other than Linux, and without the rights of root. */
export async function openSmallDisk(dir: string, megabytes: number): Promise<SmallDisk | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  mkdirSync(dir, { recursive: true });
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=777 tmpfs "$0" && echo mounted && exec cat`;
  const holder: ChildProcess = spawn('unshare', ['--mount', 'sh', '-c', mount, dir], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(holder, 'exit');
  const mounted = await Promise.race([
    once(holder.stdout as NodeJS.ReadableStream, 'data'),
    ended.then(() => undefined),
  ]);
  if (mounted === undefined) return undefined;
  const inside = (command: readonly string[], user?: number) => [
    ...['nsenter', '--mount', '--target', String(holder.pid), `--wd=${process.cwd()}`],
    ...(user === undefined ? [] : ['--setuid', String(user), '--setgid', String(user)]),
    ...['--', ...command],
  ];
  return {
    dir,
    inside,
    resize(to) {
      const [program = '', ...args] = inside(['mount', '-o', `remount,size=${to}m`, dir]);
      execFileSync(program, args);
    },
    async close() {
      holder.stdin?.end();
      await ended;
    },
  };
}
