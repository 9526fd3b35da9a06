import type { FastifyInstance } from 'fastify';
import { endpoint } from '../../http/endpoint.ts';
import { API_ROOT } from '../../http/surface.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { type PageContext, sendPage } from '../send-page.ts';
import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  type ApiResponse,
  isRef,
  nameOfRef,
} from './api-document.ts';
import { inlineText, paragraphs, schemaList, typeText } from './schemas.ts';

/** The API reference, rendered from the OpenAPI document. */
export function referenceRoutes(app: FastifyInstance, { settingsOf }: PageContext, document: ApiDocument): void {
  endpoint(app, '/japan/api', async (request, reply) => {
    const settings = await settingsOf(request);
    return sendPage(request, reply, composeReference(document, settings.origin), settings);
  });
}

function composeReference(document: ApiDocument, origin: string): Page {
  const { info, tags, components } = document;
  return {
    title: 'API reference',
    description: 'The REST API of Tatemono, the open building registry for Japan: read-only, without accounts or keys.',
    canonical: '/japan/api',
    section: 'api',
    main: html`<article class="prose reference">
<h1>API reference</h1>
<p class="lead">Version ${info.version}, at <code>${origin}${API_ROOT}</code>. This page is generated from the
<a href="${API_ROOT}/openapi.json">OpenAPI document</a>, which most languages can generate clients from.</p>
${contents(document)}
<section aria-labelledby="start"><h2 id="start">Before you start</h2>${paragraphs(info.description)}</section>
${tags.map(
  ({
    name,
    description,
  }) => html`<section aria-labelledby="${idOf(name)}"><h2 id="${idOf(name)}">${name}</h2><p>${description}</p>
${operationsOf(document, name).map(([path, get]) => operation(path, get, document, origin))}</section>`,
)}
<section aria-labelledby="shapes"><h2 id="shapes">Schemas</h2>${schemaList(components.schemas)}</section>
</article>`,
  };
}

function contents(document: ApiDocument): Html {
  return html`<nav class="contents" aria-label="On this page"><ul><li><a href="#start">Before you start</a></li>${document.tags.flatMap(
    ({ name }) =>
      operationsOf(document, name).map(
        ([, { operationId, summary }]) => html`<li><a href="#${operationId}">${summary}</a></li>`,
      ),
  )}<li><a href="#shapes">Schemas</a></li></ul></nav>`;
}

const operationsOf = ({ paths }: ApiDocument, tag: string) =>
  Object.entries(paths).flatMap(([path, { get }]) => (get.tags.includes(tag) ? [[path, get] as const] : []));

const idOf = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;

function operation(path: string, get: ApiOperation, document: ApiDocument, origin: string): Html {
  const { operationId, summary, description, parameters = [], responses } = get;
  const example = examplePath(path, parameters);
  const sample = exampleOf(responses, document);
  return html`<section class="operation" aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<p class="route"><span class="method">GET</span> <code>${path}</code></p>
${paragraphs(description)}
${parameters.length > 0 && parameterTable(summary, parameters)}
<h4>Responses</h4>
<dl class="answers">${Object.entries(responses).map(([status, response]) => {
    const found = isRef(response) ? document.components.responses[nameOfRef(response.$ref)] : response;
    const schema = Object.values(found?.content ?? {})[0]?.schema;
    return html`<div><dt><code>${status}</code></dt><dd>${inlineText(found?.description ?? '')}${schema && html` ${typeText(schema)}`}</dd></div>`;
  })}</dl>
<h4>Example</h4>
<pre tabindex="0"><code>curl '${origin}${example}'</code></pre>
<p><a href="${example}">Send this request</a></p>
${
  sample !== undefined &&
  html`<details><summary>Example response</summary><pre tabindex="0"><code>${JSON.stringify(sample, null, 2)}</code></pre></details>`
}
</section>`;
}

function parameterTable(summary: string, parameters: readonly ApiParameter[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters: ${summary}"><table class="plain">
<thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${parameters.map(
    ({
      name,
      in: where,
      required,
      description,
      schema,
    }) => html`<tr><th scope="row"><code>${name}</code>${required && html` <span class="aside">required</span>`}</th>
<td>${where}</td><td>${typeText(schema)}</td><td>${inlineText(description)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Filled with the example of each parameter except `page`, which defaults to 1. */
function examplePath(path: string, parameters: readonly ApiParameter[]): string {
  const examples = parameters.filter(({ example, name }) => example !== undefined && name !== 'page');
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const found = examples.find((parameter) => parameter.in === 'path' && parameter.name === name);
    return found === undefined ? whole : encodeURIComponent(String(found.example));
  });
  const query = examples
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function exampleOf(responses: ApiOperation['responses'], document: ApiDocument): unknown {
  const response = responses['200'];
  if (response === undefined) return undefined;
  const found: ApiResponse | undefined = isRef(response)
    ? document.components.responses[nameOfRef(response.$ref)]
    : response;
  return Object.values(found?.content ?? {})[0]?.example;
}
