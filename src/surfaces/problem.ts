import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ApiProblem } from '../vocabulary/building-page.ts';

/** API-04: every error of the REST API has this body. */
export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const problem: ApiProblem = { status, title: STATUS_CODES[status] ?? 'Error', detail };
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem));
}

export const NO_ENDPOINT = 'path: there is no such endpoint';
