import type { FastifyReply } from 'fastify';
import { sendProblem } from '../problem.ts';
import type { LimitedSurface } from './rate-store.ts';

/** RATE-02, RATE-03, RATE-04: over the limit, said in the way of each surface. */
export function reject(reply: FastifyReply, surface: LimitedSurface, limit: number, seconds: number): FastifyReply {
  const allowance = `the ${surface} surface allows ${limit} requests per minute; retry in ${seconds} seconds`;
  reply.header('retry-after', String(seconds));
  switch (surface) {
    case 'api':
      return sendProblem(reply, 429, allowance);
    case 'page':
      return reply
        .code(429)
        .header('content-type', 'text/markdown; charset=utf-8')
        .send(`# 429 Too Many Requests\n\nT${allowance.slice(1)}.\n`);
    case 'mcp':
      return reply
        .code(429)
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: allowance } }));
  }
}
