import type { FastifyInstance } from 'fastify';
import { endpoint } from '../../http/endpoint.ts';
import { API_ROOT } from '../../http/surface.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { type PageContext, sendPage } from '../send-page.ts';
import type { ApiDocument } from './api-document.ts';
import { operation } from './operations.ts';
import { prose } from './prose.ts';
import { schemaList } from './schemas.ts';

/** The API reference for people, made from the document that programs read. */
export function referenceRoutes(app: FastifyInstance, { settingOf }: PageContext, document: ApiDocument): void {
  endpoint(app, '/japan/api', async (request, reply) => {
    const setting = settingOf(request);
    return sendPage(request, reply, composeReference(document, setting.origin), setting);
  });
}

function composeReference(document: ApiDocument, origin: string): Page {
  const { info, tags, components } = document;
  return {
    title: 'API reference',
    description:
      'The REST API of Tatemono, the open building registry for Japan: read-only, without accounts and keys.',
    canonical: '/japan/api',
    section: 'api',
    main: html`<article class="prose reference">
<h1>API reference</h1>
<p class="lead">Version ${info.version}, at <code>${origin}${API_ROOT}</code>. This page is made from the
<a href="${API_ROOT}/openapi.json">OpenAPI document</a>, from which clients in most languages can be generated.</p>
${contents(document)}
<section aria-labelledby="start"><h2 id="start">Before you start</h2>${prose(info.description)}</section>
${tags.map(
  ({
    name,
    description,
  }) => html`<section aria-labelledby="${idOf(name)}"><h2 id="${idOf(name)}">${name}</h2><p>${description}</p>
${operationsOf(document, name).map(([path, get]) => operation(path, get, document, origin))}</section>`,
)}
<section aria-labelledby="shapes"><h2 id="shapes">Shapes</h2>${schemaList(components.schemas)}</section>
</article>`,
  };
}

function contents(document: ApiDocument): Html {
  return html`<nav class="contents" aria-label="On this page"><ul><li><a href="#start">Before you start</a></li>${document.tags.flatMap(
    ({ name }) =>
      operationsOf(document, name).map(
        ([, { operationId, summary }]) => html`<li><a href="#${operationId}">${summary}</a></li>`,
      ),
  )}<li><a href="#shapes">Shapes</a></li></ul></nav>`;
}

const operationsOf = ({ paths }: ApiDocument, tag: string) =>
  Object.entries(paths).flatMap(([path, { get }]) => (get.tags.includes(tag) ? [[path, get] as const] : []));

const idOf = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;
