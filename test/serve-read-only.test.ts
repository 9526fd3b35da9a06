import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { type Running, runHere, start } from './support/command.ts';
import { onPostgres, onSqlite, type TestDatabase } from './support/engines.ts';
import { AREAS, building, id, writeRecords } from './support/records.ts';
import { assetUrl } from './support/serving.ts';
import { ask } from './support/wire.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Root needs another user to be refused anything, and that user must be able to read this clone. */
const canBeRefused =
  process.platform !== 'win32' &&
  (!isRoot ||
    spawnSync(process.execPath, ['-e', `require('node:fs').readFileSync('package.json')`], {
      ...{ uid: NOBODY, gid: NOBODY, cwd: join(import.meta.dirname, '..') },
    }).status === 0);

const envOf = ({ url, dir }: TestDatabase, settings: Record<string, string> = {}) => ({
  ...{ DATABASE_URL: url, ARCHIVE_DIR: join(dir, 'archive'), LOG_LEVEL: 'warn', PORT: '0', ...settings },
});

async function ingest(database: TestDatabase, ...numbers: number[]): Promise<void> {
  const lines = [
    ...AREAS,
    ...numbers.map((number) => building(number, { nameJa: `第${number}ビル`, ownerPublic: 'X' })),
  ];
  const file = writeRecords(database.dir, lines);
  expect((await runHere(envOf(database), 'ingest', 'records', file)).code).toBe(0);
}

interface Service {
  running: Running;
  port: number;
  get(path: string): Promise<number>;
  /** Ends it, and returns what it wrote to its log and to standard error. */
  stop(): Promise<string>;
}

function startService(database: TestDatabase, settings: Record<string, string> = {}, user?: number): Running {
  const cwd = join(database.dir, 'cwd');
  mkdirSync(cwd, { recursive: true });
  const running = start({ cwd, env: envOf(database, settings), user }, 'serve');
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return running;
}

async function serve(...of: Parameters<typeof startService>): Promise<Service> {
  const running = startService(...of);
  const [, port] = await running.says(/tatemono serves http:\/\/127\.0\.0\.1:(\d+)\/japan/);
  return {
    running,
    port: Number(port),
    get: async (path) => (await ask(Number(port), { path })).status,
    async stop() {
      running.child.kill('SIGTERM');
      const { code, stdout, stderr } = await running.ended;
      expect(code).toBe(0);
      return `${stdout.replace(/^tatemono serves .*\n/m, '')}${stderr}`;
    },
  };
}

const PATHS = [
  ...['/readyz', assetUrl(id(1)), assetUrl(id(1), '/sources'), '/japan/api/v1/assets?q=%E3%83%93%E3%83%AB'],
  ...['/japan/api/v1/areas/tokyo', '/japan/api/v1/owners/X/assets', '/japan/api/v1/match?name=x', '/japan'],
  ...[
    `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(1)}`,
    '/japan/areas?q=x',
    '/japan/areas.csv',
    '/japan/suggest?q=x',
  ],
  ...['/japan/tiles/10/909/403', '/robots.txt', '/llms.txt', '/japan/reconcile', '/metrics'],
];

async function expectAllServed({ port, get }: Service): Promise<void> {
  const statuses = await Promise.all(PATHS.map(async (path) => `${path} ${await get(path)}`));
  expect(statuses).toEqual(PATHS.map((path) => `${path} 200`));
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await ask(port, { method: 'POST', path: '/japan/mcp', headers }, JSON.stringify(call));
  expect(answer.status).toBeLessThan(500);
}

onSqlite('a service', (fresh) => {
  it.skipIf(process.platform !== 'linux').each(['1', '2'])(
    'RDO-01 RDO-06 has the database file open for reading only, with %s workers',
    async (workers) => {
      const database = await fresh();
      await ingest(database, 1);
      const service = await serve(database, { WORKERS: workers });
      await expectAllServed(service);
      const file = database.url.slice('file:'.length);
      const opened = processesBelow(service.running.child.pid as number).flatMap((pid) => accessesOf(pid, file));
      expect(opened.length).toBeGreaterThanOrEqual(2);
      expect(new Set(opened)).toEqual(new Set([O_RDONLY]));
      await service.stop();
    },
  );

  it.skipIf(!canBeRefused)(
    'RDO-02 RDO-04 serves a database that its user may not write to, and what others add',
    async () => {
      const database = await fresh();
      await ingest(database, 1);
      const close = protect(database);
      close();
      const files = readdirSync(database.dir);
      const service = await serve(database, {}, isRoot ? NOBODY : undefined);
      await expectAllServed(service);
      expect(readdirSync(database.dir)).toEqual(files);
      close('undo');
      await ingest(database, 1, 2);
      close();
      expect(await service.get(assetUrl(id(2)))).toBe(200);
      expect((await ask(service.port, { path: '/japan/api/v1/assets?q=%E7%AC%AC2' })).body).toContain(id(2));
      expect(await service.stop()).toBe('');
    },
  );

  it.skipIf(!canBeRefused)('RDO-04 says in one line that a migration is pending, if it may not write', async () => {
    const database = await fresh();
    const file = new DatabaseSync(database.url.slice('file:'.length));
    file.exec('delete from migration where name = (select max(name) from migration)');
    file.close();
    protect(database)();
    const { code, stdout, stderr } = await startService(database, {}, isRoot ? NOBODY : undefined).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^tatemono: the database has 1 pending migration, but .*\n$/);
  });

  it.skipIf(!canBeRefused)('RDO-04 serves an empty database that it may not fill, and says so', async () => {
    const database = await fresh();
    protect(database)();
    const service = await serve(database, {}, isRoot ? NOBODY : undefined);
    expect(await service.get('/readyz')).toBe(200);
    expect(await service.stop()).toMatch(/^the sample is not loaded into the empty database: .*\n$/);
  });
});

/** Takes away the right to write, and gives it back at the end. */
function protect(database: TestDatabase): (how?: 'undo') => void {
  const file = database.url.slice('file:'.length);
  const change = (how?: 'undo') => {
    mkdirSync(join(database.dir, 'cwd'), { recursive: true });
    chmodSync(file, how === 'undo' ? 0o644 : 0o444);
    chmodSync(database.dir, how === 'undo' ? 0o755 : 0o555);
  };
  onTestFinished(() => change('undo'));
  return change;
}

const O_RDONLY = 0;
const O_ACCMODE = 3;

/** A process and those that it has started. */
function processesBelow(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text !== '');
  return [pid, ...children.flatMap((child) => processesBelow(Number(child)))];
}

/** How a process has opened a file, once for each time. */
function accessesOf(pid: number, file: string): number[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${fd}`) !== file) return [];
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '';
      return Number.parseInt(flags, 8) & O_ACCMODE;
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
}

onPostgres('a role', (fresh) => {
  /** A new role of the test server, with the rights that `grants` gives it in the database. */
  const roleOn = async (database: TestDatabase, ...grants: string[]): Promise<TestDatabase> => {
    const role = `r${database.url.slice(-32)}`;
    await query(database.url, `create role ${role} login`, ...grants.map((grant) => `${grant} to ${role}`));
    onTestFinished(async () => {
      await query(database.url, `drop owned by ${role}`);
      await query(inject('postgresUrl'), `drop role ${role}`);
    });
    return { ...database, url: database.url.replace('//postgres@', `//${role}@`) };
  };
  // As in docs/how-to/run-in-production.md.
  const SELECT = [
    'grant select on all tables in schema public',
    'alter default privileges in schema public grant select on tables',
  ];
  const COUNT = ['grant insert on rate_key', 'grant insert, update, delete on rate_window'];

  it('RDO-03 RDO-05 that may only read serves everything, and its limits are counted by the service', async () => {
    const database = await fresh();
    await ingest(database, 1);
    const service = await serve(await roleOn(database, ...SELECT), { RATE_LIMIT_API: '8' });
    await expectAllServed(service);
    const statuses = [];
    for (let i = 0; i < 8; i++) statuses.push(await service.get(assetUrl(id(1))));
    expect(statuses).toContain(429);
    // A new prefecture has new tables, which the role may read too.
    await ingest(database, 1, 2);
    const log = await service.stop();
    expect(log.match(/rate limits are counted by this service alone/g)).toHaveLength(1);
    expect(log.trim().split('\n')).toHaveLength(1);
  });

  it('RDO-05 one of several workers gives the warning, and they count together', async () => {
    const database = await fresh();
    await ingest(database, 1);
    const service = await serve(await roleOn(database, ...SELECT), { RATE_LIMIT_API: '4', WORKERS: '2' });
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push(await service.get(assetUrl(id(1))));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await service.stop()).match(/rate limits are counted/g)).toHaveLength(1);
  });

  it('RDO-05 that may also write to the tables of the counts shares them with other services, and writes nothing else', async () => {
    const database = await fresh();
    await ingest(database, 1);
    const role = await roleOn(database, ...SELECT, ...COUNT);
    const services = [await serve(role, { RATE_LIMIT_API: '4' }), await serve(role, { RATE_LIMIT_API: '4' })];
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push(await services[i % 2]?.get(assetUrl(id(1))));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    for (const service of services) expect(await service.stop()).toBe('');
    await expect(query(role.url, 'delete from building')).rejects.toThrow(/permission denied/);
  });

  it('RDO-04 that may only read is told in one line that a migration is pending', async () => {
    const database = await fresh();
    await query(database.url, 'delete from migration where name = (select max(name) from migration)');
    const { code, stdout, stderr } = await startService(await roleOn(database, ...SELECT)).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^tatemono: the database has 1 pending migration, but .*\n$/);
  });
});

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
