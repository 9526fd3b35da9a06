import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** PIP-02: requests of a connection that may wait for the answers before them. */
const MAX_WAITING = 256;

/** The requests of one connection. */
interface Line {
  /** The response to the newest request. */
  newest: ServerResponse;
  waiting: number;
  /** It gets no further answers. */
  isFull: boolean;
}

const lines = new WeakMap<Socket, Line>();

/** The response to the newest request of a connection. */
export const newestResponse = (socket: Socket): ServerResponse | undefined => lines.get(socket)?.newest;

/** Whether a request of the connection is not answered yet. */
export function isAnswering(socket: Socket): boolean {
  const newest = newestResponse(socket);
  return newest !== undefined && !newest.closed;
}

/**
 * PIP-01: answers the requests of a connection one after the other. Node hands over all that have arrived, hundreds in one
 * packet, whether or not their client reads the answers. Here the next one is begun when the system has taken the whole
 * answer to the one before, so that a client that reads nothing is soon no longer served. `onRequest` is called as each
 * arrives.
 */
export function answerInOrder(
  app: FastifyInstance,
  onRequest: (response: ServerResponse, before: ServerResponse | undefined) => void,
): void {
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined || line.newest.closed) {
      lines.set(socket, { newest: response, waiting: 0, isFull: false });
      onRequest(response, undefined);
      app.routing(request, response);
    } else if (!line.isFull) wait(line, request, response);
  };
  const wait = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const before = line.newest;
    if (line.waiting === MAX_WAITING) {
      // The answer to the last request that may wait closes the connection.
      line.isFull = true;
      before.shouldKeepAlive = false;
      socket.pause();
      return;
    }
    onRequest(response, before);
    line.newest = response;
    line.waiting += 1;
    before.once('close', () => {
      line.waiting -= 1;
      if (socket.writable) app.routing(request, response);
    });
  };
  const { server } = app;
  server.removeAllListeners('request').on('request', take);
  server.on('checkExpectation', take);
}
