import { readSourceUrl } from '../../vocabulary/source-url.ts';
import { hiddenIn, withoutHidden } from '../../vocabulary/text.ts';
import { isObject, type Json } from './read-values.ts';

/**
 * Takes from the texts of a line what must not be published, and says what it took. What is no text, or cannot be
 * kept at all (NUL, half of a surrogate pair), is left for the reader to refuse.
 */
export function cleanTexts(line: Json): string[] {
  const notes: string[] = [];
  const clean = (object: unknown, keys: readonly string[], at: string) => {
    if (!isObject(object)) return;
    for (const key of keys) {
      const text = object[key];
      if (typeof text !== 'string' || text.includes('\0') || !text.isWellFormed()) continue;
      const cleaned = withoutHidden(text);
      if (cleaned === text) continue;
      const hidden = hiddenIn(text);
      notes.push(`${at}${key}: ${hidden === undefined ? 'a line break or tab became a space' : `${hidden} removed`}`);
      object[key] = cleaned;
    }
  };
  const cleanEach = (list: unknown, keys: readonly string[], at: string) => {
    if (Array.isArray(list)) for (const [i, item] of list.entries()) clean(item, keys, `${at}[${i}].`);
  };
  clean(line, ['nameJa', 'nameEn', 'reason'], '');
  cleanEach(line.observations, ['value'], 'observations');
  cleanEach(line.venues, ['nameJa', 'nameEn', 'category', 'level'], 'venues');
  clean(line.complex, ['nameJa', 'nameEn'], 'complex.');
  if (typeof line.sourceUrl === 'string') {
    const read = readSourceUrl(line.sourceUrl);
    if (read.ok && read.value.removed.length > 0) {
      notes.push(`sourceUrl: ${read.value.removed.join(' and ')} removed`);
      line.sourceUrl = read.value.url;
    }
  }
  return notes;
}
