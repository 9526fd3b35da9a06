/**
 * A process of clients that want to keep a service from answering others: `hostile.ts <kind> <port> <paths as JSON>`. They come
 * from an address of their own, and stop when the process is ended.
 */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { API_ROOT, MCP_ROOT } from '../../src/surfaces/http/surface.ts';

const ADDRESS = '127.0.0.2';
const CONNECTIONS = 200;
const IDLE_CONNECTIONS = 3_000;
const PIPELINED = 500;
const AT_ONCE = 64;
const REOPEN_MS = 500;

type Kind = (port: number, largest: readonly string[]) => void;

/** A connection that is opened again after a moment when the service closes it. */
function keepOpen(port: number, use: (socket: Socket) => void): void {
  const socket = connect({ host: '127.0.0.1', port, localAddress: ADDRESS });
  socket.once('connect', () => use(socket)).on('error', () => {});
  socket.once('close', () => setTimeout(() => keepOpen(port, use), REOPEN_MS));
}

const repeat = (count: number, open: () => void) => {
  for (let i = 0; i < count; i++) setTimeout(open, i / 2);
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const sendSlowly = (socket: Socket, head: string, rest: string) => {
  socket.write(head);
  let sent = 0;
  const timer = setInterval(() => socket.write(rest[sent++ % rest.length] as string), 1_000);
  socket.once('close', () => clearInterval(timer)).resume();
};

export const KINDS: Readonly<Record<string, Kind>> = {
  /** Large answers are asked for, many on each connection, and never read. */
  'read nothing': (port, largest) => {
    const requests = largest
      .map(get)
      .join('')
      .repeat(Math.ceil(PIPELINED / largest.length));
    repeat(CONNECTIONS, () =>
      keepOpen(port, (socket) => {
        socket.pause();
        socket.write(requests);
      }),
    );
  },
  'send a byte a second': (port) => {
    const head = get(`${API_ROOT}/assets`).slice(0, 30);
    const mcp = `POST ${MCP_ROOT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 500\r\n\r\n{`;
    repeat(CONNECTIONS / 2, () => keepOpen(port, (socket) => sendSlowly(socket, head, 'x')));
    repeat(CONNECTIONS / 2, () => keepOpen(port, (socket) => sendSlowly(socket, mcp, ' ')));
  },
  'open thousands of connections': (port) => {
    repeat(IDLE_CONNECTIONS, () => keepOpen(port, (socket) => socket.resume()));
  },
  'ask for the largest things': (port, largest) => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    let turn = 0;
    const ask = () => {
      const path = largest[turn++ % largest.length] as string;
      const again = () => setImmediate(ask);
      const asked = request({ host: '127.0.0.1', port, path, agent, localAddress: ADDRESS }, (response) => {
        response.resume().once('close', again);
      });
      asked.once('error', () => setTimeout(ask, 100)).end();
    };
    for (let i = 0; i < AT_ONCE; i++) ask();
  },
};

if (process.argv[1] === import.meta.filename) {
  const [kind = '', port, largest = '[]'] = process.argv.slice(2);
  KINDS[kind]?.(Number(port), JSON.parse(largest) as string[]);
}
