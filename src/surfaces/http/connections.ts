import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const connections = new AsyncLocalStorage<Socket>();

/** The response to the newest request of each connection. */
const newest = new WeakMap<Socket, ServerResponse>();

/** Keeps track of which connection code runs for, and of which response each connection sends last. */
export function trackConnections({ server }: FastifyInstance): void {
  // Ahead of Node's own listener: the parser of the connection takes over the context that it is made in.
  server.prependListener('connection', (socket: Socket) => connections.enterWith(socket));
  const track = (request: IncomingMessage, response: ServerResponse) => void newest.set(request.socket, response);
  server.prependListener('request', track);
  server.prependListener('checkExpectation', track);
}

/** The connection that the running code works for, where it works for one. */
export const currentConnection = (): Socket | undefined => connections.getStore();

export const newestResponse = (socket: Socket): ServerResponse | undefined => newest.get(socket);

/** Does the work once every request of the connection is answered: pipelined requests are answered in order. */
export function afterResponses(socket: Socket, work: () => void): void {
  const response = newest.get(socket);
  if (response === undefined || response.closed) work();
  else response.once('close', work);
}
