import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { explainDatabaseError } from '../../src/storage/explain-error.ts';
import { MIGRATIONS, migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { StorageError } from '../../src/storage/storage.ts';
import { runHere } from '../support/command.ts';
import { onBothEngines, onPostgres } from '../support/engines.ts';

const dir = mkdtempSync(join(tmpdir(), 'tatemono-unusable-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What the command says, after checking that it is one line for people. */
async function refusal(DATABASE_URL: string, command = 'status'): Promise<string> {
  const { code, stderr } = await runHere({ DATABASE_URL, ARCHIVE_DIR: join(dir, 'archive') }, command);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^tatemono: [^\n]+\n$/);
  expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b|ERR_|\bat \S+:\d+/);
  return stderr.slice('tatemono: '.length, -1);
}

describe('OPS-02 a SQLite database that cannot be used', () => {
  it('OPS-02 whose path leads through a file', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    expect(await refusal(`file:${join(file, 'registry.db')}`)).toContain('check the path in DATABASE_URL');
    expect(await refusal(`file:${join(file, 'deeper', 'registry.db')}`)).toMatch(
      /file\/deeper: a part of the path is a file, not a folder; check the path$/,
    );
  });

  it('OPS-02 that is a folder, or another file', async () => {
    mkdirSync(join(dir, 'folder.db'));
    expect(await refusal(`file:${join(dir, 'folder.db')}`)).toMatch(/folder\.db: the database cannot be opened; check/);
    const text = join(dir, 'text.db');
    writeFileSync(text, 'not a database, but long enough to have a header\n'.repeat(100));
    expect(await refusal(`file:${text}`)).toBe(`${text}: this is not a SQLite database; correct DATABASE_URL`);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('OPS-02 in a folder without rights', async () => {
    const folder = join(dir, 'closed');
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expect(await refusal(`file:${join(folder, 'registry.db')}`)).toMatch(
      /rights of this user on the file and its folder/,
    );
    expect(await refusal(`file:${join(folder, 'deeper', 'registry.db')}`)).toMatch(/deeper: permission denied; give/);
  });

  it('OPS-02 that is locked', () => {
    const file = join(dir, 'locked.db');
    const [holder, other] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 0 })];
    holder.exec('begin exclusive');
    const attempt = () => {
      try {
        other.exec('begin immediate');
      } catch (cause) {
        return new StorageError('connection', 'the file cannot be opened', { cause });
      }
      throw new Error('the lock was not held');
    };
    expect(explainDatabaseError(attempt(), `file:${file}`)).toBe(
      `${file}: the database is locked by another process; wait until that has finished, or stop it, and try again`,
    );
    holder.close();
    other.close();
  });
});

onBothEngines('OPS-02 a newer database', (fresh) => {
  it('OPS-02 is left alone', async () => {
    const { url } = await fresh();
    const storage = openStorage(url, () => {});
    await migrate(storage, [...MIGRATIONS, { name: '9999-later', up: async () => {} }]);
    await storage.close();
    expect(await refusal(url)).toMatch(/^a newer version of tatemono has changed the database .*install that version/);
  });
});

/** A server that answers every start of a connection with an error. */
async function withRefusingServer<T>(code: string, work: (port: number) => Promise<T>): Promise<T> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const fields = Buffer.from(`SFATAL\0C${code}\0Msomething\0\0`);
      const length = Buffer.alloc(4);
      length.writeInt32BE(fields.length + 4);
      socket.end(Buffer.concat([Buffer.from('E'), length, fields]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

onPostgres('OPS-02 a PostgreSQL database that cannot be used', (fresh) => {
  it('OPS-02 because nothing listens, or the host is unknown', async () => {
    expect(await refusal('postgres://u:secret@127.0.0.1:1/registry')).toBe(
      'the database server 127.0.0.1:1 refuses connections; start PostgreSQL there, or correct DATABASE_URL',
    );
    expect(await refusal('postgres://u:secret@localhost:1/registry')).toMatch(/localhost:1 refuses connections/);
    expect(await refusal('postgres://u:secret@nowhere.invalid/registry')).toMatch(
      /nowhere\.invalid:5432 is not a known host/,
    );
  });

  it('OPS-02 because it does not exist', async () => {
    const { url } = await fresh('none');
    expect(await refusal(url.replace(/\/[^/]*$/, '/missing'))).toMatch(
      /has no database of this name; create it with createdb/,
    );
  });

  it.each([
    ['28P01', /refuses this user or password; correct them in DATABASE_URL/],
    ['28000', /refuses this user or password/],
    ['53300', /has no free connections; raise its max_connections/],
    ['57P03', /is starting or shutting down; try again when it runs/],
  ])('OPS-02 because it answers %s', (code, message) =>
    withRefusingServer(code, async (port) => {
      const said = await refusal(`postgres://somebody:secret@127.0.0.1:${port}/registry`);
      expect(said).toMatch(message);
      expect(said).not.toMatch(/secret|somebody/);
    }),
  );

  it('OPS-02 because the user has no rights', async () => {
    const { url } = await fresh('none');
    const storage = openStorage(url, () => {});
    const role = `reader_${Date.now()}`;
    await storage.transaction((tx) => tx.all(`create role ${role} login`, []) as Promise<unknown>);
    await storage.close();
    try {
      expect(await refusal(url.replace('postgres@', `${role}@`))).toMatch(
        /does not give this user the rights it needs/,
      );
    } finally {
      const again = openStorage(url, () => {});
      await again.transaction((tx) => tx.all(`drop role ${role}`, []) as Promise<unknown>);
      await again.close();
    }
  });
});

describe('OPS-02 errors of the driver', () => {
  const explained = (message: string) => explainDatabaseError(new Error(message), 'postgres://u:secret@db/registry');

  it('OPS-02 are explained', () => {
    expect(explained('timeout exceeded when trying to connect')).toMatch(
      /^the database server db:5432 does not answer/,
    );
    expect(explained('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')).toMatch(/user or password/);
    expect(explained('The server does not support SSL connections')).toMatch(/remove sslmode/);
  });

  it('OPS-02 and faults of the program are not', () => {
    expect(explained('something else')).toBeUndefined();
    expect(explainDatabaseError(new TypeError('timeout is not a function'), 'postgres://db/x')).toBeUndefined();
    const file = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', path: '/archive/x' });
    expect(explainDatabaseError(file, 'postgres://db/x')).toBeUndefined();
  });
});
