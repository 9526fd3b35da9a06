import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Place, runHere, start } from './support/command.ts';
import { AREAS, building, id } from './support/records.ts';
import { assetUrl } from './support/serving.ts';
import { ask } from './support/wire.ts';

const dir = mkdtempSync(join(tmpdir(), 'tatemono-serve-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Makes the server throw errors that nothing catches, each kind under its own path. */
const FAULTS = `
import http from 'node:http';
const { emit } = http.Server.prototype;
http.Server.prototype.emit = function (event, ...args) {
  const fail = (how) => { throw new Error('FAULT ' + how); };
  switch (event === 'request' ? args[0].url : '') {
    case '/fault/sync': fail('sync');
    case '/fault/timer': return setTimeout(fail, 1, 'timer');
    case '/fault/promise': return void Promise.resolve('promise').then(fail);
    case '/fault/value': return void Promise.reject(undefined);
    case '/fault/nobody': return globalThis.fault = setTimeout(fail, 1, 'nobody'), args[1].end();
    default: return emit.call(this, event, ...args);
  }
};
process.on('SIGUSR2', () => { throw new Error('FAULT signal'); });
`;

it('an uncaught error is logged, closes its own connection, and ends neither others nor the service', async () => {
  const [cwd, file] = [join(dir, 'cwd'), join(dir, 'lines.ndjson')];
  mkdirSync(cwd);
  writeFileSync(file, [...AREAS, building(1)].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const env = { DATABASE_URL: `file:${join(dir, 'registry.db')}`, ARCHIVE_DIR: join(dir, 'archive'), PORT: '0' };
  await runHere(env, 'ingest', 'records', file);
  const preload = `--import=data:text/javascript,${encodeURIComponent(FAULTS)}`;
  const place: Place = { cwd, env: { ...env, LOG_LEVEL: 'error', NODE_OPTIONS: preload } };
  const server = start(place, 'serve');
  try {
    const [, port = ''] = await server.says(/tatemono serves http:\S+:(\d+)\/japan\n/);

    // A connection that stays open meanwhile, with an incomplete request.
    const bystander = connect(Number(port), '127.0.0.1');
    bystander.write(`GET ${assetUrl(id(1))} HTTP/1.1\r\n`);
    for (const how of ['sync', 'timer', 'promise', 'value']) {
      await expect(ask(Number(port), { path: `/fault/${how}` }), how).rejects.toThrow(/hang up|ECONNRESET/);
      expect((await ask(Number(port), { path: assetUrl(id(1)) })).status).toBe(200);
    }
    expect((await ask(Number(port), { path: '/fault/nobody' })).status).toBe(200);
    await server.says(/FAULT nobody/);
    // An error outside any connection.
    server.child.kill('SIGUSR2');
    await server.says(/FAULT signal/);
    const answered = new Promise<string>((resolve) => bystander.once('data', (chunk) => resolve(String(chunk))));
    bystander.write('Host: localhost\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
    bystander.destroy();
  } finally {
    server.child.kill('SIGTERM');
  }
  const { code, stdout, stderr } = await server.ended;
  expect([code, stderr]).toEqual([0, '']);
  for (const how of ['sync', 'timer', 'promise', 'nobody', 'signal']) expect(stdout).toContain(`FAULT ${how}`);
  expect(stdout.match(/"msg":"uncaught error"/g)).toHaveLength(6);
});

it('an uncaught error still ends every other command', async () => {
  const preload = `--import=data:text/javascript,${encodeURIComponent("setTimeout(() => { throw new Error('FAULT'); }, 1)")}`;
  const cwd = mkdtempSync(join(dir, 'cwd-'));
  const env = {
    DATABASE_URL: `file:${join(dir, 'other.db')}`,
    ARCHIVE_DIR: join(dir, 'archive'),
    NODE_OPTIONS: preload,
  };
  const { code, stderr } = await start({ cwd, env }, 'status').ended;
  expect(code).toBe(1);
  expect(stderr).toContain('FAULT');
});
