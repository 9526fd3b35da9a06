import { type Html, html } from '../html.ts';
import { type ApiSchema, nameOfRef } from './api-document.ts';

export function schemaList(schemas: Readonly<Record<string, ApiSchema>>): Html {
  return html`${Object.entries(schemas).map(
    ([name, schema]) => html`<section class="shape" aria-labelledby="${name}"><h3 id="${name}">${name}</h3>
${schema.description && html`<p>${inlineText(schema.description)}</p>`}
${schema.properties === undefined ? html`<p>${typeText(schema)}</p>` : propertyTable(name, schema)}</section>`,
  )}`;
}

function propertyTable(name: string, { properties = {}, required = [] }: ApiSchema): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Properties of ${name}"><table class="plain">
<thead><tr><th scope="col">Property</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${Object.entries(properties).map(
    ([
      property,
      schema,
    ]) => html`<tr><th scope="row"><code>${property}</code>${!required.includes(property) && html` <span class="aside">optional</span>`}</th>
<td>${typeText(schema)}</td><td>${inlineText(describe(schema))}</td></tr>`,
  )}</tbody></table></div>`;
}

const describe = ({ description, anyOf }: ApiSchema): string =>
  description ?? anyOf?.map((each) => each.description).find((text) => text !== undefined) ?? '';

/** The type of a value, with links to named schemas. */
export function typeText(schema: ApiSchema): Html {
  if (schema.$ref !== undefined) return html`<a href="#${nameOfRef(schema.$ref)}">${nameOfRef(schema.$ref)}</a>`;
  if (schema.anyOf !== undefined) {
    return html`${schema.anyOf.map((each, i) => html`${i > 0 && ' or '}${typeText(each)}`)}`;
  }
  if (schema.enum !== undefined) {
    return html`${schema.enum.map((value, i) => html`${i > 0 && ', '}<code>${String(value)}</code>`)}`;
  }
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.items !== undefined) return html`list of ${typeText(schema.items)}`;
  const { type, format, minimum, maximum } = schema;
  const bounds = [
    minimum === undefined ? undefined : `from ${minimum}`,
    maximum === undefined ? undefined : `to ${maximum}`,
  ]
    .filter((bound) => bound !== undefined)
    .join(' ');
  return html`${[type ?? 'any', format, bounds].filter((part) => part).join(', ')}`;
}

/** Renders the subset of Markdown that the document uses: paragraphs, bold and code. */
export function paragraphs(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inlineText(paragraph)}</p>`)}`;
}

export function inlineText(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<b>${part.slice(2, -2)}</b>` : part;
  })}`;
}
