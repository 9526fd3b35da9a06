import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrationState } from '../../src/storage/migrate.ts';
import { openDatabaseReads, openReads } from '../../src/storage/open-storage.ts';
import { isRefusedWrite } from '../../src/storage/refused-write.ts';
import { openStandbys } from '../../src/storage/standbys.ts';
import type { ReadStorage, Storage, Tx } from '../../src/storage/storage.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { onBothEngines, onSqlite, openContext, type TestDatabase } from '../support/engines.ts';

const INSERT = `insert into todo (name) values ('sample')`;
const mark = (tx: Tx, name: string) => tx.insert('minted', ['prefecture', 'last'], [[name, 1]]);

/** Every way to send a statement through a handle for reading. */
const WAYS: Record<string, (reads: ReadStorage, statement: string) => unknown> = {
  'a query': ({ db }, statement) => sql.raw(statement).execute(db),
  'a prepared query': (reads, statement) =>
    reads.prepareOne(sql.raw(`${statement} returning name`).compile(reads.db))(),
  'a snapshot': (reads, statement) => reads.snapshot(async ({ all }) => all(statement, [])),
  'a long snapshot': async (reads, statement) => {
    const snapshot = await reads.openSnapshot();
    try {
      await snapshot.reads.all(statement, []);
    } finally {
      await snapshot.close();
    }
  },
};

async function expectNoWrites(reads: ReadStorage, storage: Storage): Promise<void> {
  for (const [way, write] of Object.entries(WAYS)) {
    const statements = way === 'a prepared query' ? [INSERT] : [INSERT, 'delete from migration', 'drop table todo'];
    for (const statement of statements) {
      const refusal = await Promise.resolve()
        .then(() => write(reads, statement))
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      expect(isRefusedWrite(refusal), `${way}: ${statement}: ${refusal}`).toBe(true);
    }
  }
  expect(await storage.db.selectFrom('todo').select('name').execute()).toEqual([]);
  expect((await migrationState(storage)).pending).toEqual([]);
}

onBothEngines('connections of a service', (fresh, engine) => {
  it('RDO-01 RDO-03 RDO-06 no handle that a service or its threads read from can write', async () => {
    const database = await fresh();
    const { storage } = await openContext(database);
    const onIdle = () => {};
    const handles: ReadStorage[] = [
      openDatabaseReads(database.url, onIdle),
      openReads({ databaseUrl: database.url, readUrls: [] }),
    ];
    if (engine === 'postgres') handles.push(openStandbys(database.url, [database.url]));
    for (const reads of handles) {
      await expectNoWrites(reads, storage);
      expect(reads).not.toHaveProperty('transaction');
      await (reads as unknown as Storage).close();
    }
    // The same statements are fine where writing is allowed, so that it is not they that were refused.
    await storage.transaction(({ db }) => sql.raw(INSERT).execute(db));
    await storage.close();
  });

  it('RDO-01 what another process writes is read at once', async () => {
    const database = await fresh();
    const { storage } = await openContext(database);
    const reads = openDatabaseReads(database.url, () => {});
    const count = async () => (await reads.db.selectFrom('minted').select('last').execute()).length;
    expect(await count()).toBe(0);
    await storage.transaction((tx) => mark(tx, '01'));
    expect(await count()).toBe(1);
    await reads.close();
    await storage.close();
  });
});

/** Reads a database as a user who may not write to it, on request. */
const READER = `
const { openDatabaseReads } = await import('./src/storage/open-storage.ts');
const { createInterface } = await import('node:readline');
// As root, permissions would not hold.
if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
let reads, one, snapshot, go;
const names = (rows) => rows.map(({ prefecture }) => prefecture).sort().join();
const ask = {
  open: () => {
    reads = openDatabaseReads(process.argv[1], () => {});
    one = reads.prepareOne(reads.db.selectFrom('minted').select('last').where('prefecture', '=', '').compile());
    return 'opened';
  },
  query: async () => names(await reads.db.selectFrom('minted').select('prefecture').execute()),
  one: async (name) => JSON.stringify((await one(name)) ?? null),
  moment: () => String(reads.moment()),
  twice: () => reads.snapshot(async ({ all }) => {
    const first = names(await all('select prefecture from minted', []));
    if (go === undefined) { const gone = new Promise((resolve) => { go = resolve; }); console.log('first ' + first); await gone; }
    return first + ' ' + names(await all('select prefecture from minted', []));
  }),
  go: () => (go(), 'gone'),
  long: async () => { snapshot = await reads.openSnapshot(); return names(await snapshot.reads.all('select prefecture from minted', [])); },
  more: async () => names(await snapshot.reads.all('select prefecture from minted', [])),
  close: async () => (await snapshot?.close(), await reads.close(), 'closed'),
};
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = line.split(' ');
  const answer = (async () => ask[name](...args))();
  answer.then((text) => console.log(text), (error) => console.log('failed: ' + error.message));
}
`;

/** Starts such a reader. `write` gives the rights back for as long as it runs. */
async function startReader(database: TestDatabase) {
  const file = database.url.slice('file:'.length);
  const dir = dirname(file);
  const close = (folder = 0o555) => {
    chmodSync(file, 0o444);
    chmodSync(dir, folder);
  };
  const open = () => {
    chmodSync(dir, 0o755);
    chmodSync(file, 0o644);
  };
  onTestFinished(open);
  const child = spawn(process.execPath, ['--input-type=module', '-e', READER, database.url], {
    env: childEnvironment({}),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  const ask = async (command: string) => {
    child.stdin.write(`${command}\n`);
    return next();
  };
  const write = async (work: (tx: Tx) => Promise<void>) => {
    open();
    const { storage } = await openContext(database);
    await storage.transaction(work);
    await storage.close();
    close();
  };
  return { dir, file, open, close, ask, next, write, send: (command: string) => child.stdin.write(`${command}\n`) };
}

onSqlite('a database file that the service may not write to', (fresh) => {
  it('RDO-02 is read where nothing can be created beside it, and again after others have written', async () => {
    const database = await fresh();
    const { dir, write, ask } = await startReader(database);
    await write((tx) => mark(tx, '01'));
    const files = readdirSync(dir);
    expect(await ask('open')).toBe('opened');
    expect(await ask('query')).toBe('01');
    const moment = await ask('moment');
    expect(await ask('one 02')).toBe('null');
    expect(readdirSync(dir)).toEqual(files);

    await write((tx) => mark(tx, '02'));
    expect(await ask('one 02')).toBe('{"last":1}');
    expect(await ask('query')).toBe('01,02');
    expect(await ask('moment')).not.toBe(moment);
    expect(await ask('close')).toBe('closed');
  });

  it('RDO-02 follows a writer while it is open, and after it has closed', async () => {
    const database = await fresh();
    const { open, close, ask, write } = await startReader(database);
    await write((tx) => mark(tx, '01'));
    expect(await ask('open')).toBe('opened');
    open();
    const { storage } = await openContext(database);
    await storage.transaction((tx) => mark(tx, '02'));
    expect(await ask('query')).toBe('01,02');
    await storage.transaction((tx) => mark(tx, '03'));
    expect(await ask('query')).toBe('01,02,03');
    await storage.close();
    close();
    expect(await ask('query')).toBe('01,02,03');
    await write((tx) => mark(tx, '04'));
    expect(await ask('query')).toBe('01,02,03,04');
  });

  it('RDO-02 a snapshot is repeated if the file changes under it; a long one fails', async () => {
    const database = await fresh();
    const { ask, next, send, write } = await startReader(database);
    await write((tx) => mark(tx, '01'));
    await ask('open');
    expect(await ask('long')).toBe('01');
    expect(await ask('twice')).toBe('first 01');
    await write((tx) => mark(tx, '02'));
    expect(await ask('more')).toBe('failed: the database file was replaced while it was read');
    send('go');
    expect([await next(), await next()].sort()).toEqual(['01,02 01,02', 'gone']);
  });

  it('RDO-02 creates nothing that the owner of the file could not write to', async () => {
    const database = await fresh();
    const { dir, close, ask, write } = await startReader(database);
    await write((tx) => mark(tx, '01'));
    // The folder belongs to all, the file to its owner.
    close(0o777);
    const files = readdirSync(dir);
    await ask('open');
    expect(await ask('query')).toBe('01');
    expect(readdirSync(dir)).toEqual(files);
  });

  it('RDO-02 refuses a file whose log it cannot read, rather than reading without it', async () => {
    const database = await fresh();
    const { dir, file, open, close, ask, write } = await startReader(database);
    await write((tx) => mark(tx, '01'));
    open();
    const { storage } = await openContext(database);
    await storage.transaction((tx) => mark(tx, '02'));
    const log = readFileSync(`${file}-wal`);
    const content = readFileSync(file);
    await storage.close();
    // As after a crash, with a copy that forgot one file.
    writeFileSync(file, content);
    writeFileSync(`${file}-wal`, log);
    rmSync(`${file}-shm`, { force: true });
    close();
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    expect(await ask('open')).toMatch(/^failed: the database file has a log of changes/);
    expect(existsSync(join(dir, 'registry.db-shm'))).toBe(false);
  });
});
