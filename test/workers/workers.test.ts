import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Running, runHere, start } from '../support/command.ts';
import { onBothEngines, onSqlite, type TestDatabase } from '../support/engines.ts';
import { AREAS, building, id, writeRecords } from '../support/records.ts';
import { assetUrl } from '../support/serving.ts';
import { ask } from '../support/wire.ts';

const MCP = { method: 'POST', path: '/japan/mcp' } as const;
const JSON_BOTH = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const VERSION = '2025-06-18';
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const envOf = (database: TestDatabase, settings: Record<string, string>) => ({
  ...{ DATABASE_URL: database.url, ARCHIVE_DIR: join(database.dir, 'archive'), LOG_LEVEL: 'info' },
  ...{ HOST: '127.0.0.1', PORT: '0', WORKERS: '2', ...settings },
});

/** An empty database would be filled with the sample, which takes longer. */
async function ingestOne(database: TestDatabase, env: Record<string, string>): Promise<void> {
  const file = writeRecords(database.dir, [...AREAS, building(1, { nameJa: '若葉ビル' })]);
  expect((await runHere(env, 'ingest', 'records', file)).code).toBe(0);
}

async function openService(database: TestDatabase, settings: Record<string, string>) {
  const env = envOf(database, settings);
  await ingestOne(database, env);
  const running = start({ cwd: database.dir, env }, 'serve');
  const [, port] = await running.says(/tatemono serves http:\/\/127\.0\.0\.1:(\d+)\/japan/);
  return { running, port: Number(port) };
}

/** The process IDs of the workers that are serving, from the log. */
async function workersOf({ says }: Running): Promise<number[]> {
  const { input = '' } = await says(/(Server listening.*\n[\s\S]*){2}/);
  return [...input.matchAll(/"pid":(\d+)[^\n]*Server listening/g)].map(([, pid]) => Number(pid));
}

onBothEngines('several workers', (fresh) => {
  it('PRC-01 PRC-02 PRC-03 share the rate limits and the sessions of their clients; one that ends is replaced', async () => {
    const { running, port } = await openService(await fresh(), { RATE_LIMIT_API: '6' });
    const statuses: number[] = [];
    // Each request has a connection of its own, and connections are given to the workers in turn.
    for (let i = 0; i < 8; i++) statuses.push((await ask(port, { path: assetUrl(id(1)) })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);

    const post = (message: object, headers = {}) =>
      ask(port, { ...MCP, headers: { ...JSON_BOTH, ...headers } }, JSON.stringify(message));
    const session = (await post(INITIALIZE)).headers['mcp-session-id'] as string;
    const ofSession = { 'mcp-session-id': session, 'mcp-protocol-version': VERSION };
    const call = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'get_asset', arguments: { id: id(1) } },
    };
    for (let i = 0; i < 4; i++) expect((await post(call, ofSession)).body).toContain('若葉ビル');
    expect((await ask(port, { ...MCP, method: 'DELETE', headers: ofSession })).status).toBe(204);
    for (let i = 0; i < 4; i++) expect((await post(call, ofSession)).status).toBe(404);

    const { body } = await ask(port, { path: '/metrics' });
    expect(body).toContain('tatemono_http_requests_total{surface="api",status="2xx"} 6\n');
    expect(body).toContain('tatemono_rate_limit_rejections_total{surface="api"} 2\n');
    expect(body).toContain('tatemono_mcp_sessions 0\n');
    expect(body.match(/tatemono_process_uptime_seconds\{worker="[12]"\}/g)).toHaveLength(2);

    const [first] = await workersOf(running);
    // Requests of the worker that is killed may be reset, but none waits for ever.
    const pages = Array.from({ length: 24 }, () => ask(port, { path: '/japan' }).catch(({ code }) => code));
    process.kill(first as number, 'SIGKILL');
    for (const answer of await Promise.all(pages)) expect([200, 'ECONNRESET']).toContain(answer.status ?? answer);
    await running.says(/(Server listening[\s\S]*){3}/);
    for (let i = 0; i < 6; i++) expect((await ask(port, { path: '/japan' })).status).toBe(200);
    expect((await ask(port, { path: '/metrics' })).body).toContain(
      'tatemono_http_requests_total{surface="api",status="2xx"} 6\n',
    );
    running.child.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/worker \d ended \(SIGKILL\); another takes its place/);
  });
});

onSqlite('workers that cannot start', (fresh) => {
  it('PRC-04, OPS-01 end the service, which says why', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const database = await fresh();
    const env = envOf(database, { PORT: String((taken.address() as AddressInfo).port) });
    await ingestOne(database, env);
    const { code, stderr } = await start({ cwd: database.dir, env }, 'serve').ended;
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tatemono: port \d+ is in use; set PORT to another, or stop the process that uses it\n$/);
  });
});

it.each(['0', '65', 'two'])('PRC-05 WORKERS=%s is refused', async (WORKERS) => {
  const { code, stderr } = await runHere({ WORKERS }, 'status');
  expect([code, stderr]).toEqual([2, expect.stringContaining('WORKERS')]);
});
