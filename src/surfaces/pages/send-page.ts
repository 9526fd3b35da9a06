import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FinishedResponse, tagOf } from '../../registry/records.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { NO_STORE, REVALIDATE, type Representation, sendFinished, sendOnce } from '../http/send-finished.ts';
import { type Page, renderPage } from './layout.ts';
import { contentSecurityPolicy, type PageSettings } from './page-settings.ts';

/** What every page handler needs. */
export interface PageContext {
  registry: Registry;
  reit: Reit;
  settingsOf: (request: FastifyRequest) => PageSettings;
}

const HTML: Representation = { type: 'text/html; charset=utf-8', caching: REVALIDATE };
const MARKDOWN: Representation = { type: 'text/markdown; charset=utf-8', caching: REVALIDATE };
/** MD-03: pages with a Markdown twin vary by Accept. */
const NEGOTIATED = 'Accept, Accept-Encoding';

export function toFinished(text: string): FinishedResponse {
  const body = Buffer.from(text);
  return { etag: `"${tagOf(body)}"`, body };
}

/** Sends a page without a Markdown twin. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, settings: PageSettings) {
  reply.header('content-security-policy', contentSecurityPolicy(settings.baseMap));
  return sendFinished(request, reply, toFinished(renderPage(page, settings)), HTML);
}

/** Sends the HTML of a page that has a Markdown twin. */
export function sendNegotiated(request: FastifyRequest, reply: FastifyReply, page: PageBody, settings: PageSettings) {
  reply.header('content-security-policy', contentSecurityPolicy(settings.baseMap));
  return sendAs(request, reply, page, HTML);
}

export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, text: PageBody, canonical: string) {
  reply.header('link', `<${canonical}>; rel="canonical"`);
  return sendAs(request, reply, text, MARKDOWN);
}

/** A page without an ETag must not be stored (REIT-05). */
export type PageBody = FinishedResponse | { body: Uint8Array };

function sendAs(request: FastifyRequest, reply: FastifyReply, page: PageBody, kind: Representation) {
  if ('etag' in page) return sendFinished(request, reply, page, { ...kind, vary: NEGOTIATED });
  return sendOnce(request, reply, page.body, undefined, { ...kind, caching: NO_STORE, vary: NEGOTIATED });
}
