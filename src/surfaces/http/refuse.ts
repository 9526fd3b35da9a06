import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ApiProblem } from '../../vocabulary/building-page.ts';
import { isOpenService, type Surface } from './surface.ts';

export const NO_ENDPOINT = 'path: there is no such endpoint';
export const UNDECODABLE_PATH = 'path parameters: a percent-escape cannot be decoded';
export const SERVER_FAULT = 'the service failed to answer; the error has been logged';

/** A refused request, as far as it could be read. */
interface RefusedRequest {
  target: string;
  accept: string | undefined;
  cookie: string | undefined;
  acceptLanguage: string | undefined;
}

/** A request of which only the target could be read. */
export const targetOnly = (target: string): RefusedRequest => ({
  target,
  accept: undefined,
  cookie: undefined,
  acceptLanguage: undefined,
});

/** The headers and the body with which a surface refuses a request (API-04). */
export type RefusalForm = (
  status: number,
  detail: string,
  request: RefusedRequest,
) => { headers: Readonly<Record<string, string>>; body: string };

type RefusalForms = Readonly<Record<Exclude<Surface, 'other'>, RefusalForm>>;

declare module 'fastify' {
  interface FastifyInstance {
    refusalForms: RefusalForms;
  }
}

/** Each surface supplies its own form, so that shared code does not depend on a surface. */
export function useRefusalForms(app: FastifyInstance, forms: RefusalForms): void {
  app.decorate('refusalForms', forms);
}

/**
 * Outside every surface refusals are JSON, except that a client that reads pages gets a page for a 404. RCN-10, OGC-02:
 * those of the services for programs are JSON too, but a page for a browser.
 */
export function formOf(forms: RefusalForms, surface: Surface, status: number, request: RefusedRequest): RefusalForm {
  if (surface === 'page' && isOpenService(request.target) && !readsPages(request)) return forms.api;
  if (surface !== 'other') return forms[surface];
  return status === 404 && readsPages(request) ? forms.page : forms.api;
}

function readsPages({ target, accept = '' }: RefusedRequest): boolean {
  return /\btext\/(html|markdown)\b/i.test(accept) || /\.md(\?|$)/.test(target);
}

/** API-04: every error of the REST API has this body. */
export const problemForm: RefusalForm = (status, detail) => {
  const problem: ApiProblem = { status, title: STATUS_CODES[status] ?? 'Error', detail };
  return { headers: { 'content-type': 'application/problem+json; charset=utf-8' }, body: JSON.stringify(problem) };
};

export function sendProblem(reply: FastifyReply, status: number, detail: string): FastifyReply {
  drain(reply);
  const { headers, body } = problemForm(status, detail, targetOnly(''));
  return reply.code(status).headers(headers).send(body);
}

/** Refuses a request in the form of its surface. */
export function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
  drain(reply);
  const { surface, headers, raw } = reply.request;
  const request = {
    target: raw.url ?? '',
    accept: headers.accept,
    cookie: headers.cookie,
    acceptLanguage: headers['accept-language'],
  };
  const refusal = formOf(reply.server.refusalForms, surface, status, request)(status, detail, request);
  return reply.code(status).headers(refusal.headers).send(refusal.body);
}

/** After how long a client may retry if too many long responses are being sent. */
export const BUSY_SECONDS = 5;
export const BUSY = `too many long answers are being sent; retry in ${BUSY_SECONDS} seconds`;

export function refuseBusy(reply: FastifyReply): FastifyReply {
  return refuse(reply.header('retry-after', String(BUSY_SECONDS)), 503, BUSY);
}

/** How long a client may go on sending a body that is not read. */
const MAX_DRAIN_MS = 10_000;

/**
 * RATE-06, MCP-08: call it before a response that may be sent while its request is still arriving. If the connection were
 * closed then, the client would see a broken pipe instead of the response. So the rest of the body is discarded
 * first, and a connection that was to be closed is closed after that.
 */
export function drain(reply: FastifyReply): void {
  const { raw: response } = reply;
  const { raw: request } = reply.request;
  if (request.complete || !hasBody(request.headers)) return;
  const closes = !response.shouldKeepAlive;
  if (closes) reply.header('connection', 'keep-alive');
  const late = setTimeout(() => request.destroy(), MAX_DRAIN_MS).unref();
  request.once('close', () => clearTimeout(late));
  if (closes) request.once('end', () => request.socket.end());
  request.resume();
}

function hasBody(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
