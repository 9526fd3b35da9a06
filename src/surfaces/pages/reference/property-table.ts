import type { Text } from '../catalogue/catalogue.ts';
import { type Html, html, raw } from '../html.ts';
import { labelledTable } from '../labelled-table.ts';
import type { ApiSchema } from './api-document.ts';
import { inlineText } from './described.ts';
import { typeText } from './types.ts';

interface Row {
  /** `area.level`, `publications[].id` */
  name: string;
  schema: ApiSchema;
  isRequired: boolean;
  type?: Html;
  description?: Html;
}

type Level = 'h2' | 'h3';

const heading = (level: Level, text: string): Html => html`${raw(`<${level}>`)}${text}${raw(`</${level}>`)}`;

/** The content of a schema: its properties, its forms, or its type, with headings of a level. */
export function schemaContent(t: Text, name: string, schema: ApiSchema, level: Level): Html {
  const { reference } = t;
  const forms = formsOf(schema);
  if (forms.length > 1) {
    return html`<p>${reference.oneOfForms}</p>${forms.map((form, i) => {
      return html`${heading(level, reference.variant(i + 1))}${propertyTable(t, `${name}, ${reference.variant(i + 1)}`, form)}`;
    })}`;
  }
  if (schema.properties === undefined) return html`<p>${typeText(t, schema)}</p>`;
  return sharedShape(schema) === undefined ? propertyTable(t, name, schema) : sharedShapeTables(t, name, schema, level);
}

/** The objects of which a value is one. */
const formsOf = ({ anyOf = [] }: ApiSchema): readonly ApiSchema[] =>
  anyOf.filter(({ properties }) => properties !== undefined);

function propertyTable(t: Text, name: string, schema: ApiSchema): Html {
  const { reference } = t;
  return labelledTable(
    reference.properties(name),
    [reference.property, reference.type, reference.meaning],
    rowsOf(t, '', schema).map((row) => [
      nameCell(t, row),
      row.type ?? typeText(t, row.schema),
      row.description ?? inlineText(t, descriptionOf(row.schema)),
    ]),
  );
}

const nameCell = (t: Text, { name, isRequired }: Row): Html =>
  html`<code>${name}</code> <span class="aside">${isRequired ? t.reference.required : t.reference.optional}</span>`;

const descriptionOf = ({ description, anyOf, items }: ApiSchema): string =>
  description ?? [...(anyOf ?? []), ...(items ? [items] : [])].find((each) => each.description)?.description ?? '';

/** The properties of an object, each followed by those of the unnamed object that it contains. */
function rowsOf(t: Text, prefix: string, { properties = {}, required = [] }: ApiSchema): Row[] {
  return Object.entries(properties).flatMap(([property, schema]) => {
    const row = { name: `${prefix}${property}`, schema, isRequired: required.includes(property) };
    const inner = innerObject(schema);
    if (inner === undefined) return [row];
    const same = sameForAll(inner.object);
    if (same !== undefined) {
      const names = Object.keys(inner.object.properties ?? {});
      return [
        row,
        {
          ...row,
          name: `${row.name}${inner.suffix}.*`,
          type: t.reference.sameForAll(names.length, typeText(t, same)),
          description: html`${names.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`)}`,
        },
      ];
    }
    return [row, ...rowsOf(t, `${row.name}${inner.suffix}.`, inner.object)];
  });
}

/** The unnamed object in a property, a list or a union with null. */
function innerObject(schema: ApiSchema): { object: ApiSchema; suffix: string } | undefined {
  if (schema.properties !== undefined) return { object: schema, suffix: '' };
  const items = schema.items && innerObject(schema.items);
  if (items !== undefined) return { object: items.object, suffix: `[]${items.suffix}` };
  const [form, ...more] = formsOf(schema);
  return form === undefined || more.length > 0 ? undefined : { object: form, suffix: '' };
}

const withoutDescription = ({ description: _, ...schema }: ApiSchema): string => JSON.stringify(schema);

/** The schema that many properties of an object share. */
function sameForAll({ properties = {} }: ApiSchema): ApiSchema | undefined {
  const schemas = Object.values(properties);
  const [first] = schemas;
  if (first === undefined || schemas.length < 8) return undefined;
  return schemas.every((schema) => withoutDescription(schema) === withoutDescription(first)) ? first : undefined;
}

/** The names that all properties of a schema have in common, if each of them is an object of the same shape. */
function sharedShape({ properties = {} }: ApiSchema): string[] | undefined {
  const objects = Object.values(properties);
  const [first] = objects;
  if (first?.properties === undefined || objects.length < 8) return undefined;
  const names = Object.keys(first.properties);
  const isSame = ({ properties }: ApiSchema) => Object.keys(properties ?? {}).join() === names.join();
  return objects.every(isSame) ? names : undefined;
}

/** The fields of a building: their common properties once, then the type and the unit of each. */
function sharedShapeTables(t: Text, name: string, { properties = {} }: ApiSchema, level: Level): Html {
  const { reference } = t;
  const [first] = Object.values(properties);
  const common = Object.fromEntries(
    Object.entries(first?.properties ?? {}).filter(([property, schema]) => {
      const text = JSON.stringify(schema);
      return Object.values(properties).every((field) => JSON.stringify(field.properties?.[property]) === text);
    }),
  );
  return html`<p>${reference.eachField}</p>
${heading(level, reference.fieldObject)}
${propertyTable(t, reference.fieldObject, { properties: common, required: first?.required ?? [] })}
${heading(level, reference.fields)}
${labelledTable(
  reference.properties(name),
  [reference.property, reference.fieldValue, reference.unit, reference.meaning],
  Object.entries(properties).map(([field, { properties: parts = {}, description = '' }]) => [
    html`<code>${field}</code>`,
    parts.value === undefined ? html`` : typeText(t, parts.value),
    unitText(t, parts.unit),
    inlineText(t, description),
  ]),
)}`;
}

const unitText = (t: Text, schema: ApiSchema | undefined): Html =>
  schema === undefined || schema.type === 'null' ? html`` : typeText(t, schema);
