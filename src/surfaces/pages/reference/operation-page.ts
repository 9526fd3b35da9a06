import type { Text } from '../catalogue/catalogue.ts';
import { langAttribute } from '../format.ts';
import { type Html, html } from '../html.ts';
import { labelledTable } from '../labelled-table.ts';
import { type ApiDocument, type ApiParameter, bodyOf, type Endpoint, nameOfRef, responseOf } from './api-document.ts';
import { codeExamples, type Values } from './code-examples.ts';
import { inlineText, paragraphs } from './described.ts';
import { schemaContent } from './property-table.ts';
import { tryIt } from './try-it.ts';
import { schemaLink, typeText } from './types.ts';

/** One operation: parameters, a form to try it, code, responses and the body. */
export function operationArticle(
  t: Text,
  document: ApiDocument,
  endpoint: Endpoint,
  values: Values,
  origin: string,
): Html {
  const { path, operation } = endpoint;
  const { summary, description, parameters = [], responses } = operation;
  const body = responses['200'] && bodyOf(responseOf(document, responses['200']));
  return html`<h1>${t.reference.described(summary)}</h1>
<p class="route"><span class="method">${t.reference.method}</span> <code>${path}</code></p>
${paragraphs(t, description)}
${parameters.length > 0 && parameterTable(t, t.reference.described(summary), parameters)}
${tryIt(t, endpoint, values)}
<section aria-labelledby="examples"><h2 id="examples">${t.reference.examples}</h2>
<div class="code-examples">${codeExamples(endpoint, values, origin, body?.mediaType === 'application/json').map(
    ({ language, code }) => html`<figure><figcaption>${t.reference.codeLanguages[language]}</figcaption>
<pre tabindex="0" role="region" aria-label="${t.reference.codeLanguages[language]}"><code${langAttribute(t, code)}>${code}</code></pre>
<button type="button" class="quiet" hidden data-copy-code data-copied="${t.cite.copied}">${t.cite.copy} <span class="sr">${t.reference.codeLanguages[language]}</span></button></figure>`,
  )}</div></section>
<section aria-labelledby="responses"><h2 id="responses">${t.reference.responses}</h2>
<dl class="answers">${Object.entries(responses).map(([status, response]) => {
    const found = responseOf(document, response);
    const schema = bodyOf(found)?.schema;
    return html`<div><dt><code>${status}</code></dt><dd>${inlineText(t, found?.description ?? '')}${schema && html` ${typeText(t, schema)}`}</dd></div>`;
  })}</dl></section>
${body?.schema && responseBody(t, document, body.schema, body.example)}`;
}

function parameterTable(t: Text, operation: string, parameters: readonly ApiParameter[]): Html {
  const { reference } = t;
  return html`<section aria-labelledby="parameters"><h2 id="parameters">${reference.parameters}</h2>
${labelledTable(
  reference.parametersOf(operation),
  [reference.parameter, reference.type, reference.meaning],
  parameters.map(({ name, in: place, required, description, schema }) => [
    html`<code>${name}</code> <span class="aside">${required ? reference.required : reference.optional} ${reference.places[place]}</span>`,
    typeText(t, schema),
    inlineText(t, description),
  ]),
)}</section>`;
}

function responseBody(
  t: Text,
  { components }: ApiDocument,
  schema: NonNullable<NonNullable<ReturnType<typeof bodyOf>>['schema']>,
  example: unknown,
): Html {
  const name = schema.$ref === undefined ? undefined : nameOfRef(schema.$ref);
  const shown = name === undefined ? schema : components.schemas[name];
  const isText = typeof example === 'string';
  const text = isText ? example : JSON.stringify(example, null, 2);
  return html`<section aria-labelledby="body"><h2 id="body">${t.reference.body}${name && html` ${schemaLink(name)}`}</h2>
${shown && schemaContent(t, name ?? t.reference.body, shown, 'h3')}
${
  example !== undefined &&
  html`<details class="sample"><summary>${t.reference.exampleResponse}</summary><pre tabindex="0" role="region" aria-label="${t.reference.exampleResponse}"><code${langAttribute(t, text)}>${text}</code></pre></details>`
}</section>`;
}
