import type { FastifyReply } from 'fastify';
import { drain } from '../drain.ts';
import { sendProblem } from '../problem.ts';
import { RPC, sendRpcError } from '../rpc-error.ts';
import type { LimitedSurface } from './rate-store.ts';

/** RATE-02, RATE-03, RATE-04: over the limit, said in the way of each surface. */
export function reject(reply: FastifyReply, surface: LimitedSurface, limit: number, seconds: number): FastifyReply {
  const allowance = `the ${surface} surface allows ${limit} requests per minute; retry in ${seconds} seconds`;
  reply.header('retry-after', String(seconds));
  switch (surface) {
    case 'api':
      return sendProblem(reply, 429, allowance);
    case 'page':
      drain(reply);
      return reply
        .code(429)
        .header('content-type', 'text/markdown; charset=utf-8')
        .send(`# 429 Too Many Requests\n\nT${allowance.slice(1)}.\n`);
    case 'mcp':
      return sendRpcError(reply, 429, RPC.refused, allowance);
  }
}
