import type { FastifyInstance } from 'fastify';
import { FIELD_DESCRIPTIONS, FIELD_NAMES, type Field, type ScalarField } from '../../vocabulary/fields.ts';
import { PRECEDENCE } from '../../vocabulary/precedence.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import { CONFIDENCE, type ExtractionMethod, SOURCES, type Source } from '../../vocabulary/sources.ts';
import { endpoint } from '../http/endpoint.ts';
import { FIELD_LABELS, METHOD_LABELS } from './catalogue/labels.ts';
import { sourceChip } from './evidence.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { type PageContext, sendPage } from './send-page.ts';

export function aboutRoutes(app: FastifyInstance, { settingsOf }: PageContext): void {
  endpoint(app, '/japan/about', async (request, reply) => {
    const settings = await settingsOf(request);
    return sendPage(request, reply, composeAbout(settings.origin), settings);
  });
}

function composeAbout(origin: string): Page {
  return {
    title: 'About the data',
    description:
      'Sources and licences, source precedence by field, and the meaning of estimated, inherited, tier and confidence.',
    canonical: '/japan/about',
    section: 'about',
    main: html`<article class="prose">
<h1>About the data <span class="ja" lang="ja">データについて</span></h1>
<p class="lead">Public sources each describe a building in part. The registry archives their data, matches it to one building, decides each
field by a fixed precedence, and publishes the winning value with its source and the conflicting value.</p>
<nav class="contents" aria-label="On this page"><ul><li><a href="#words">Glossary</a></li><li><a href="#sources">Sources and licences</a></li>
<li><a href="#precedence">Source precedence</a></li><li><a href="#confidence">Confidence</a></li><li><a href="#unknown">Missing data</a></li><li><a href="#agents">For programs and AI agents</a></li></ul></nav>
${glossary()}${sources()}${precedence()}${confidence()}${missingData()}${programAccess(origin)}
</article>`,
  };
}

function glossary(): Html {
  return html`<section aria-labelledby="words"><h2 id="words">Glossary</h2><dl class="words">
<dt>Source, date</dt><dd>The source of the published value, with a link to its record, and the date of retrieval.</dd>
<dt>Conflict</dt><dd>Another source, or another record of the same source, states a different value. The best of these is shown beside the published value; all are kept.</dd>
<dt>Estimated</dt><dd>The service computed the value instead of reading it. If no source reports the gross floor area, it is the footprint multiplied by the floors above and below ground.</dd>
<dt>Inherited</dt><dd>The year built or architect of the larger complex that the building belongs to. Used only if no source states one for the building itself.</dd>
<dt>Confidence</dt><dd>From 0 to 1, set by source and extraction method, not by value. Planned completions and years inferred from a filing have 0.6.</dd>
<dt>Tier</dt><dd>The price tier of a value. Every value is <i>free</i> today; <i>paid</i> and <i>premium</i> are planned.</dd>
<dt>Version</dt><dd>A record gets a new version when a value, its evidence or an alternative value changes. The history of a building lists the changed fields.</dd>
<dt>ID</dt><dd>Permanent. If two records turn out to be the same building, the merged ID redirects to the surviving one.</dd>
</dl></section>`;
}

function sources(): Html {
  return html`<section aria-labelledby="sources"><h2 id="sources">Sources and licences <span class="ja" lang="ja">出典</span></h2>
<p>Use of a value is subject to the licence of its source.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Sources and licences"><table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">Description</th><th scope="col">Publisher</th><th scope="col">Licence</th><th scope="col">Attribution</th></tr></thead>
<tbody>${Object.entries(SOURCE_FACTS).map(
    ([source, { nameEn, publisher, licence, attribution, url }]) =>
      html`<tr><th scope="row">${sourceChip(source as Source)}</th><td><a href="${url}" rel="noopener external">${nameEn}</a></td><td lang="ja">${publisher}</td><td>${licence}</td><td lang="ja">${attribution}</td></tr>`,
  )}</tbody></table></div></section>`;
}

const FALLBACKS: Readonly<Partial<Record<Field, string>>> = {
  gfaM2: 'otherwise computed',
  yearBuilt: 'otherwise inherited from a complex',
  architect: 'otherwise inherited from a complex',
};

function precedence(): Html {
  return html`<section aria-labelledby="precedence"><h2 id="precedence">Source precedence <span class="ja" lang="ja">優先順位</span></h2>
<p>For each field, the first source in this order that has a value wins, regardless of age. Within one source the newest value wins. A source that is not listed for a field is never used for it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Source precedence by field"><table class="plain"><thead><tr><th scope="col">Field</th><th scope="col">Description</th><th scope="col">Precedence</th></tr></thead>
<tbody>${FIELD_NAMES.map(
    (
      field,
    ) => html`<tr id="field-${field}"><th scope="row">${FIELD_LABELS[field].en} <span class="ja" lang="ja">${FIELD_LABELS[field].ja}</span><br><code>${field}</code></th><td>${FIELD_DESCRIPTIONS[field as ScalarField]?.replaceAll('`', '')}</td>
<td><ol class="order">${PRECEDENCE[field].map((source) => html`<li>${sourceChip(source)}</li>`)}${FALLBACKS[field] && html`<li>${FALLBACKS[field]}</li>`}</ol></td></tr>`,
  )}</tbody></table></div></section>`;
}

function confidence(): Html {
  const rows = SOURCES.flatMap((source) =>
    Object.entries(CONFIDENCE[source]).map(([method, value]) => ({ source, method, value })),
  );
  return html`<section aria-labelledby="confidence"><h2 id="confidence">Confidence <span class="ja" lang="ja">確度</span></h2>
<div class="scroll" tabindex="0" role="region" aria-label="Confidence by source and extraction method"><table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">Extraction method</th><th scope="col">Code</th><th scope="col">Confidence</th></tr></thead>
<tbody>${rows.map(({ source, method, value }) => html`<tr><th scope="row">${sourceChip(source)}</th><td>${METHOD_LABELS[method as ExtractionMethod].en}</td><td><code>${method}</code></td><td class="number">${value}</td></tr>`)}</tbody></table></div></section>`;
}

function missingData(): Html {
  return html`<section aria-labelledby="unknown"><h2 id="unknown">Missing data</h2>
<p>A field that no source supplies is absent, never zero. Area pages show how many of their buildings have each field. Registers and disclosures are used only if their record matches
exactly one building; unmatched and ambiguous records contribute nothing. The condominium register lists only certified buildings and is a snapshot, so a building that is absent from it may still be certified.
The retired green building register covers the 23 wards of Tokyo from fiscal 2002. Names of private persons are never published.</p></section>`;
}

function programAccess(origin: string): Html {
  return html`<section aria-labelledby="agents"><h2 id="agents">For programs and AI agents</h2>
<p>No account or key is needed. Every building and area page has a Markdown version: append <code>.md</code> to the path, or send <code>Accept: text/markdown</code>.</p>
<dl class="words"><dt>REST API</dt><dd><a href="/japan/api">Reference</a> and <a href="/japan/api/v1/openapi.json">OpenAPI document</a>; 120 requests per minute.</dd>
<dt>MCP server</dt><dd><code>${origin}/japan/mcp</code>, streamable HTTP, with five read-only tools; <a href="/japan/mcp/server-card">server card</a>; 120 requests per minute.</dd>
<dt>Pages</dt><dd>600 requests per minute; <a href="/japan/sitemap.xml">sitemap</a>, <a href="/llms.txt">llms.txt</a>.</dd></dl></section>`;
}
