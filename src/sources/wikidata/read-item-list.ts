import { isObject, own } from '../../files/read-json.ts';

const ITEM = /^https?:\/\/www\.wikidata\.org\/(?:entity|wiki)\/(Q[1-9]\d*)$/;

/**
 * The items that the result of a SPARQL query lists, each once: of the variable `item`, else of the first one that has
 * items. Both forms of the query service are read, with `head` and `results` and as a plain list of rows. Undefined
 * where it is no such result.
 */
export function readItemList(value: unknown): string[] | undefined {
  const { variables, rows } = resultIn(value) ?? { variables: [], rows: undefined };
  if (rows === undefined) return undefined;
  const itemsOf = (variable: string) => rows.flatMap((row) => itemIn(own(row, variable)) ?? []);
  for (const variable of ['item', ...variables]) {
    const items = itemsOf(variable);
    if (items.length > 0) return [...new Set(items)];
  }
  return Array.isArray(value) ? undefined : [];
}

function resultIn(value: unknown): { variables: string[]; rows: unknown[] } | undefined {
  if (Array.isArray(value)) {
    const rows = value.filter((row) => isObject(row) && !Object.hasOwn(row, 'id'));
    return { variables: isObject(rows[0]) ? Object.keys(rows[0]) : [], rows };
  }
  const variables = own(own(value, 'head'), 'vars');
  const rows = own(own(value, 'results'), 'bindings');
  if (!Array.isArray(variables) || !Array.isArray(rows)) return undefined;
  return { variables: variables.filter((variable) => typeof variable === 'string'), rows };
}

function itemIn(cell: unknown): string | undefined {
  const text = isObject(cell) ? own(cell, 'value') : cell;
  return typeof text === 'string' ? ITEM.exec(text)?.[1] : undefined;
}
