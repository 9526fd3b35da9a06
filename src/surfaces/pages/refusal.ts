import { STATUS_CODES } from 'node:http';
import { ID_FORM } from '../../vocabulary/asset-id.ts';
import { prefersMarkdown } from '../http/negotiation.ts';
import type { RefusalForm } from '../http/refuse.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';
import { contentSecurityPolicy } from './page-settings.ts';

/** MD-02: the same detail for every 404. */
const NO_RECORD = 'the path names no record';

/** PAG-10, MD-02: an error as a page, or as Markdown for clients that prefer it. Both link to search. */
export const pageForm: RefusalForm = (status, detail, { target, accept }) => {
  const title = STATUS_CODES[status] ?? 'Error';
  const shown = status === 404 ? NO_RECORD : detail;
  if (isMarkdownPath(target) || prefersMarkdown(accept)) {
    const headers = { vary: 'Accept', 'content-type': 'text/markdown; charset=utf-8' };
    return { headers, body: inMarkdown(status, title, shown) };
  }
  const headers = {
    vary: 'Accept',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(undefined),
  };
  return { headers, body: inHtml(status, title, shown) };
};

const isMarkdownPath = (target: string) => (target.split('?', 1)[0] as string).endsWith('.md');

function inMarkdown(status: number, title: string, detail: string): string {
  return `# ${status} ${title}

${sentence(detail)}

- Building IDs have the form \`${ID_FORM}\`; the page is at \`/japan/id/<ID>\`, its Markdown at \`/japan/id/<ID>.md\`.
- Search: [/japan/areas?q=](/japan/areas), as JSON: [/japan/api/v1/assets?q=](/japan/api/v1/assets).
- About this service: [/llms.txt](/llms.txt).
`;
}

function inHtml(status: number, title: string, detail: string): string {
  const page = {
    title: `${status} ${title}`,
    description: sentence(detail),
    main: html`<div class="refusal"><p class="status">${status}</p><h1>${title}</h1>
<p>${sentence(detail)}</p>
<p>Building IDs have the form <code>${ID_FORM}</code>; the page is at <code>/japan/id/&lt;ID&gt;</code>.</p>
<ul><li><a href="/japan">Go to the home page</a></li><li><a href="/japan/areas">Search all buildings</a></li>
<li><a href="/llms.txt">About this service (llms.txt)</a></li></ul></div>`,
  };
  return renderPage(page, { origin: '', baseMap: undefined, today: '' });
}

const sentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
