import { CATALOGUE } from '../../src/surfaces/pages/catalogue/catalogue.ts';
import * as labels from '../../src/surfaces/pages/catalogue/labels.ts';
import { LANGUAGES } from '../../src/surfaces/pages/catalogue/language.ts';
import { Html } from '../../src/surfaces/pages/html.ts';

/** Private-use characters, which no source and no markup contains. */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];

/** Marks every text that the catalogue supplies, so that a page shows which of its words come from it. */
export function markCatalogue(): void {
  for (const language of LANGUAGES) {
    const text = CATALOGUE[language] as unknown as Record<string, unknown>;
    for (const [area, entries] of Object.entries(text)) if (area !== 'lang') text[area] = marked(entries);
  }
  for (const table of Object.values(labels)) markLabels(table);
}

function marked(entry: unknown): unknown {
  if (typeof entry === 'string') return mark(entry);
  if (typeof entry === 'function') return (...values: unknown[]) => marked(entry(...values));
  if (entry instanceof Html) return new Html(mark(entry.text));
  if (Array.isArray(entry)) return entry.map(marked);
  if (entry === null || typeof entry !== 'object') return entry;
  return Object.fromEntries(Object.entries(entry).map(([name, each]) => [name, marked(each)]));
}

const mark = (text: string) => `${OPEN}${text}${CLOSE}`;

/** Labels are shared tables, so they are marked where they are. */
function markLabels(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  const table = value as Record<string, unknown>;
  for (const [name, each] of Object.entries(table)) {
    if (LANGUAGES.some((language) => language === name) && typeof each === 'string') table[name] = mark(each);
    else markLabels(each);
  }
}

/** The parts of texts that the catalogue supplied, and the others. */
interface MarkedParts {
  own: string[];
  other: string[];
}

export const splitMarked = (text: string): MarkedParts => markReader()(text);

/** Reads the texts of a page in order: an entry with markup begins in one of them and ends in another. */
export function markReader(): (text: string) => MarkedParts {
  let depth = 0;
  return (text) => {
    const [own, other]: [string[], string[]] = [[], []];
    for (const part of text.split(/([\ue000\ue001])/)) {
      if (part === OPEN) depth += 1;
      else if (part === CLOSE) depth -= 1;
      else if (part !== '') (depth > 0 ? own : other).push(part);
    }
    return { own, other };
  };
}
