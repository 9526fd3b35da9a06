import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiProblem } from '../../vocabulary/building-page.ts';
import { sendRefusal } from '../pages/refusal.ts';
import { drain } from './drain.ts';
import { RPC, sendRpcError } from './rpc-error.ts';

/** API-04: every error of the REST API has this body. */
export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  drain(reply);
  const problem: ApiProblem = { status, title: STATUS_CODES[status] ?? 'Error', detail };
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem));
}

export const NO_ENDPOINT = 'path: there is no such endpoint';

/** What is refused or fails whatever surface is asked, said in the way of that one. */
export function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
  switch (reply.request.surface) {
    case 'mcp':
      return sendRpcError(reply, status, status < 500 ? RPC.invalidRequest : RPC.fault, detail);
    case 'page':
      drain(reply);
      return sendRefusal(reply, status, detail);
    default:
      if (status !== 404 || !readsPages(reply.request)) return sendProblem(reply, status, detail);
      drain(reply);
      return sendRefusal(reply, status, detail);
  }
}

/** How long a client waits that found too many long answers under way. */
export const BUSY_SECONDS = 5;

export function refuseBusy(reply: FastifyReply): FastifyReply {
  const detail = `too many long answers are being sent; retry in ${BUSY_SECONDS} seconds`;
  return refuse(reply.header('retry-after', String(BUSY_SECONDS)), 503, detail);
}

/** Whether somebody who went wrong outside every surface would read a page, or Markdown. */
function readsPages({ headers, raw }: FastifyRequest): boolean {
  return /\btext\/(html|markdown)\b/i.test(headers.accept ?? '') || /\.md(\?|$)/.test(raw.url ?? '');
}
