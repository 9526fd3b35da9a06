import type { VenueObservation } from '../../vocabulary/evidence.ts';
import { cleanText } from '../../vocabulary/text.ts';
import type { Tags } from './element.ts';
import { valuesOf } from './names-of.ts';
import { NEVER_VENUE, NO_VENUE, VENUE_KEYS } from './tag-tables.ts';

const MAX_NAME = 500;

/** What a node with these tags is to the building around it, if anything. */
export function venueOf(tags: Tags): VenueObservation | undefined {
  const key = VENUE_KEYS.find((k) => tags.has(k));
  if (key === undefined || NEVER_VENUE.some((k) => tags.has(k))) return undefined;
  const category = valuesOf(tags, key)[0];
  if (category === undefined || NO_VENUE[key].has(category)) return undefined;
  const nameJa = textOf(tags, 'name:ja') ?? textOf(tags, 'name');
  const nameEn = textOf(tags, 'name:en');
  if (nameJa === null && nameEn === null) return undefined;
  return { nameJa, nameEn, category: category.slice(0, MAX_NAME), level: textOf(tags, 'level') };
}

function textOf(tags: Tags, key: string): string | null {
  const text = (tags.get(key) ?? '').slice(0, MAX_NAME);
  return cleanText(text) === '' ? null : oneLine(text);
}

/** What is hidden in it stays until its building is known, so that it can be noted there. NUL separates texts in the table. */
function oneLine(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd').replace(/\s+/gu, ' ').trim();
}
