import type { Text } from './catalogue/catalogue.ts';
import { LANGUAGES, type Language } from './catalogue/language.ts';
import { run } from './format.ts';
import { type Html, html, once, raw } from './html.ts';
import { graphOf, type StructuredData, webPage } from './json-ld.ts';
import { keepLanguage, switchPath } from './language.ts';
import type { PageSettings } from './page-settings.ts';
import { STATIC_PATHS } from './static-files.ts';

export interface Page {
  /** Without the name of the service. */
  title: string;
  description: string;
  /** PAG-14: the canonical path; absent on pages that search engines should not index. */
  canonical?: string | undefined;
  /** The path and query of this page, if they are more than the canonical path; the language switch returns to it. */
  address?: string | undefined;
  /** Path of the Markdown twin. */
  markdown?: string | undefined;
  /** Path of the same record in the API. */
  json?: string | undefined;
  /** UI-61: the same content as files. */
  files?: readonly { type: string; path: string }[] | undefined;
  /** UI-28: without it, the page itself is described. */
  jsonLd?: StructuredData | undefined;
  /** The entry of the main navigation to highlight. */
  section?: 'buildings' | 'about' | 'api' | undefined;
  /** The home page has its own, larger search box. */
  isHome?: boolean;
  hasMap?: boolean;
  /** REIT-05: a page that shows what a REIT publication says must not be stored. */
  isUnstored?: boolean;
  main: Html;
}

const SITE = 'Tatemono';

/** What every page loads. */
const HEAD_OF_ALL = html`<meta name="twitter:card" content="summary">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f7f5f0" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${STATIC_PATHS.stylesheet}">
<script type="module" src="${STATIC_PATHS.suggest}"></script>
<script type="module" src="${STATIC_PATHS.enhance}"></script>`;
const MAP_SCRIPT = html`<script type="module" src="${STATIC_PATHS.map}"></script>`;

/** UI-28: refusals have no address, and nothing to describe. */
function pageNodes({ title, description, address, canonical }: Page, t: Text, origin: string) {
  const path = address ?? canonical;
  return path === undefined ? [] : [webPage(t, origin, { title, description, path })];
}

const NAVIGATION = [
  { section: 'buildings', path: '/japan/areas' },
  { section: 'about', path: '/japan/about' },
  { section: 'api', path: '/japan/api' },
] as const;

export function renderPage(page: Page, settings: PageSettings): string {
  const text = compose(page, settings);
  return settings.isLanguageInUrl ? keepLanguage(text, settings.t.lang) : text;
}

function compose(page: Page, { origin, baseMap, t, hasSample, hasDownloads }: PageSettings): string {
  const title = page.isHome ? t.layout.siteTitle(page.title) : t.layout.pageTitle(page.title);
  const address = page.canonical === undefined ? undefined : `${origin}${page.canonical}`;
  const nodes = page.jsonLd?.(origin) ?? pageNodes(page, t, origin);
  return html`<!doctype html>
<html lang="${t.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
${address === undefined ? raw('<meta name="robots" content="noindex">') : html`<link rel="canonical" href="${address}">`}
${
  address !== undefined &&
  html`${LANGUAGES.map(
    (lang) => html`<link rel="alternate" hreflang="${lang}" href="${address}?lang=${lang}">
`,
  )}<link rel="alternate" hreflang="x-default" href="${address}">`
}
${page.markdown && html`<link rel="alternate" type="text/markdown" href="${origin}${page.markdown}">`}
${page.json && html`<link rel="alternate" type="application/json" href="${origin}${page.json}">`}
${page.files?.map(({ type, path }) => html`<link rel="alternate" type="${type}" href="${origin}${path}">\n`)}
<meta property="og:site_name" content="${SITE}">
<meta property="og:type" content="website">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
${address && html`<meta property="og:url" content="${address}">`}
${HEAD_OF_ALL}
${page.hasMap && MAP_SCRIPT}
${page.hasMap && baseMap && html`<meta name="base-map" content="${baseMap.url}" data-attribution="${baseMap.attribution}">`}
${nodes.length > 0 && html`<script type="application/ld+json">${raw(scriptSafe(graphOf(nodes)))}</script>`}
</head>
<body>
${pageTop(t, page.section, page.isHome === true)}
${languageSwitch(t, page.address ?? page.canonical ?? '/japan')}
</div>
</header>
${hasSample && html`<aside class="sample-banner" aria-label="${t.layout.sampleTitle}"><strong>${t.layout.sampleTitle}</strong>${t.layout.colon}${t.layout.sample}</aside>`}
<main id="main" class="wide" tabindex="-1">
${page.main}
</main>
${pageBottom(t, hasDownloads)}
</body>
</html>
`.text;
}

/** The frame depends on little besides the language, so it is rendered once for each. */
const pageTop = (t: Text, current: Page['section'], isHome: boolean): Html =>
  once(
    `top ${t.lang} ${current} ${isHome}`,
    () => html`<a class="skip" href="#main">${t.layout.skip}</a>
<header class="top">
<div class="wide top-row">
<a class="mark" href="/japan"${raw(isHome ? ' aria-current="page"' : '')}>${MARK}<span>Tatemono</span> ${run(t, '建物')}</a>
<nav aria-label="${t.layout.mainNavigation}"><ul>${NAVIGATION.map(
      ({ section, path }) =>
        html`<li><a href="${path}"${raw(section === current ? ' aria-current="true"' : '')}>${t.layout[section]}</a></li>`,
    )}</ul></nav>
${!isHome && searchBox(t, { id: 'top-search' })}`,
  );

const pageBottom = (t: Text, hasDownloads: boolean): Html =>
  once(
    `bottom ${t.lang} ${hasDownloads}`,
    () => html`<footer class="bottom">
<div class="wide">
<p>${t.layout.footer((text) => html`<a href="/japan/about#sources">${text}</a>`)}</p>
<ul>
<li><a href="/japan/areas">${t.layout.allBuildings}</a></li>
<li><a href="/japan/about">${t.layout.about}</a></li>
${
  hasDownloads &&
  html`<li><a href="/japan/downloads">${t.downloads.title}</a></li>
`
}<li><a href="/japan/api">${t.layout.restApi}</a></li>
<li><a href="/japan/about#agents">${t.layout.mcpServer}</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
<li><a href="/japan/sitemap.xml">${t.layout.sitemap}</a></li>
</ul>
</div>
</footer>`,
  );

/** Escapes JSON so that it cannot end its script element and contains only characters that HTML allows. */
function scriptSafe(data: object): string {
  const json = JSON.stringify(data);
  // Most data needs no escaping; this check is faster than a regular expression.
  let i = 0;
  while (i < json.length && IS_SCRIPT_SAFE[json.charCodeAt(i)] === 1) i++;
  if (i === json.length) return json;
  return json.replace(/[<>&\u2028\u2029\x7f-\x9f\p{Noncharacter_Code_Point}]/gu, toEscape);
}
/** Not the surrogates that may be half of a noncharacter. */
const IS_SCRIPT_SAFE = Uint8Array.from({ length: 65_536 }, (_, unit) =>
  /[<>&\u2028\u2029\x7f-\x9f\udffe\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(String.fromCharCode(unit)) ? 0 : 1,
);
const toEscape = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const MARK = raw(
  '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M3 21V11h5V6h8v8h5v7z"/></svg>',
);

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ja: '日本語' };

/** UI-03: links to the page in the other languages; each name is in its own language. */
function languageSwitch(t: Text, address: string): Html {
  return html`<ul class="languages" aria-label="${t.layout.languages}">${LANGUAGES.map((lang) =>
    lang === t.lang
      ? html`<li><span aria-current="true">${LANGUAGE_NAMES[lang]}</span></li>`
      : html`<li><a href="${switchPath(lang, address)}" rel="nofollow" lang="${lang}" hreflang="${lang}">${LANGUAGE_NAMES[lang]}</a></li>`,
  )}</ul>`;
}

interface SearchBox {
  /** ID of the input; a page may have two search boxes. */
  id: string;
  value?: string | undefined;
  large?: boolean;
}

/** PAG-06: searches all of Japan. client/suggest.ts turns it into a combobox (SUG-04, SUG-05, SUG-06, SUG-07). */
export function searchBox(t: Text, { id, value = '', large = false }: SearchBox) {
  return html`<form class="search${large ? ' large' : ''}" role="search" action="/japan/areas" method="get" data-suggest="${JSON.stringify(t.suggest)}">
<label class="sr" for="${id}">${t.layout.searchLabel}</label>
<input id="${id}" name="q" type="search" value="${value}" placeholder="${t.layout.searchPlaceholder}" autocomplete="off"
 autocapitalize="off" spellcheck="false" enterkeyhint="search">
<button type="submit">${t.layout.search}</button>
</form>`;
}
