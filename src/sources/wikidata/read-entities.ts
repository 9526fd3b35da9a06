import { BrokenFile, ForeignFile } from '../../files/broken-file.ts';
import { isObject, type Json, own, readJson, readJsonLines } from '../../files/read-json.ts';
import type { SourceFile } from '../../files/source-file.ts';

type FoundEntity = { line: number; entity: Json } | { line: number; fault: string };

const MAX_DOCUMENT_BYTES = 64 << 20;
const HEAD_BYTES = 16 << 10;
const PORTION = 200;

/** The file only lists items. */
export class ItemList extends ForeignFile {
  readonly items: readonly string[];

  constructor(items: readonly string[]) {
    const what = items.length === 1 ? '1 item' : `${items.length} items`;
    super(`a list of ${what}, without the items themselves; fetch each from ${entityDataUrl('<item>')}`);
    this.items = items;
  }
}

export const entityDataUrl = (item: string): string => `https://www.wikidata.org/wiki/Special:EntityData/${item}.json`;

/** The entities of a file in portions: of one document (Special:EntityData), or of a dump, line by line. */
export async function* readEntities(file: SourceFile): AsyncGenerator<FoundEntity[]> {
  if (isDocument(await headOf(file))) {
    const entities = entitiesIn(await readJson(file, MAX_DOCUMENT_BYTES));
    for (let at = 0; at < entities.length; at += PORTION) {
      yield entities.slice(at, at + PORTION).map((entity, index) => ({ line: at + index + 1, entity }));
    }
    return;
  }
  for await (const lines of readJsonLines(file)) {
    yield lines.flatMap((found): FoundEntity[] => {
      if ('fault' in found) return [found];
      const { line, value } = found;
      if (typeof value !== 'object' || value === null) return [{ line, fault: 'not an entity' }];
      return entitiesIn(value).map((entity) => ({ line, entity }));
    });
  }
}

/** Whether a file is, or may be, one document over several lines. */
function isDocument(head: string): boolean {
  if (/^\ufeff?\s*\{\s*"(entities|success|head)"\s*:/.test(head)) return true;
  // Each line of a dump is a complete value; the first lines of a document are not.
  const line = /^\ufeff?\s*(?:\[[^\S\n]*\n\s*)?([[{][^\n]*)\n/.exec(head)?.[1]?.trim();
  return line !== undefined && line !== '[' && /[[{,]$/.test(line) && !/[}\]],$/.test(line);
}

function entitiesIn(value: unknown): Json[] {
  const items = readItemList(value);
  if (items !== undefined) throw new ItemList(items);
  if (Array.isArray(value)) return value.filter(isObject);
  const entities = own(value, 'entities');
  if (entities !== undefined) return (isObject(entities) ? Object.values(entities) : []).filter(isObject);
  return isObject(value) ? [value] : [];
}

async function headOf(file: SourceFile): Promise<string> {
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of file.bytes()) {
      head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
      if (head.length >= HEAD_BYTES) break;
    }
  } catch (error) {
    // Reading the file reports the error.
    if (!(error instanceof BrokenFile)) throw error;
  }
  return head.toString('utf8');
}

const ITEM = /^https?:\/\/www\.wikidata\.org\/(?:entity|wiki)\/(Q[1-9]\d*)$/;

/**
 * The distinct items of a SPARQL query result: of the variable `item`, else of the first variable with items. Both formats of
 * the query service are read, with `head` and `results` and as a plain list of rows. Undefined for anything else.
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
