import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const WATCH_MS = 100;

interface Backend {
  port: number;
  isReady: boolean;
  agent: Agent;
}

export interface Proxy {
  port: number;
  /** What could not be passed on. */
  failures: string[];
  close(): Promise<void>;
}

/**
 * A balancer that sends each request to the next service that is ready, as /readyz says, and never sends one twice. Requests of
 * an MCP session go to the service that opened it, as long as that is ready.
 */
export async function startProxy(ports: readonly number[]): Promise<Proxy> {
  const backends = ports.map((port): Backend => ({ port, isReady: true, agent: new Agent({ keepAlive: true }) }));
  const sessions = new Map<string, Backend>();
  const failures: string[] = [];
  let turn = 0;

  const choose = (asked: IncomingMessage): Backend => {
    const known = sessions.get(String(asked.headers['mcp-session-id']));
    if (known?.isReady) return known;
    for (let i = 0; i < backends.length; i++) {
      turn = (turn + 1) % backends.length;
      if (backends[turn]?.isReady) break;
    }
    return backends[turn] as Backend;
  };

  const pass = (asked: IncomingMessage, response: ServerResponse) => {
    const backend = choose(asked);
    const { method, url: path, headers } = asked;
    const fail = (error: Error) => {
      failures.push(`${method} ${path} of ${backend.port}: ${error.message}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    const passed = request({
      host: '127.0.0.1',
      ...{ port: backend.port, agent: backend.agent, method, path, headers },
    });
    passed.once('error', fail).once('response', (answer) => {
      const session = answer.headers['mcp-session-id'];
      if (typeof session === 'string') sessions.set(session, backend);
      const { connection: _connection, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.once('error', fail).pipe(response);
    });
    asked.pipe(passed);
  };

  const watch = setInterval(() => {
    for (const backend of backends) {
      const asked = request({ host: '127.0.0.1', port: backend.port, path: '/readyz', agent: false }, (answer) => {
        answer.resume();
        backend.isReady = answer.statusCode === 200;
      });
      asked.on('error', () => {
        backend.isReady = false;
      });
      asked.end();
    }
  }, WATCH_MS);

  const server = createServer({ keepAliveTimeout: 60_000 }, pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    failures,
    async close() {
      clearInterval(watch);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const { agent } of backends) agent.destroy();
    },
  };
}
