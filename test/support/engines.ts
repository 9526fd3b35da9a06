import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, inject } from 'vitest';
import { type Context, silent } from '../../src/pipeline/context.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Engine } from '../../src/storage/storage.ts';
import { TEMPLATE } from './postgres-cluster.ts';

export interface TestDatabase {
  engine: Engine;
  url: string;
  /** A temporary folder, removed after the test file. */
  dir: string;
}

/** Runs the same tests on both databases; `fresh` creates an empty one. */
export function onBothEngines(name: string, tests: EngineTests): void {
  onEngines(['sqlite', 'postgres'], name, tests);
}

/** For features of PostgreSQL only. */
export function onPostgres(name: string, tests: EngineTests): void {
  onEngines(['postgres'], name, tests);
}

/** For tests that do not depend on the database. */
export function onSqlite(name: string, tests: EngineTests): void {
  onEngines(['sqlite'], name, tests);
}

/** `fresh` creates a database with the tables of this version, or without any. */
type EngineTests = (fresh: (tables?: 'migrated' | 'none') => Promise<TestDatabase>, engine: Engine) => void;

function onEngines(engines: readonly Engine[], name: string, tests: EngineTests): void {
  for (const engine of engines) {
    describe(`${name} [${engine}]`, () => {
      const made: (() => Promise<void>)[] = [];
      afterAll(async () => {
        for (const drop of made) await drop();
      });
      tests(async (tables = 'migrated') => {
        const dir = mkdtempSync(join(tmpdir(), 'tatemono-test-'));
        made.push(async () => rmSync(dir, { recursive: true, force: true }));
        if (engine === 'sqlite') {
          const file = join(dir, 'registry.db');
          if (tables === 'migrated') writeFileSync(file, await migratedFile());
          return { engine, dir, url: `file:${file}` };
        }
        const server = inject('postgresUrl');
        const database = newName();
        await onServer(server, `create database ${database}${tables === 'none' ? '' : COPY}`);
        made.push(() => onServer(server, `drop database ${database} with (force)`));
        return { engine, dir, url: server.replace(/\/postgres$/, `/${database}`) };
      }, engine);
    });
  }
}

/** Copying the files of a small database is faster than writing them through the log. */
const COPY = ` template ${TEMPLATE} strategy file_copy`;

let migrated: Promise<Buffer> | undefined;
/** The same for SQLite: the bytes of a file with this version's tables. */
function migratedFile(): Promise<Buffer> {
  migrated ??= (async () => {
    const dir = mkdtempSync(join(tmpdir(), 'tatemono-test-'));
    try {
      const file = join(dir, 'registry.db');
      const storage = openStorage(`file:${file}`, () => {});
      await migrate(storage);
      await storage.close();
      return readFileSync(file);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  })();
  return migrated;
}

/** The content of a filled database: its tables, the files of its archive, and the result of `fill`. */
export interface Filled {
  copyTo(database: TestDatabase): Promise<void>;
  result: unknown;
}

const filled = new Map<string, Promise<Filled>>();

/**
 * Fills a new database; `fill` closes its connections. Only the first database of a name is filled in this process;
 * later ones are copies of it, which is much faster.
 */
export async function fillOnce<T>(
  name: string,
  database: TestDatabase,
  fill: (database: TestDatabase) => Promise<T>,
): Promise<T> {
  const key = `${name} ${database.engine}`;
  const known = filled.get(key);
  if (known !== undefined) {
    const { copyTo, result } = await known;
    await copyTo(database);
    return result as T;
  }
  const filling = fill(database).then((result) => keepCopy(database, result));
  filled.set(key, filling);
  return (await filling).result as T;
}

/** Keeps the content of a database that nobody has open, so that it can be copied into others. */
export async function keepCopy({ engine, url, dir }: TestDatabase, result?: unknown): Promise<Filled> {
  const archive = filesBelow(join(dir, 'archive'));
  const copyArchive = (to: TestDatabase) => {
    rmSync(join(to.dir, 'archive'), { recursive: true, force: true });
    for (const [path, bytes] of archive) {
      mkdirSync(join(to.dir, 'archive', dirname(path)), { recursive: true });
      writeFileSync(join(to.dir, 'archive', path), bytes);
    }
  };
  if (engine === 'sqlite') {
    const bytes = readFileSync(url.slice('file:'.length));
    const copyTo = async (to: TestDatabase) => {
      const file = to.url.slice('file:'.length);
      // What a killed process left.
      for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      writeFileSync(file, bytes);
      copyArchive(to);
    };
    return { copyTo, result };
  }
  const server = inject('postgresUrl');
  const template = newName();
  await onServer(server, `create database ${template} template ${nameIn(url)} strategy file_copy`);
  const copyTo = async (to: TestDatabase) => {
    await onServer(server, `drop database ${nameIn(to.url)} with (force)`);
    await onServer(server, `create database ${nameIn(to.url)} template ${template} strategy file_copy`);
    copyArchive(to);
  };
  return { copyTo, result };
}

function filesBelow(folder: string): [path: string, bytes: Buffer][] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => [path, readFileSync(join(folder, path))]);
}

const newName = () => `t${randomUUID().replaceAll('-', '')}`;
const nameIn = (url: string) => url.slice(url.lastIndexOf('/') + 1);

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The context of a pipeline on a migrated database; close it with `context.storage.close()`. */
export async function openContext(database: TestDatabase, overrides: Partial<Context> = {}): Promise<Context> {
  // A test database may be dropped while connections are open.
  const storage = openStorage(database.url, () => {});
  await migrate(storage);
  return {
    storage,
    databaseUrl: database.url,
    archiveDir: join(database.dir, 'archive'),
    now: () => new Date().toISOString(),
    report: silent,
    ...overrides,
  };
}
