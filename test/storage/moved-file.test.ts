import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteReads } from '../../src/storage/sqlite-reads.ts';
import { type Running, start } from '../support/command.ts';
import { onSqlite, type TestDatabase } from '../support/engines.ts';
import { callOf, initialize, post } from '../support/mcp.ts';
import { AREAS, building, id } from '../support/records.ts';
import { openServedRegistry } from '../support/served-registry.ts';
import { assetUrl, expectProblem, expectRefusal } from '../support/serving.ts';
import { ask } from '../support/wire.ts';

const LOCKED = 'the database is locked by another process';
const OWNED = Array.from({ length: 60 }, (_, i) => building(i + 1));

/** A request of each kind of read: by key, cached, in a search thread, of a snapshot, streamed. */
const API = [assetUrl(id(1)), assetUrl(id(1), '/sources'), '/japan/api/v1/assets?q=ビル', '/japan/api/v1/areas/tokyo'];
const PAGES = [
  '/japan/areas',
  `/japan/tokyo/chiyoda-ku/marunouchi-1-chome/${id(2)}`,
  '/japan/sitemap-buildings-26000.xml',
];

onSqlite('a service whose database file', (fresh) => {
  let database: TestDatabase;
  let file: string;
  let running: Running;
  let port: number;
  beforeAll(async () => {
    database = await fresh();
    file = database.url.slice('file:'.length);
    const served = await openServedRegistry(database);
    await served.ingest([...AREAS, ...OWNED]);
    await served.close();
    const env = { DATABASE_URL: database.url, ARCHIVE_DIR: `${database.dir}/archive`, PORT: '0', LOG_LEVEL: 'fatal' };
    const unlimited = { RATE_LIMIT_API: '0', RATE_LIMIT_PAGE: '0', RATE_LIMIT_MCP: '0' };
    running = start({ cwd: database.dir, env: { ...env, ...unlimited } }, 'serve');
    const [, said] = await running.says(/tatemono serves http:\/\/127\.0\.0\.1:(\d+)\/japan/);
    port = Number(said);
  });
  afterAll(async () => {
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  const get = (path: string) => ask(port, { path: encodeURI(path) });
  const statusOf = async (path: string) => (await get(path)).status;
  /** Each thread looks for itself. */
  const becomes = (path: string, status: number) =>
    expect.poll(() => statusOf(path), { timeout: 10_000, interval: 50 }).toBe(status);

  async function expectUnavailable(): Promise<void> {
    for (const path of [...API, ...PAGES]) await becomes(path, 503);
    for (const path of API) {
      const refused = await get(path);
      expectProblem(refused, 503);
      expect([path, refused.headers['retry-after']]).toEqual([path, '5']);
    }
    for (const path of PAGES) {
      const refused = await get(path);
      expectRefusal(refused, 503);
      expect([path, refused.headers['retry-after']]).toEqual([path, '5']);
    }
    expect(await statusOf('/healthz')).toBe(200);
  }

  async function expectServed(): Promise<void> {
    for (const path of [...API, ...PAGES]) await becomes(path, 200);
  }

  describe.each([
    ['is moved', () => renameSync(file, `${file}.away`), () => renameSync(`${file}.away`, file)],
    [
      'is replaced',
      () => {
        renameSync(file, `${file}.away`);
        copyFileSync(`${file}.away`, file);
      },
      () => {
        rmSync(file);
        renameSync(`${file}.away`, file);
      },
    ],
  ])('%s', (_, away, back) => {
    it('DLY-04 DLY-01 is not ready and answers 503 until it is back, without a restart', async () => {
      await expectServed();
      const session = await initialize(port);
      const call = () => post(port, callOf('get_asset', { id: id(1) }), session.headers);
      expect((await call()).status).toBe(200);
      away();
      await becomes('/readyz', 503);
      await expectUnavailable();
      const refused = await call();
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
      expect(JSON.parse(refused.body)).toEqual({
        ...{ jsonrpc: '2.0', id: null },
        error: { code: -32_000, message: 'the database does not answer; retry in 5 seconds' },
      });
      back();
      await becomes('/readyz', 200);
      await expectServed();
      expect((await call()).status).toBe(200);
    });
  });
});

onSqlite('a database file that another process has locked', (fresh) => {
  it('DLY-03 fails a read soon, and is read again when it is free', async () => {
    const { url } = await fresh();
    const file = url.slice('file:'.length);
    const other = new DatabaseSync(file);
    // Without a log of changes, a writer keeps readers out.
    other.exec('pragma journal_mode = delete');
    const reads = openSqliteReads(file, 20);
    const find = reads.prepareOne(reads.db.selectFrom('building').select('id').where('id', '=', 0).compile());
    const read = () => reads.snapshot(async ({ all }) => all('select id from building', []));
    try {
      other.exec('begin exclusive');
      await expect(read()).rejects.toThrow(expect.objectContaining({ failure: { kind: 'locked', reason: LOCKED } }));
      expect(() => find(1)).toThrow(LOCKED);
      other.exec('rollback');
      expect([await read(), find(1)]).toEqual([[], undefined]);
    } finally {
      await reads.close();
      other.close();
    }
  });
});
