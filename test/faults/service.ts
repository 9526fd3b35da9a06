import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { openRegistry } from '../../src/registry/registry.ts';
import { openReit } from '../../src/reit/life/reit.ts';
import { MCP_ROOT } from '../../src/surfaces/http/surface.ts';
import { start } from '../support/command.ts';
import { openContext, type TestDatabase } from '../support/engines.ts';
import { callOf, initialize, type McpSession, post } from '../support/mcp.ts';
import { id } from '../support/records.ts';
import { type Answer, assetUrl, uncheckedServerOn } from '../support/serving.ts';
import { ask } from '../support/wire.ts';
import { placeOf } from './commands.ts';

/** The service of `tatemono serve` in a process of its own. */
export interface Service {
  port: number;
  get(path: string): Promise<Answer>;
  isReady(): Promise<boolean>;
  /** Ends it as an operator does; returns its exit code and what it printed on standard error. */
  stop(): Promise<{ code: number | null; stderr: string }>;
  /** If the test has failed. */
  end(): void;
}

/** Long after every limit of the service: a request that still waits has failed. */
const ANSWER_MS = 60_000;

const UNLIMITED = { RATE_LIMIT_API: '1000000', RATE_LIMIT_PAGE: '1000000', RATE_LIMIT_MCP: '1000000' };

export async function startService(database: TestDatabase, settings: Record<string, string> = {}): Promise<Service> {
  const { cwd, env } = placeOf(database, { PORT: '0', LOG_LEVEL: 'fatal', ...UNLIMITED, ...settings });
  const running = start({ cwd, env }, 'serve');
  const end = () => void running.child.kill('SIGKILL');
  const [, text = ''] = await running.says(/tatemono serves http:\/\/127\.0\.0\.1:(\d+)\/japan/).catch((error) => {
    end();
    throw error;
  });
  const port = Number(text);
  const get = (path: string) => ask(port, { path, signal: AbortSignal.timeout(ANSWER_MS) });
  return {
    port,
    get,
    isReady: async () => (await get('/readyz')).status === 200,
    async stop() {
      running.child.kill('SIGTERM');
      const { code, stderr } = await running.ended;
      return { code, stderr };
    },
    end,
  };
}

/** The same in this process, which takes less time. */
export async function serveHere(database: TestDatabase): Promise<Service> {
  const { storage } = await openContext(database);
  const app = uncheckedServerOn(openRegistry(storage), undefined, { reit: openReit(storage) });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const get = (path: string) => ask(port, { path });
  return {
    port,
    get,
    isReady: async () => (await get('/readyz')).status === 200,
    async stop() {
      await app.close();
      await storage.close();
      return { code: 0, stderr: '' };
    },
    end() {},
  };
}

/** Waits until something is so, and fails long before the test would. */
export async function until(isSo: () => boolean | Promise<boolean>, patienceMs = 90_000): Promise<void> {
  const patience = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > patience) throw new Error(`it did not become so: ${isSo}`);
    await sleep(20);
  }
}

const API = '/japan/api/v1';
const PATHS = [
  assetUrl(id(2)),
  assetUrl(id(3), '/sources'),
  `${API}/assets?q=${encodeURIComponent('第2')}`,
  `${API}/assets?sort=height&view=summary`,
  `${API}/areas/tokyo/chiyoda-ku`,
  `${API}/match?name=${encodeURIComponent('第7ビル')}`,
  '/japan/tokyo/chiyoda-ku',
  '/japan/tokyo/chiyoda-ku.md',
  '/japan/areas.csv',
  '/japan/tiles/14/14552/6451',
  `/japan/suggest?q=${encodeURIComponent('丸の内')}`,
];

/** One answer under load: undefined if the connection broke. */
export interface Seen {
  path: string;
  status: number | undefined;
  headers: Answer['headers'];
  body: string;
  /** When it was asked, and how long it took, in milliseconds. */
  at: number;
  took: number;
}

/** Those with another status than expected, in short. */
export const unexpected = (seen: readonly Seen[], ...statuses: number[]): string[] =>
  seen.flatMap(({ path, status, body }) =>
    statuses.includes(status ?? 0) ? [] : [`${status} ${path}: ${body.slice(0, 200)}`],
  );

const LANES = 4;
const PAUSE_MS = 25;

/** Asks every surface in turn, over several connections, until it is stopped; one lane calls tools in one MCP session. */
export async function startLoad({ port }: Service) {
  const seen: Seen[] = [];
  let isStopped = false;
  onTestFinished(() => {
    isStopped = true;
  });
  const session = await initialize(port);
  const lane = async (first: number) => {
    for (let i = first; !isStopped; i += LANES) {
      const path = PATHS[i % PATHS.length] as string;
      const at = performance.now();
      const { status, headers, body } = await ask(port, { path, signal: AbortSignal.timeout(ANSWER_MS) }).catch(
        (error: Error) => broken(error),
      );
      seen.push({ path, status, headers, body, at, took: performance.now() - at });
      await sleep(PAUSE_MS);
    }
  };
  const mcpLane = async () => {
    while (!isStopped) {
      const at = performance.now();
      const { status, headers, body } = await callTool(port, session).catch((error: Error) => broken(error));
      seen.push({ path: MCP_ROOT, status, headers, body, at, took: performance.now() - at });
      await sleep(PAUSE_MS);
    }
  };
  const lanes = [...Array.from({ length: LANES }, (_, i) => lane(i)), mcpLane()];
  return {
    session,
    seen,
    /** Those that were asked at or after a moment. */
    since: (moment: number) => seen.filter(({ at }) => at >= moment),
    async stop() {
      isStopped = true;
      await Promise.all(lanes);
    },
  };
}

const broken = (error: Error) => ({ status: undefined, headers: {}, body: error.message });

/** A tool call that reads the database. */
export const callTool = (port: number, session: McpSession): Promise<Answer> =>
  post(port, callOf('get_asset', { id: id(2) }), session.headers, { signal: AbortSignal.timeout(ANSWER_MS) });

/** Whether a tool call gave a building, rather than saying that it could not. */
export function isToolAnswer({ status, body }: Pick<Seen, 'status' | 'body'>): boolean {
  return (
    status === 200 &&
    (JSON.parse(body) as { result?: { structuredContent?: unknown } }).result?.structuredContent !== undefined
  );
}
