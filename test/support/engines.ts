import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** A folder of its own, gone when the test file is done. */
  dir: string;
}

/** Runs the same tests on both databases; `fresh` makes an empty one for whoever asks. */
export function onBothEngines(name: string, tests: EngineTests): void {
  onEngines(['sqlite', 'postgres'], name, tests);
}

/** For what only PostgreSQL has. */
export function onPostgres(name: string, tests: EngineTests): void {
  onEngines(['postgres'], name, tests);
}

/** For what happens too far from the database to depend on it. */
export function onSqlite(name: string, tests: EngineTests): void {
  onEngines(['sqlite'], name, tests);
}

/** `fresh` makes a database with this version's tables, or with none at all. */
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
        const database = `t${randomUUID().replaceAll('-', '')}`;
        await onServer(server, `create database ${database}${tables === 'none' ? '' : COPY}`);
        made.push(() => onServer(server, `drop database ${database} with (force)`));
        return { engine, dir, url: server.replace(/\/postgres$/, `/${database}`) };
      }, engine);
    });
  }
}

/** To copy the files of a small database is faster than to write them through the log. */
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

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A migrated database with everything a stage of the pipeline needs; close it with `context.storage.close()`. */
export async function openContext(database: TestDatabase, overrides: Partial<Context> = {}): Promise<Context> {
  // A test database is dropped under whoever is still connected to it.
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
