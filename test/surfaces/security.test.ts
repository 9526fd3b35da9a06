import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { auditPage } from '../../src/cli/audit-html.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { openDatabaseReads } from '../../src/storage/open-storage.ts';
import { openStandbys } from '../../src/storage/standbys.ts';
import { contentSecurityPolicy } from '../../src/surfaces/pages/page-settings.ts';
import type { ServerOptions } from '../../src/surfaces/server.ts';
import { runHere } from '../support/command.ts';
import { onSqlite } from '../support/engines.ts';
import { HUBS, openPageTown, TOWN } from '../support/page-town.ts';
import { assetUrl, emptyRegistry, faultyRegistry, uncheckedServerOn } from '../support/serving.ts';

const [, , prefecture = '', ward = '', machiAza = ''] = HUBS.machiAza.split('/');
const VALUES: Readonly<Record<string, string>> = {
  ...{ prefecture, ward, machiAza, id: TOWN.everything, name: 'x', operation: 'getAsset', z: '0', x: '0', y: '0' },
};

/** Every path of docs/reference/endpoints.md, which another test keeps complete. */
function documentedPaths(): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/reference/endpoints.md'), 'utf8');
  const paths = [...text.matchAll(/`(\/[^`\s]*)`/g)].map(([, path = '']) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? 'x'),
  );
  return [...new Set(paths)];
}

onSqlite('the policy for browsers', (fresh) => {
  it('SEC-01 allows nothing unsafe on any path, in any form, also if the request is refused', async () => {
    const town = await openPageTown(await fresh());
    onTestFinished(() => town.close());
    const paths = documentedPaths();
    expect(paths.length).toBeGreaterThan(40);
    const forms = ['text/html', 'text/markdown', '*/*'].map((accept) => ({ accept }));
    for (const path of [...paths, '/japan/nowhere', '/japan/%zz', '/nowhere', `/japan/id/${TOWN.retired}`]) {
      for (const method of ['GET', 'POST'] as const) {
        for (const headers of forms) {
          const answer = await town.app.inject({ method, url: path, headers });
          const policy = String(answer.headers['content-security-policy']);
          expect(policy, path).toMatch(/default-src 'none'/);
          expect(policy, path).not.toMatch(/unsafe|\*|data:(?!\s+blob:)/);
          expect(answer.headers['x-content-type-options'], path).toBe('nosniff');
        }
      }
    }
  });
});

it('SEC-01 the page of an audit allows its own style only, and the base map adds one origin', () => {
  const audit = { audited: [], seed: 'x', looked: 0, published: 0 } as unknown as Parameters<typeof auditPage>[0];
  expect(auditPage(audit, '2026-01-01')).toMatch(
    /Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]{44}'">/,
  );
  const baseMap = { url: 'https://maps.example/{z}/{x}/{y}.png', attribution: 'x' };
  expect(contentSecurityPolicy(baseMap)).not.toMatch(/unsafe|\*/);
});

const PASSWORD = 'SECRET-of-the-database';
const CLIENT = '203.0.113.9';

/** Sends requests of every surface, as a client behind a proxy, and returns what was answered and logged. */
async function everythingSaid(
  registry: ServerOptions['registry'],
  options: Partial<ServerOptions> = {},
): Promise<string> {
  const lines: string[] = [];
  const app: FastifyInstance = uncheckedServerOn(registry, options.isReady, {
    ...{ logLevel: 'trace', logTo: { write: (line: string) => lines.push(line) }, trustProxy: true, ...options },
  });
  onTestFinished(() => app.close());
  const said: string[] = [];
  const mcp = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_asset', arguments: { id: TOWN.everything } },
  };
  const headers = {
    'x-forwarded-for': `${CLIENT}, 198.51.100.3`,
    forwarded: `for=${CLIENT}`,
    'content-type': 'application/json',
  };
  const requests = [
    assetUrl(TOWN.everything),
    '/japan/api/v1/assets?q=x',
    '/japan',
    '/japan/areas?q=x',
    '/readyz',
    '/japan/%zz',
    '/metrics',
  ];
  for (const url of requests) {
    const { statusCode, headers: sent, body } = await app.inject({ url, headers, remoteAddress: CLIENT });
    said.push(`${statusCode} ${JSON.stringify(sent)} ${body}`);
  }
  const { body } = await app.inject({
    method: 'POST',
    url: '/japan/mcp',
    headers,
    payload: mcp,
    remoteAddress: CLIENT,
  });
  return [...said, body, ...lines].join('\n');
}

it('SEC-03 neither the log nor a response has the address of a client, whatever happens', async () => {
  const inFull = await everythingSaid(faultyRegistry(new Error('a fault')));
  expect(inFull).toContain('a fault');
  for (const said of [inFull, await everythingSaid(emptyRegistry, { rateLimit: { api: 1, page: 1, mcp: 1 } })]) {
    expect(said).not.toMatch(/203\.0\.113|198\.51\.100/);
  }
});

/** A server that takes a connection and breaks it, or that is not there. */
async function brokenServer(isThere: boolean): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('E\0\0\0\x1aSFATAL\0C28P01\0Mwrong\0\0', 'latin1'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (isThere) onTestFinished(() => void server.close());
  else await new Promise((resolve) => server.close(resolve));
  return `postgres://reader:${PASSWORD}@127.0.0.1:${port}/registry`;
}

it.each([true, false])(
  'SEC-02 the password of a database is in no log and no response (it answers: %s)',
  async (isThere) => {
    const url = await brokenServer(isThere);
    const idle: string[] = [];
    const reads = openDatabaseReads(url, (error) => idle.push(String(error.stack)));
    const standbys = openStandbys(url, [url], (line) => idle.push(line), { connectMs: 200, answerMs: 100 });
    onTestFinished(() => standbys.close());
    for (const storage of [reads, standbys]) {
      const said = await everythingSaid(openRegistry(storage), {
        reit: openReit(storage),
        isReady: async () => (await storage.db.selectFrom('page').select('etag').execute()).length > 0,
      });
      expect(said).toMatch(/a request failed|requests cannot be answered now/);
      expect(said).not.toContain(PASSWORD);
    }
    expect(idle.join()).not.toContain(PASSWORD);
    for (const args of [['status'], ['serve'], ['unmatched'], ['work'], ['backup', '/nowhere/x.db']]) {
      const { code, stdout, stderr } = await runHere({ DATABASE_URL: url, PORT: '0' }, ...args);
      expect(code, args.join(' ')).not.toBe(0);
      expect(stdout + stderr, args.join(' ')).not.toContain(PASSWORD);
    }
  },
);

it.each([
  `postgres://reader:${PASSWORD}@127.0.0.1:99999/registry`,
  `postgres://reader:${PASSWORD}@`,
  `mysql://reader:${PASSWORD}@127.0.0.1/registry`,
  `reader:${PASSWORD}`,
])('SEC-02 a setting that is refused is not repeated: %#', async (value) => {
  for (const env of [{ DATABASE_URL: value }, { DATABASE_URL: 'postgres://a@b/c', DATABASE_READ_URLS: value }]) {
    const { stdout, stderr } = await runHere({ ...env, PORT: '0' } as Record<string, string>, 'status', '--x');
    expect(stdout + stderr).not.toContain(PASSWORD);
  }
});
