import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html } from '../html.ts';
import { type ApiDocument, type ApiSchema, endpointsOf } from './api-document.ts';
import { inlineText } from './described.ts';
import { schemaContent } from './property-table.ts';
import { operationPath } from './topics.ts';
import { schemaLink } from './types.ts';

/** One schema, and what refers to it. */
export function schemaArticle(t: Text, document: ApiDocument, name: string, schema: ApiSchema): Html {
  const uses = usesOf(t, document, name);
  return html`<p class="aside">${t.reference.schemas}</p><h1><code>${name}</code></h1>
${schema.description && html`<p>${inlineText(t, schema.description)}</p>`}
${schemaContent(t, name, schema, 'h2')}
${
  uses.length > 0 &&
  html`<section aria-labelledby="used-by"><h2 id="used-by">${t.reference.usedBy}</h2><ul class="uses">${uses.map((use) => html`<li>${use}</li>`)}</ul></section>`
}`;
}

function usesOf(t: Text, document: ApiDocument, name: string): Html[] {
  const reference = `"#/components/schemas/${name}"`;
  const isUsedIn = (part: unknown) => JSON.stringify(part).includes(reference);
  const operations = endpointsOf(document).filter(({ operation }) => isUsedIn(operation));
  const schemas = Object.entries(document.components.schemas).filter(([, schema]) => isUsedIn(schema));
  return [
    ...operations.map(({ operation: { operationId, summary } }) => {
      return html`<a href="${operationPath(operationId)}">${t.reference.described(summary)}</a>`;
    }),
    ...schemas.map(([user]) => schemaLink(user)),
  ];
}
