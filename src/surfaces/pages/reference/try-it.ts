import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html, raw } from '../html.ts';
import type { ApiParameter, Endpoint } from './api-document.ts';
import type { Values } from './code-examples.ts';
import { sendPath } from './topics.ts';

/** The headers of an answer that client/reference.ts shows. */
const SHOWN_HEADERS = [
  'Content-Type',
  'Content-Length',
  'ETag',
  'Cache-Control',
  'X-RateLimit-Remaining',
  'Retry-After',
];

/** UI-90: a form that sends a request. Without JavaScript it opens the answer; client/reference.ts shows it in place. */
export function tryIt(t: Text, { path, operation }: Endpoint, values: Values): Html {
  const { reference } = t;
  const { operationId, parameters = [] } = operation;
  return html`<section class="try" aria-labelledby="try"><h2 id="try">${reference.tryIt}</h2>
<p class="aside">${reference.tryHint}</p>
<form action="${sendPath(operationId)}" method="get" data-try="${path}" autocomplete="off">
${parameters.length > 0 && html`<div class="try-fields">${parameters.map((parameter) => field(t, parameter, values[parameter.name] ?? ''))}</div>`}
<button type="submit">${reference.send}</button>
</form>
<p class="answer-status" role="status"><span data-answer="sending" hidden>${reference.sending}</span><span data-answer="failed" hidden>${reference.failed}</span><span data-answer="done" hidden>${reference.answered(html`<b data-answer="status"></b>`, html`<span data-answer="time"></span>`)}</span></p>
<div class="answer" data-answer="panel" hidden>
<dl><div><dt>${reference.request}</dt><dd><a data-answer="url"></a></dd></div>${SHOWN_HEADERS.map(
    (name) => html`<div hidden><dt><code>${name}</code></dt><dd data-header="${name}"></dd></div>`,
  )}</dl>
<p data-answer="cut" hidden>${reference.shortened} <a data-answer="whole">${reference.wholeAnswer}</a></p>
<pre tabindex="0" role="region" aria-label="${reference.answer}"><code data-answer="body"></code></pre>
</div></section>`;
}

function field(t: Text, { name, in: place, schema }: ApiParameter, value: string): Html {
  const id = `try-${name}`;
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const required = raw(place === 'path' ? ' required' : '');
  return html`<div><label for="${id}"><code>${name}</code>${place === 'path' && html` <span class="aside">${t.reference.required}</span>`}</label>
${
  schema.enum === undefined
    ? html`<input id="${id}" name="${name}" data-in="${place}" value="${value}" spellcheck="false" autocapitalize="off"${raw(isNumber ? ' inputmode="numeric"' : '')}${required}>`
    : html`<select id="${id}" name="${name}" data-in="${place}"${required}>
${place === 'query' && html`<option value="">${t.reference.anyValue}</option>`}${schema.enum.map(
  (each) => html`<option translate="no"${raw(String(each) === value ? ' selected' : '')}>${String(each)}</option>`,
)}</select>`
}</div>`;
}
