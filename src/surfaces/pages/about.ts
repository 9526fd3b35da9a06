import type { FastifyInstance } from 'fastify';
import { FIELD_DESCRIPTIONS, FIELD_NAMES, type Field, type ScalarField } from '../../vocabulary/fields.ts';
import { PRECEDENCE } from '../../vocabulary/precedence.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import { CONFIDENCE, type ExtractionMethod, SOURCES, type Source } from '../../vocabulary/sources.ts';
import { endpoint } from '../http/endpoint.ts';
import { sourceChip } from './evidence.ts';
import { type Html, html } from './html.ts';
import { FIELD_LABELS, METHOD_LABELS } from './labels.ts';
import type { Page } from './layout.ts';
import { type PageContext, sendPage } from './send-page.ts';

/** Sources, licences, precedence, and what the words of a record mean. */
export function aboutRoutes(app: FastifyInstance, { settingsOf }: PageContext): void {
  endpoint(app, '/japan/about', async (request, reply) => {
    const setting = settingsOf(request);
    return sendPage(request, reply, composeAbout(setting.origin), setting);
  });
}

function composeAbout(origin: string): Page {
  return {
    title: 'About the data',
    description:
      'Where the values come from, under which licences, how one is chosen, and what estimated, inherited, tier and confidence mean.',
    canonical: '/japan/about',
    section: 'about',
    main: html`<article class="prose">
<h1>About the data <span class="ja" lang="ja">データについて</span></h1>
<p class="lead">Public sources each say something about a building. The registry archives what they said, matches it to one building, decides each
field by a fixed order, and publishes the winner with where it came from, and who disagreed.</p>
<nav class="contents" aria-label="On this page"><ul><li><a href="#words">What the words mean</a></li><li><a href="#sources">Sources and licences</a></li>
<li><a href="#precedence">Who goes before whom</a></li><li><a href="#confidence">Confidence</a></li><li><a href="#unknown">What is not known</a></li><li><a href="#agents">For programs and agents</a></li></ul></nav>
${words()}${sources()}${precedence()}${confidence()}${unknown()}${agents(origin)}
</article>`,
  };
}

function words(): Html {
  return html`<section aria-labelledby="words"><h2 id="words">What the words mean</h2><dl class="words">
<dt>Source, date</dt><dd>The source that the published value was read from, as a link to what it says, and the day on which it was read there.</dd>
<dt>Conflict</dt><dd>Another source, or another record of the same one, says something else. The best of those that lost is shown beside the winner; all are kept.</dd>
<dt>Estimated</dt><dd>The service worked the value out instead of reading it. A floor area that nobody reports is the footprint times the floors above and below the ground.</dd>
<dt>Inherited</dt><dd>The year or the architect of the larger complex that the building belongs to, where no source has one of the building itself.</dd>
<dt>Confidence</dt><dd>From 0 to 1, set by source and by the way of reading, not by value. A planned completion and a year inferred from a filing have 0.6.</dd>
<dt>Tier</dt><dd>Belongs to a value, not to a source. Every value is <i>free</i> today; <i>paid</i> and <i>premium</i> are planned.</dd>
<dt>Version</dt><dd>A record gets a new version when a value, its evidence or an alternative changes. The history of a building says which fields changed.</dd>
<dt>ID</dt><dd>Stays with the building for ever. Where two records turn out to be one building, the ID that ends leads to the one that goes on.</dd>
</dl></section>`;
}

function sources(): Html {
  return html`<section aria-labelledby="sources"><h2 id="sources">Sources and licences <span class="ja" lang="ja">出典</span></h2>
<p>Whoever uses a value is bound by the licence of the source that it cites.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Sources and licences"><table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">What it is</th><th scope="col">Publisher</th><th scope="col">Licence</th><th scope="col">Attribution</th></tr></thead>
<tbody>${Object.entries(SOURCE_FACTS).map(
    ([source, { nameEn, publisher, licence, attribution, url }]) =>
      html`<tr><th scope="row">${sourceChip(source as Source)}</th><td><a href="${url}" rel="noopener external">${nameEn}</a></td><td lang="ja">${publisher}</td><td>${licence}</td><td lang="ja">${attribution}</td></tr>`,
  )}</tbody></table></div></section>`;
}

const COMPUTED: Readonly<Partial<Record<Field, string>>> = {
  gfaM2: 'then computed',
  yearBuilt: 'then inherited from a complex',
  architect: 'then inherited from a complex',
};

function precedence(): Html {
  return html`<section aria-labelledby="precedence"><h2 id="precedence">Who goes before whom <span class="ja" lang="ja">優先順位</span></h2>
<p>For each field the first source in this order that says anything wins, whatever the age; within one source the newest wins. A source that is not named for a field never decides it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Order of sources by field"><table class="plain"><thead><tr><th scope="col">Field</th><th scope="col">What it says</th><th scope="col">Order</th></tr></thead>
<tbody>${FIELD_NAMES.map(
    (
      field,
    ) => html`<tr id="field-${field}"><th scope="row">${FIELD_LABELS[field].en} <span class="ja" lang="ja">${FIELD_LABELS[field].ja}</span><br><code>${field}</code></th><td>${FIELD_DESCRIPTIONS[field as ScalarField]?.replaceAll('`', '')}</td>
<td><ol class="order">${PRECEDENCE[field].map((source) => html`<li>${sourceChip(source)}</li>`)}${COMPUTED[field] && html`<li>${COMPUTED[field]}</li>`}</ol></td></tr>`,
  )}</tbody></table></div></section>`;
}

function confidence(): Html {
  const rows = SOURCES.flatMap((source) =>
    Object.entries(CONFIDENCE[source]).map(([method, value]) => ({ source, method, value })),
  );
  return html`<section aria-labelledby="confidence"><h2 id="confidence">Confidence <span class="ja" lang="ja">確度</span></h2>
<div class="scroll" tabindex="0" role="region" aria-label="Confidence by source and way of reading"><table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">Read from</th><th scope="col">Method</th><th scope="col">Confidence</th></tr></thead>
<tbody>${rows.map(({ source, method, value }) => html`<tr><th scope="row">${sourceChip(source)}</th><td>${METHOD_LABELS[method as ExtractionMethod]}</td><td><code>${method}</code></td><td class="number">${value}</td></tr>`)}</tbody></table></div></section>`;
}

function unknown(): Html {
  return html`<section aria-labelledby="unknown"><h2 id="unknown">What is not known</h2>
<p>A field that no source supplies is absent, never zero. The page of an area shows how many of its buildings have each field. Registers and disclosures count only where their record fits
exactly one building; what fits none or several contributes nothing. The condominium register knows certified buildings only and is a snapshot, so that a building that is absent from it may still be certified.
The retired green-building register covers the 23 wards of Tokyo from fiscal 2002. Names of persons are never published.</p></section>`;
}

function agents(origin: string): Html {
  return html`<section aria-labelledby="agents"><h2 id="agents">For programs and agents</h2>
<p>No account and no key. Every building and area page has a Markdown twin: add <code>.md</code> to its path, or ask with <code>Accept: text/markdown</code>.</p>
<dl class="words"><dt>REST API</dt><dd><a href="/japan/api">Reference</a> and <a href="/japan/api/v1/openapi.json">OpenAPI document</a>; 120 requests a minute.</dd>
<dt>MCP server</dt><dd><code>${origin}/japan/mcp</code>, streamable HTTP, with five tools to search and read; <a href="/japan/mcp/server-card">server card</a>; 120 requests a minute.</dd>
<dt>Pages</dt><dd>600 requests a minute, <a href="/japan/sitemap.xml">sitemap</a>, <a href="/llms.txt">llms.txt</a>.</dd></dl></section>`;
}
