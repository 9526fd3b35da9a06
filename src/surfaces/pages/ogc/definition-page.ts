import { OGC_ROOT } from '../../http/surface.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { runs } from '../format.ts';
import { html } from '../html.ts';
import { labelledTable } from '../labelled-table.ts';
import type { Page } from '../layout.ts';
import { OPERATIONS } from './definition.ts';
import { FORMAT } from './read-items-query.ts';
import { PATHS } from './resources.ts';

/** OGC-02: the API definition for people. */
export function definitionPage(t: Text, origin: string): Page {
  const { ogc } = t;
  return {
    title: ogc.title,
    description: ogc.description,
    canonical: `${OGC_ROOT}${PATHS.apiPage}`,
    section: 'api',
    main: html`<article class="prose">
<h1>${ogc.title}</h1>
<p class="lead">${runs(t, ogc.lead)}</p>
<p><code>${origin}${OGC_ROOT}</code> · <a href="${OGC_ROOT}${PATHS.api}">OpenAPI</a> · <a href="/japan/about#sources">${ogc.licences}</a></p>
${OPERATIONS.map(
  ({
    path,
    name,
    parameters,
  }) => html`<section aria-labelledby="${name}"><h2 id="${name}">${runs(t, ogc.operations[name])}</h2>
<p><code>GET ${OGC_ROOT}${path === '/' ? '' : path}</code></p>
${labelledTable(
  ogc.operations[name],
  [ogc.parameter, ogc.meaning],
  [...parameters, FORMAT.name].map((each) => [html`<code>${each}</code>`, runs(t, ogc.parameters[each])]),
)}</section>
`,
)}</article>`,
  };
}
