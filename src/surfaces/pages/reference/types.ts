import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html } from '../html.ts';
import { type ApiSchema, nameOfRef } from './api-document.ts';
import { schemaPath } from './topics.ts';

/** UI-91: the type of a value in words, with links to named schemas. */
export function typeText(t: Text, schema: ApiSchema): Html {
  const { reference } = t;
  if (schema.$ref !== undefined) return schemaLink(nameOfRef(schema.$ref));
  if (schema.anyOf !== undefined) return unionText(t, schema.anyOf);
  if (Array.isArray(schema.type)) {
    const named = schema.type.filter((type) => type !== 'null');
    const types = named.map((type) => typeText(t, { ...schema, type }));
    const either = reference.either(types);
    return named.length < schema.type.length ? reference.orNull(either) : either;
  }
  if (schema.const !== undefined) return codeOf(schema.const);
  if (schema.enum !== undefined) {
    return schema.enum.length === 1 ? codeOf(schema.enum[0]) : reference.oneOf(schema.enum.map(codeOf));
  }
  if (schema.items !== undefined) {
    return withDetails(t, reference.listOf(typeText(t, schema.items)), [listLength(t, schema)]);
  }
  const [values] = Object.values(schema.patternProperties ?? {});
  if (values !== undefined) return reference.anyKeys(typeText(t, values));
  const type = (schema.type ?? 'any') as keyof typeof reference.types;
  const format = schema.format as keyof typeof reference.formats | undefined;
  return withDetails(t, html`${reference.types[type]}`, [
    format && html`${reference.formats[format] ?? format}`,
    patternText(t, schema.pattern),
    range(t, schema.minimum, schema.maximum),
    schema.pattern === undefined ? textLength(t, schema) : undefined,
  ]);
}

export const schemaLink = (name: string): Html => html`<a href="${schemaPath(name)}"><code>${name}</code></a>`;

const codeOf = (value: unknown): Html => html`<code>${String(value)}</code>`;

const isNull = ({ type }: ApiSchema): boolean => type === 'null';

function unionText(t: Text, members: readonly ApiSchema[]): Html {
  const named = members.filter((member) => !isNull(member));
  const isObjects = named.length > 1 && named.every(({ properties }) => properties !== undefined);
  const either = isObjects
    ? html`${t.reference.types.object}`
    : t.reference.either(named.map((member) => typeText(t, member)));
  return named.length < members.length ? t.reference.orNull(either) : either;
}

function withDetails({ reference }: Text, type: Html, details: readonly (Html | undefined)[]): Html {
  const given = details.filter((detail) => detail !== undefined);
  return given.length === 0 ? type : reference.withDetails(type, given);
}

function patternText(t: Text, pattern: string | undefined): Html | undefined {
  if (pattern === undefined) return undefined;
  const words = t.reference.patterns[pattern as keyof typeof t.reference.patterns];
  return words === undefined ? t.reference.matching(codeOf(pattern)) : html`${words}`;
}

/** A bound that only says that the number is exact is none. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;

function rangeWords({ reference }: Text, minimum: number | undefined, maximum: number | undefined) {
  if (isBound(minimum) && isBound(maximum)) {
    return minimum === maximum ? reference.exactly(minimum) : reference.between(minimum, maximum);
  }
  if (isBound(minimum)) return reference.atLeast(minimum);
  return isBound(maximum) ? reference.atMost(maximum) : undefined;
}

function range(t: Text, minimum: number | undefined, maximum: number | undefined): Html | undefined {
  const words = rangeWords(t, minimum, maximum);
  return words === undefined ? undefined : html`${words}`;
}

function listLength(t: Text, { minItems, maxItems }: ApiSchema): Html | undefined {
  const words = rangeWords(t, minItems, maxItems);
  return words === undefined ? undefined : html`${t.reference.entries(words)}`;
}

function textLength(t: Text, { minLength, maxLength }: ApiSchema): Html | undefined {
  if (minLength === 1 && maxLength === undefined) return html`${t.reference.notEmpty}`;
  const words = rangeWords(t, minLength, maxLength);
  return words === undefined ? undefined : html`${t.reference.characters(words)}`;
}
