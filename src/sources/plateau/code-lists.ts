import { posix } from 'node:path';
import { BrokenFile, untilBroken } from '../../files/broken-file.ts';
import { readXml, type XmlHandler } from '../../files/read-xml.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { findCategory } from '../../vocabulary/categories.ts';
import { cleanText } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import { NO_VALUE_WORDS, USAGES } from './mapping.ts';
import { detach } from './values.ts';

type CodeList = ReadonlyMap<string, string>;
export type CodeLists = ReadonlyMap<string, CodeList>;

const MAX_SIZE = 32 << 20;
const MAX_ENTRIES = 200_000;
const MAX_LABEL = 500;
const MAX_CODE_SPACES = 100;

/** The meaning of codes, by the code lists of a tile. */
export interface CodeLabels {
  find(codeSpace: string, code: string): string | undefined;
  /** The uses of a usage code, none for 不明; undefined for an unknown code. */
  findUses(codeSpace: string | undefined, code: string): string[] | undefined;
}

export function isCodeList(name: string): boolean {
  return /(?:^|\/)codelists\/[^/]+\.xml$/i.test(name);
}

/** A city has about two hundred lists; only those of elements that are read matter. */
function isReferenced(name: string): boolean {
  return /_(?:usage|name)(?:(?!_(?:usage|name))\w)*\.xml$/i.test(name);
}

export async function* readCodeLists(
  files: readonly SourceFile[],
  lists: Map<string, CodeList>,
): AsyncGenerator<Item[]> {
  for (const file of files) {
    if (!isCodeList(file.name) || !isReferenced(file.name)) continue;
    const list = new Map<string, string>();
    lists.set(file.name, list);
    yield* untilBroken(file.name, readCodeList(file, list));
  }
}

/** In a gml:Dictionary the name of a definition is the code and its description is the label. */
async function* readCodeList(file: SourceFile, list: Map<string, string>): AsyncGenerator<never[]> {
  if (file.size > MAX_SIZE) throw new BrokenFile(`too large for a code list (more than ${MAX_SIZE} bytes)`);
  let element = '';
  let isInside = false;
  let code = '';
  let label = '';
  const handler: XmlHandler = {
    open(name) {
      element = name;
      if (name !== 'Definition') return;
      isInside = true;
      code = '';
      label = '';
    },
    text(text) {
      if (isInside && element === 'name') code = cleanText(text);
      else if (isInside && element === 'description') label = cleanText(text);
    },
    close(name) {
      if (name !== 'Definition') return;
      isInside = false;
      if (code !== '' && label !== '' && label.length <= MAX_LABEL) list.set(detach(code), detach(label));
      if (list.size > MAX_ENTRIES) throw new BrokenFile(`more than ${MAX_ENTRIES} codes`);
    },
  };
  for await (const _ of readXml(file, handler));
  yield* [];
}

/** The code lists of a tile: a codeSpace is a path relative to the tile, else the name of a list of the ingest. */
export function labelsFor(tile: string, lists: CodeLists): CodeLabels {
  const known = new Map<string, CodeList | undefined>();
  const findList = (codeSpace: string): CodeList | undefined => {
    if (known.has(codeSpace)) return known.get(codeSpace);
    const list = locate(tile, codeSpace, lists);
    if (known.size < MAX_CODE_SPACES) known.set(detach(codeSpace), list);
    return list;
  };
  const find = (codeSpace: string, code: string) => findList(codeSpace)?.get(cleanText(code));
  return {
    find,
    findUses(codeSpace, text) {
      const code = cleanText(text);
      const listed = codeSpace === undefined ? undefined : find(codeSpace, code);
      const label = listed === undefined ? undefined : splitUses(listed);
      if (label !== undefined) return label;
      const usual = splitUses(USAGES.get(code) ?? code);
      return usual ?? (listed === undefined ? undefined : [listed]);
    },
  };
}

function locate(tile: string, codeSpace: string, lists: CodeLists): CodeList | undefined {
  const beside = lists.get(posix.join(posix.dirname(tile), codeSpace));
  if (beside !== undefined) return beside;
  const name = posix.basename(codeSpace);
  const [only, ...more] = [...lists].filter(([path]) => posix.basename(path) === name);
  return more.length === 0 ? only?.[1] : undefined;
}

/** The uses of a label, which may be compound. Undefined if one has no category. */
function splitUses(label: string): string[] | undefined {
  if (NO_VALUE_WORDS.has(label)) return [];
  if (findCategory(label) !== undefined) return findCategory(label) === 'unspecified' ? [] : [label];
  const uses = label.split(/[・、,/]/u).map((use) => use.trim());
  return uses.length > 1 && uses.every((use) => findCategory(use) !== undefined) ? uses : undefined;
}
