import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { NO_ENDPOINT, sendProblem } from './problem.ts';

/** What a request can be refused for before there is an endpoint to ask: all of it in the one error shape (API-04). */
export function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return sendProblem(reply, 400, 'the Host header is missing');
    }
    // Answered here, so that the body of a request that leads nowhere is not looked at.
    if (request.is404) return sendProblem(reply, 404, NO_ENDPOINT);
  });
  app.server.on('checkExpectation', (_request, response) => {
    const { head, body } = rawProblem(417, 'the Expect header asks for what the service does not know');
    response.writeHead(417, head).end(body);
  });
}

/** Bytes that are no HTTP, or too much of it. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: NodeJS.WritableStream): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const { head, body } = rawProblem(status, 'the request cannot be read');
  const lines = Object.entries({ ...head, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function rawProblem(status: number, detail: string) {
  const body = JSON.stringify({ status, title: STATUS_CODES[status], detail });
  return { body, head: { 'content-type': 'application/problem+json; charset=utf-8', 'content-length': body.length } };
}
