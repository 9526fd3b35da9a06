import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FinishedResponse, tagOf } from '../../registry/records.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { type Kind, NO_STORE, REVALIDATE, sendFinished, sendOnce } from '../http/send-finished.ts';
import { type Page, renderPage } from './layout.ts';
import { contentSecurityPolicy, type PageSettings } from './page-settings.ts';

/** What every page is answered with. */
export interface PageContext {
  registry: Registry;
  reit: Reit;
  settingsOf: (request: FastifyRequest) => PageSettings;
}

const HTML: Kind = { type: 'text/html; charset=utf-8', caching: REVALIDATE };
const MARKDOWN: Kind = { type: 'text/markdown; charset=utf-8', caching: REVALIDATE };
/** MD-03 */
const NEGOTIATED = 'Accept, Accept-Encoding';

export function toFinished(text: string): FinishedResponse {
  const body = Buffer.from(text);
  return { etag: `"${tagOf(body)}"`, body };
}

/** A page that has no twin. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, setting: PageSettings) {
  reply.header('content-security-policy', contentSecurityPolicy(setting.baseMap));
  return sendFinished(request, reply, toFinished(renderPage(page, setting)), HTML);
}

/** A page that is sent as HTML or Markdown, as the client would have it. */
export function sendNegotiated(request: FastifyRequest, reply: FastifyReply, page: PageBody, setting: PageSettings) {
  reply.header('content-security-policy', contentSecurityPolicy(setting.baseMap));
  return sendAs(request, reply, page, HTML);
}

export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, text: PageBody, canonical: string) {
  reply.header('link', `<${canonical}>; rel="canonical"`);
  return sendAs(request, reply, text, MARKDOWN);
}

/** A page, or one without a tag: that is for nobody to keep (REIT-05). */
export type PageBody = FinishedResponse | { body: Uint8Array };

function sendAs(request: FastifyRequest, reply: FastifyReply, page: PageBody, kind: Kind) {
  if ('etag' in page) return sendFinished(request, reply, page, { ...kind, vary: NEGOTIATED });
  return sendOnce(request, reply, page.body, undefined, { ...kind, caching: NO_STORE, vary: NEGOTIATED });
}
