import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { silent } from '../../src/pipeline/context.ts';
import { ingest } from '../../src/pipeline/run.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openDatabaseReads, openStorage } from '../../src/storage/open-storage.ts';
import { buildServer } from '../../src/surfaces/server.ts';
import { AREAS, building, id, record } from '../support/records.ts';
import { MARK } from './mutate.ts';
import { fault, show } from './target.ts';

export const OWNER = '若葉不動産';
const LINES = [
  ...AREAS,
  ...[1, 2, 3, 4, 5, 6].map((n) => building(n, { nameEn: `Building ${n}`, assetTypes: ['office'], floorsAbove: n })),
  record('jreit', 'j1', { ownerPublic: OWNER, addressJa: '東京都千代田区丸の内1丁目9番2号' }, { building: id(1) }),
  { kind: 'merge', from: id(5), into: id(4), reason: 'one building' },
];

export interface FuzzedService {
  app: FastifyInstance;
  port: number;
  /** Throws if the log has an error, the marker or the address of a client. */
  checkLog(): void;
  close(): Promise<void>;
}

/** A small registry and its server, with short timeouts. The database is read-only, as in `tatemono serve`. */
export async function openService(): Promise<FuzzedService> {
  const dir = mkdtempSync(join(tmpdir(), 'tatemono-fuzz-'));
  const databaseUrl = `file:${join(dir, 'registry.db')}`;
  const storage = openStorage(databaseUrl, () => {});
  await migrate(storage);
  const file = join(dir, 'lines.ndjson');
  writeFileSync(file, LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const now = () => '2026-01-01T00:00:00Z';
  await ingest({ storage, databaseUrl, archiveDir: join(dir, 'archive'), now, report: silent }, 'records', [file]);
  await storage.close();
  const reads = openDatabaseReads(databaseUrl, () => {});
  const log: string[] = [];
  const app = buildServer({
    registry: openRegistry(reads),
    reit: openReit(reads),
    isReady: async () => true,
    logLevel: 'info',
    logTo: { write: (line) => void log.push(line) },
    trustProxy: true,
    baseUrl: undefined,
    rateLimit: { api: 0, page: 0, mcp: 0 },
    timeouts: { headers: 300, request: 300, keepAlive: 300, check: 50 },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  log.length = 0;
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    checkLog() {
      for (const line of log.splice(0)) {
        const { level } = JSON.parse(line) as { level: number };
        if (level >= 50) fault(`an error in the log: ${line}`);
        if (line.includes(MARK) || line.includes('203.0.113.')) fault(`input or an address in the log: ${line}`);
      }
    },
    async close() {
      await app.close();
      await reads.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** FUZ-01, FUZ-02: what holds for every response. */
export function expectHarmless(status: number, head: string, body: string, request: string | Buffer): void {
  if (status >= 500 && !(status === 503 && /^retry-after: \d+/im.test(head)))
    fault(`status ${status}: ${body.slice(0, 300)}: ${show(request)}`);
  // A redirect repeats the query of the request, percent-encoded.
  const headers = head.replace(/^location: .*$/gim, '');
  if (headers.includes(MARK)) fault(`the input is echoed in a header: ${show(head)}: ${show(request)}`);
  if (status < 400) return;
  if (body.includes(MARK)) fault(`the input is echoed in a body: ${show(body)}: ${show(request)}`);
  if (/node_modules|node:internal|\.[jt]s:\d|SQLITE|at Object\./.test(body))
    fault(`internals in a body: ${show(body)}`);
}
