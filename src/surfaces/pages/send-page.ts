import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FinishedResponse, tagOf } from '../../registry/records.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Reit } from '../../reit/life/reit.ts';
import { encodeText } from '../../vocabulary/encode-text.ts';
import {
  NO_STORE,
  REVALIDATE,
  type Representation,
  sendFinished,
  sendOnce,
  varyByHost,
} from '../http/send-finished.ts';
import { languageOf } from './language.ts';
import { type Page, renderPage } from './layout.ts';
import { contentSecurityPolicy, type PageSettings } from './page-settings.ts';

/** What every page handler needs. */
export interface PageContext {
  registry: Registry;
  reit: Reit;
  settingsOf: (request: FastifyRequest) => Promise<PageSettings>;
  /** How long a client may read nothing of a streamed response. */
  stallMs: number;
}

const HTML: Representation = { type: 'text/html; charset=utf-8', caching: REVALIDATE };
const MARKDOWN: Representation = { type: 'text/markdown; charset=utf-8', caching: REVALIDATE };

/** MD-03, UI-05: pages with a Markdown twin vary by Accept, and pages whose address names no language by what chose it. */
function varyOf(request: FastifyRequest, isNegotiated: boolean): string {
  const headers = isNegotiated ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
  return languageOf(request).isInUrl ? headers : `${headers}, Accept-Language, Cookie`;
}

export function toFinished(text: string): FinishedResponse {
  const body = encodeText(text);
  return { etag: `"${tagOf(body)}"`, body };
}

/** Sends a page without a Markdown twin. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, settings: PageSettings) {
  reply
    .header('content-security-policy', contentSecurityPolicy(settings.baseMap))
    .header('content-language', settings.t.lang);
  const finished = toFinished(renderPage(page, settings));
  const kind = { ...HTML, vary: varyOf(request, false) };
  if (page.isUnstored) return sendOnce(request, reply, finished.body, undefined, { ...kind, caching: NO_STORE });
  return sendFinished(request, reply, finished, kind);
}

/** Sends the HTML of a page that has a Markdown twin. */
export function sendNegotiated(request: FastifyRequest, reply: FastifyReply, page: PageBody, settings: PageSettings) {
  reply.header('content-security-policy', contentSecurityPolicy(settings.baseMap));
  return sendAs(request, reply, page, HTML);
}

/** UI-10: a Markdown twin with the note about the sample below its heading. */
export function withSampleNote(markdown: string, { hasSample, t }: PageSettings): string {
  if (!hasSample) return markdown;
  return markdown.replace('\n\n', `\n\n> **${t.layout.sampleTitle}**${t.layout.colon}${t.layout.sample}\n\n`);
}

export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, text: PageBody, canonical: string) {
  reply.header('link', `<${canonical}>; rel="canonical"`);
  return sendAs(request, reply, text, MARKDOWN);
}

/** A page without an ETag must not be stored (REIT-05). */
export type PageBody = FinishedResponse | { body: Uint8Array };

function sendAs(request: FastifyRequest, reply: FastifyReply, page: PageBody, kind: Representation) {
  const vary = varyOf(request, true);
  reply.header('content-language', languageOf(request).lang);
  if ('etag' in page) return sendFinished(request, reply, page, { ...kind, vary });
  return sendOnce(request, reply, page.body, undefined, { ...kind, caching: NO_STORE, vary });
}

/** UI-26: 404 with content of its own. */
export function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  content: { page: Page } | { markdown: string },
  settings: PageSettings,
): FastifyReply {
  const isMarkdown = 'markdown' in content;
  const text = isMarkdown ? withSampleNote(content.markdown, settings) : renderPage(content.page, settings);
  const vary = varyOf(request, true);
  reply
    .code(404)
    .header('vary', request.namesHost ? varyByHost(vary) : vary)
    .header('content-language', settings.t.lang);
  if (!isMarkdown) reply.header('content-security-policy', contentSecurityPolicy(settings.baseMap));
  return reply.type(isMarkdown ? MARKDOWN.type : HTML.type).send(text);
}
