import type { FastifyReply } from 'fastify';

/** For how long a client may go on sending what is not read. */
const LONGEST_MS = 10_000;

/**
 * RATE-06, MCP-08: to be called before an answer that may go out while its request is still coming. Closing the
 * connection then would reach the client as a broken pipe instead of the answer, so what it sends is thrown away
 * first, and only then a connection closed that was to be.
 */
export function drain(reply: FastifyReply): void {
  const { raw: response } = reply;
  const { raw: request } = reply.request;
  if (request.complete || !hasBody(request.headers)) return;
  const closes = !response.shouldKeepAlive;
  if (closes) reply.header('connection', 'keep-alive');
  const late = setTimeout(() => request.destroy(), LONGEST_MS).unref();
  request.once('close', () => clearTimeout(late));
  if (closes) request.once('end', () => request.socket.end());
  request.resume();
}

function hasBody(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
