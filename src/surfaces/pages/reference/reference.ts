import type { FastifyInstance } from 'fastify';
import { endpoint } from '../../http/endpoint.ts';
import { keptFor } from '../../http/kept-for.ts';
import { NO_STORE } from '../../http/send-finished.ts';
import { API_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { readParameters } from '../request-target.ts';
import { type PageContext, sendPage } from '../send-page.ts';
import { type ApiDocument, endpointsOf } from './api-document.ts';
import { requestTarget } from './code-examples.ts';
import { paragraphs } from './described.ts';
import { exampleValues, valuesFor } from './example-values.ts';
import { withNavigation } from './navigation.ts';
import { operationArticle } from './operation-page.ts';
import { schemaArticle } from './schema-page.ts';
import { operationPath, REFERENCE, schemaPath, sendPath } from './topics.ts';

const KEEP_EXAMPLES_MS = 60_000;

interface Topic {
  path: string;
  title: string;
  description: string;
  article: Html;
}

/** UI-90: the API reference, rendered from the OpenAPI document: an overview, and a page for each operation and schema. */
export function referenceRoutes(
  app: FastifyInstance,
  { registry, settingsOf }: PageContext,
  document: ApiDocument,
): void {
  const compose = (t: Text, { path, title, description, article }: Topic): Page => ({
    title,
    description,
    canonical: path,
    section: 'api',
    main: withNavigation(t, document, path, article),
  });

  endpoint(app, REFERENCE, async (request, reply) => {
    const settings = await settingsOf(request);
    const { t, origin } = settings;
    const { title, description } = t.reference;
    const page = compose(t, { path: REFERENCE, title, description, article: overview(t, document, origin) });
    return sendPage(request, reply, page, settings);
  });

  const examples = keptFor(
    KEEP_EXAMPLES_MS,
    () => exampleValues(registry, document),
    () => performance.now(),
  );
  for (const found of endpointsOf(document)) {
    const { operationId, summary, description } = found.operation;
    const path = operationPath(operationId);
    endpoint(app, path, async (request, reply) => {
      const settings = await settingsOf(request);
      const { t, origin } = settings;
      const values = valuesFor(document, operationId, await examples());
      const page = compose(t, {
        path,
        title: `${t.reference.described(summary)} · ${t.reference.title}`,
        description: firstParagraph(t, description),
        article: operationArticle(t, document, found, values, origin),
      });
      return sendPage(request, reply, page, settings);
    });

    endpoint(app, sendPath(operationId), async (request, reply) => {
      const target = requestTarget(found, Object.fromEntries(readParameters(request)));
      const location = target ?? `${path}#try`;
      return reply.header('cache-control', NO_STORE).header('content-length', 0).redirect(location, 303);
    });
  }

  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const path = schemaPath(name);
    endpoint(app, path, async (request, reply) => {
      const settings = await settingsOf(request);
      const { t } = settings;
      const page = compose(t, {
        path,
        title: `${t.reference.schemaOf(name)} · ${t.reference.title}`,
        description: t.reference.schemaDescription(name),
        article: schemaArticle(t, document, name, schema),
      });
      return sendPage(request, reply, page, settings);
    });
  }
}

/** The overview and the page of each operation and schema, for the sitemap. */
export const referencePaths = (document: ApiDocument): string[] => [
  REFERENCE,
  ...endpointsOf(document).map(({ operation }) => operationPath(operation.operationId)),
  ...Object.keys(document.components.schemas).map(schemaPath),
];

const firstParagraph = (t: Text, english: string): string =>
  t.reference.described(english.split(/\n{2,}/, 1)[0] as string).replaceAll('`', '');

/** Every operation and schema keeps the fragment that it had when the reference was one page. */
function overview(t: Text, document: ApiDocument, origin: string): Html {
  const { reference } = t;
  const { info, tags, components } = document;
  const link = html`<a href="${API_ROOT}/openapi.json">${reference.openApi}</a>`;
  return html`<h1>${reference.title}</h1>
<p class="lead">${reference.version(info.version, html`<code>${origin}${API_ROOT}</code>`, link)}</p>
<section aria-labelledby="start"><h2 id="start">${reference.start}</h2>${paragraphs(t, info.description)}</section>
<section aria-labelledby="endpoints"><h2 id="endpoints">${reference.endpoints}</h2>
${tags.map(
  ({
    name,
    description,
  }) => html`<section aria-labelledby="${tagId(name)}"><h3 id="${tagId(name)}">${t.reference.described(name)}</h3>
<p>${t.reference.described(description)}</p>
<ul class="operations">${endpointsOf(document, name).map(
    ({ path, operation: { operationId, summary } }) =>
      html`<li id="${operationId}"><a href="${operationPath(operationId)}">${t.reference.described(summary)}</a> <span class="route"><span class="method">${t.reference.method}</span> <code>${path}</code></span></li>`,
  )}</ul></section>`,
)}</section>
<section aria-labelledby="shapes"><h2 id="shapes">${reference.schemas}</h2>
<ul class="schemas">${Object.keys(components.schemas).map((name) => html`<li id="${name}"><a href="${schemaPath(name)}"><code>${name}</code></a></li>`)}</ul></section>`;
}

const tagId = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;
