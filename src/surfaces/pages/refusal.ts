import { prefersMarkdown } from '../http/negotiation.ts';
import type { RefusalForm } from '../http/refuse.ts';
import { CATALOGUE, type Text } from './catalogue/catalogue.ts';
import { type Html, html, raw } from './html.ts';
import { chooseLanguage } from './language.ts';
import { renderPage } from './layout.ts';
import { contentSecurityPolicy, type PageSettings } from './page-settings.ts';
import type { SampleWatch } from './sample-watch.ts';

/** PAG-10, MD-02: an error as a page, or as Markdown for clients that prefer it. Both link to search. */
export const pageForm =
  (sample: SampleWatch, hasDownloads: boolean): RefusalForm =>
  (status, detail, { target, accept, cookie, acceptLanguage }) => {
    const { lang, isInUrl } = chooseLanguage({ target, cookie, acceptLanguage });
    const t = CATALOGUE[lang];
    const headers = {
      vary: isInUrl ? 'Accept' : 'Accept, Accept-Language, Cookie',
      'content-language': lang,
    };
    const markdown = { ...headers, 'content-type': 'text/markdown; charset=utf-8' };
    // RATE-04: a client that asks too often gets a short Markdown text, whatever it reads.
    if (status === 429) return { headers: markdown, body: briefly(t, status, detail) };
    if (isMarkdownPath(target) || prefersMarkdown(accept))
      return { headers: markdown, body: inMarkdown(t, status, detail) };
    const page = {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(undefined),
    };
    const settings = {
      origin: '',
      baseMap: undefined,
      t,
      isLanguageInUrl: isInUrl,
      hasSample: sample.lastKnown(),
      today: '',
      hasDownloads,
    };
    return { headers: page, body: inHtml(settings, status, detail) };
  };

const isMarkdownPath = (target: string) => (target.split('?', 1)[0] as string).endsWith('.md');

const briefly = ({ refusal }: Text, status: number, detail: string) =>
  `# ${status} ${refusal.title(status)}\n\n${refusal.detail(status, detail)}\n`;

const inMarkdown = (t: Text, status: number, detail: string): string =>
  `${briefly(t, status, detail)}\n${recoveryMarkdown(t)}`;

/** MD-02: where to look instead. */
export const recoveryMarkdown = ({ refusal }: Text): string => `- ${refusal.idsMarkdown(refusal.idForm)}
- ${refusal.searchMarkdown('[/japan/areas?q=](/japan/areas)', '[/japan/api/v1/assets?q=](/japan/api/v1/assets)')}
- ${refusal.llmsMarkdown('[/llms.txt](/llms.txt)')}
`;

function inHtml(settings: PageSettings, status: number, detail: string): string {
  const { t } = settings;
  const { refusal } = t;
  const title = refusal.title(status);
  const description = refusal.detail(status, detail);
  const page = {
    title: `${status} ${title}`,
    description,
    main: html`<div class="refusal"><p class="status">${status}</p><h1>${title}</h1>
<p>${description}</p>
${recoveryLinks(t)}</div>`,
  };
  return renderPage(page, settings);
}

/** PAG-10: where to look instead. */
export const recoveryLinks = ({ refusal }: Text): Html =>
  html`<p>${refusal.ids(html`<code>${refusal.idForm}</code>`, raw('<code>/japan/id/&lt;ID&gt;</code>'))}</p>
<ul><li><a href="/japan">${refusal.home}</a></li><li><a href="/japan/areas">${refusal.search}</a></li>
<li><a href="/llms.txt">${refusal.llms}</a></li></ul>`;
