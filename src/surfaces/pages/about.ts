import type { FastifyInstance } from 'fastify';
import { FIELD_DESCRIPTIONS, FIELD_NAMES, type Field, type ScalarField } from '../../vocabulary/fields.ts';
import { PRECEDENCE } from '../../vocabulary/precedence.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import { CONFIDENCE, type ExtractionMethod, SOURCES } from '../../vocabulary/sources.ts';
import { endpoint } from '../http/endpoint.ts';
import type { RateLimits } from '../http/rate-store.ts';
import { API_ROOT, MCP_ROOT, OGC_ROOT } from '../http/surface.ts';
import type { Text } from './catalogue/catalogue.ts';
import { FIELD_LABELS, METHOD_LABELS } from './catalogue/labels.ts';
import { sourceChip } from './evidence.ts';
import { runs } from './format.ts';
import { type Html, html } from './html.ts';
import { labelledTable } from './labelled-table.ts';
import type { Page } from './layout.ts';
import { type PageContext, sendPage } from './send-page.ts';
import { SITEMAP_INDEX } from './sitemaps.ts';

export function aboutRoutes(app: FastifyInstance, { settingsOf }: PageContext, limits: RateLimits): void {
  endpoint(app, '/japan/about', async (request, reply) => {
    const settings = await settingsOf(request);
    return sendPage(request, reply, composeAbout(settings.t, settings.origin, limits), settings);
  });
}

function composeAbout(t: Text, origin: string, limits: RateLimits): Page {
  const { about } = t;
  const sections = [
    ['words', about.glossary, definitions(about.words.map(([word, text]) => [word, html`${text}`]))],
    ['sources', about.sources, sources(t)],
    ['precedence', about.precedence, precedence(t)],
    ['confidence', about.confidence, confidence(t)],
    ['unknown', about.missing, html`${about.missingText.map((text) => html`<p>${text}</p>`)}`],
    ['use', about.use, definitions(about.uses((path, text) => html`<a href="${path}">${text}</a>`))],
    ['agents', about.programs, programAccess(t, origin, limits)],
  ] as const;
  return {
    title: about.title,
    description: about.description,
    canonical: '/japan/about',
    section: 'about',
    main: html`<article class="prose">
<h1>${about.title}</h1>
<p class="lead">${about.lead}</p>
<nav class="contents" aria-label="${about.contents}"><ul>${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
${sections.map(([id, title, content]) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`)}
</article>`,
  };
}

const definitions = (words: readonly (readonly [string, Html])[]): Html =>
  html`<dl class="words">${words.map(([word, text]) => html`<dt>${word}</dt><dd>${text}</dd>`)}</dl>`;

const link = (url: string, text: Html): Html =>
  html`<a href="${url}"${!url.startsWith('/') && html` rel="noopener external"`}>${text}</a>`;

function sources(t: Text): Html {
  const { about } = t;
  return html`<p>${about.licenceNote}</p>
${labelledTable(
  about.sourcesTable,
  [about.source, about.content, about.publisher, about.licence, about.attribution],
  SOURCES.map((source) => {
    const { name, publisher, licence, attribution } = about.facts(source);
    const { url, licenceUrl } = SOURCE_FACTS[source];
    return [
      sourceChip(source, t.lang),
      link(url, runs(t, name)),
      runs(t, publisher),
      link(licenceUrl, runs(t, licence)),
      runs(t, attribution),
    ];
  }),
  (row) => `source-${SOURCES[row]}`,
)}`;
}

const FALLBACKS: Readonly<Partial<Record<Field, 'computed' | 'inherited'>>> = {
  gfaM2: 'computed',
  yearBuilt: 'inherited',
  architect: 'inherited',
};

function precedence(t: Text): Html {
  const { about } = t;
  return html`<p>${about.precedenceNote}</p>
${labelledTable(
  about.precedenceTable,
  [about.field, about.content, about.order],
  FIELD_NAMES.map((field) => [fieldName(t, field), runs(t, fieldDescription(t, field)), order(t, field)]),
  (row) => `field-${FIELD_NAMES[row]}`,
)}`;
}

const fieldName = (t: Text, field: Field): Html =>
  html`${FIELD_LABELS[field][t.lang]}${
    t.lang === 'en' && html` <span class="ja" lang="ja">${FIELD_LABELS[field].ja}</span>`
  }<br><code>${field}</code>`;

const fieldDescription = (t: Text, field: Field): string =>
  field === 'aliases' || field === 'assetTypes'
    ? t.about.repeated[field]
    : t.reference.described(FIELD_DESCRIPTIONS[field as ScalarField]).replaceAll('`', '');

function order(t: Text, field: Field): Html {
  const fallback = FALLBACKS[field];
  return html`<ol class="order">${PRECEDENCE[field].map((source) => html`<li>${sourceChip(source, t.lang)}</li>`)}${
    fallback && html`<li>${t.about.otherwise[fallback]}</li>`
  }</ol>`;
}

function confidence(t: Text): Html {
  const { about } = t;
  const rows = SOURCES.flatMap((source) =>
    Object.entries(CONFIDENCE[source]).map(([method, value]) => ({ source, method, value })),
  );
  return labelledTable(
    about.confidenceTable,
    [about.source, about.method, about.code, about.confidence],
    rows.map(({ source, method, value }) => [
      sourceChip(source, t.lang),
      html`${METHOD_LABELS[method as ExtractionMethod][t.lang]}`,
      html`<code>${method}</code>`,
      html`${value}`,
    ]),
  );
}

/** With the limits that are configured. */
function programAccess({ about }: Text, origin: string, limits: RateLimits): Html {
  const link = (path: string, text: string) => html`<a href="${path}">${text}</a>`;
  const code = (text: string) => html`<code>${text}</code>`;
  return html`<p>${about.programsNote(code)}</p>
${definitions([
  [
    about.restApi,
    about.api(
      link('/japan/api', about.reference),
      link(`${API_ROOT}/openapi.json`, about.openApi),
      about.perMinute(limits.api),
    ),
  ],
  [
    about.mcpServer,
    about.mcp(
      code(`${origin}${MCP_ROOT}`),
      link(`${MCP_ROOT}/server-card`, about.serverCard),
      about.perMinute(limits.mcp),
    ),
  ],
  [about.reconciliation, about.reconcile(code(`${origin}/japan/reconcile`), about.perMinute(limits.page))],
  [
    about.ogcApi,
    about.ogc(
      code(`${origin}${OGC_ROOT}`),
      link(`${OGC_ROOT}/api.html`, about.reference),
      about.perMinute(limits.page),
    ),
  ],
  [
    about.pages,
    about.pageLimits(link(SITEMAP_INDEX, about.sitemap), link('/llms.txt', about.llms), about.perMinute(limits.page)),
  ],
])}`;
}
