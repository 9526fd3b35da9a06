import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ID_FORM } from '../../vocabulary/asset-id.ts';
import { prefersMarkdown } from '../http/prefers-markdown.ts';
import { html } from './html.ts';
import { layOut } from './layout.ts';
import { contentSecurityPolicy } from './setting.ts';

/** MD-02: whatever a path was looked for as. */
const NO_RECORD = 'the path names no record';

/** PAG-10, MD-02: a refusal as a page, or as Markdown for those who read that. Both say how to go on. */
export function sendRefusal(reply: FastifyReply, status: number, detail: string): FastifyReply {
  const { headers, raw } = reply.request;
  const isMarkdown = isMarkdownPath(raw.url ?? '') || prefersMarkdown(headers.accept);
  const [ofBody, body] = composeRefusal(status, detail, isMarkdown);
  return reply.code(status).headers(ofBody).send(body);
}

export const isMarkdownPath = (target: string) => (target.split('?', 1)[0] as string).endsWith('.md');

/** The headers and the body of a refusal. */
export function composeRefusal(
  status: number,
  detail: string,
  isMarkdown: boolean,
): [headers: Readonly<Record<string, string>>, body: string] {
  const title = STATUS_CODES[status] ?? 'Error';
  const said = status === 404 ? NO_RECORD : detail;
  if (isMarkdown) {
    return [{ vary: 'Accept', 'content-type': 'text/markdown; charset=utf-8' }, inMarkdown(status, title, said)];
  }
  const headers = {
    vary: 'Accept',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(undefined),
  };
  return [headers, inHtml(status, title, said)];
}

function inMarkdown(status: number, title: string, detail: string): string {
  return `# ${status} ${title}

${sentence(detail)}

- A building has an ID of the form \`${ID_FORM}\`; its page is at \`/japan/id/<ID>\`, its Markdown at \`/japan/id/<ID>.md\`.
- Search: [/japan/areas?q=](/japan/areas), or as JSON [/japan/api/v1/assets?q=](/japan/api/v1/assets).
- What this service is and what it answers: [/llms.txt](/llms.txt).
`;
}

function inHtml(status: number, title: string, detail: string): string {
  const page = {
    title: `${status} ${title}`,
    description: sentence(detail),
    main: html`<div class="refusal"><p class="status">${status}</p><h1>${title}</h1>
<p>${sentence(detail)}</p>
<p>A building has an ID of the form <code>${ID_FORM}</code>, and its page is at <code>/japan/id/&lt;ID&gt;</code>.</p>
<ul><li><a href="/japan">Start from the home page</a></li><li><a href="/japan/areas">Search all buildings</a></li>
<li><a href="/llms.txt">What this service answers</a></li></ul></div>`,
  };
  return layOut(page, { origin: '', baseMap: undefined });
}

const sentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
