import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ApiProblem } from '../../vocabulary/building-page.ts';
import { drain } from './drain.ts';
import { formOf, type RefusalForm } from './refusal-form.ts';

/** API-04: every error of the REST API has this body. */
export const problemForm: RefusalForm = (status, detail) => {
  const problem: ApiProblem = { status, title: STATUS_CODES[status] ?? 'Error', detail };
  return { headers: { 'content-type': 'application/problem+json; charset=utf-8' }, body: JSON.stringify(problem) };
};

export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  drain(reply);
  const { headers, body } = problemForm(status, detail, { target: '', accept: undefined });
  return reply.code(status).headers(headers).send(body);
}

export const NO_ENDPOINT = 'path: there is no such endpoint';
export const UNDECODABLE_PATH = 'path parameters: a percent-escape cannot be decoded';
export const SERVER_FAULT = 'the service failed to answer; the error has been logged';

/** Refuses a request in the form of the surface it was sent to. */
export function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
  drain(reply);
  const { surface, headers, raw } = reply.request;
  const asked = { target: raw.url ?? '', accept: headers.accept };
  const refusal = formOf(reply.server.refusalForms, surface, status, asked)(status, detail, asked);
  return reply.code(status).headers(refusal.headers).send(refusal.body);
}

/** After how long a client may retry if too many long responses are being sent. */
export const BUSY_SECONDS = 5;
export const BUSY = `too many long answers are being sent; retry in ${BUSY_SECONDS} seconds`;

export function refuseBusy(reply: FastifyReply): FastifyReply {
  return refuse(reply.header('retry-after', String(BUSY_SECONDS)), 503, BUSY);
}
