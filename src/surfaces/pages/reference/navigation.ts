import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html, raw } from '../html.ts';
import { STATIC_PATHS } from '../static-files.ts';
import { type ApiDocument, endpointsOf } from './api-document.ts';
import { operationPath, REFERENCE, schemaPath } from './topics.ts';

/** UI-90: the topics beside the one that is shown; on a narrow screen they are behind a summary, closed. */
export function withNavigation(t: Text, document: ApiDocument, current: string, article: Html): Html {
  const topics = topicList(t, document, current);
  return html`<div class="reference">
<nav class="topics" aria-label="${t.reference.navigation}">${topics}</nav>
<details class="topics-closed"><summary>${t.reference.chooseTopic}</summary><nav aria-label="${t.reference.navigation}">${topics}</nav></details>
<article class="topic">${article}</article></div>
<script type="module" src="${STATIC_PATHS.reference}"></script>`;
}

function topicList(t: Text, document: ApiDocument, current: string): Html {
  const link = (path: string, text: string | Html) =>
    html`<li><a href="${path}"${raw(path === current ? ' aria-current="page"' : '')}>${text}</a></li>`;
  const names = Object.keys(document.components.schemas);
  const isSchema = names.some((name) => schemaPath(name) === current);
  return html`<ul>${link(REFERENCE, t.reference.overview)}</ul>
${document.tags.map(
  ({ name }) =>
    html`<p>${t.reference.described(name)}</p><ul>${endpointsOf(document, name).map(({ operation }) =>
      link(operationPath(operation.operationId), t.reference.described(operation.summary)),
    )}</ul>`,
)}
<details${raw(isSchema ? ' open' : '')}><summary>${t.reference.schemas}</summary><ul>${names.map((name) => link(schemaPath(name), html`<code>${name}</code>`))}</ul></details>`;
}
