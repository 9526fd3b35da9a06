import { readSourceUrl } from '../vocabulary/source-url.ts';
import { hiddenIn, withoutHidden } from '../vocabulary/text.ts';
import type { AreaDraft, BoundaryDraft } from './adapter.ts';
import type { Draft } from './draft.ts';

interface Cleaned<T> {
  draft: T;
  /** What was removed, for whoever watches. */
  notes: string[];
}

/** What every adapter's record passes: no address with credentials, and nothing hidden in names. Undefined: no web address. */
export function cleanDraft(draft: Draft): Cleaned<Draft> | undefined {
  const address = readSourceUrl(draft.sourceUrl);
  if (!address.ok) return undefined;
  const { url, removed } = address.value;
  const notes = removed.length === 0 ? [] : [`its address: ${removed.join(' and ')} removed`];
  const venues = draft.venues.flatMap((venue) => {
    const cleaned = cleanNames(venue, ['nameJa', 'nameEn', 'category', 'level'], 'a venue', notes);
    return cleaned.nameJa === null && cleaned.nameEn === null ? [] : [cleaned];
  });
  const complex = draft.complex && cleanNames(draft.complex, ['nameJa', 'nameEn'], 'its complex', notes);
  return { draft: { ...draft, sourceUrl: url, venues, complex }, notes };
}

export function cleanArea<A extends AreaDraft | BoundaryDraft>(area: A): Cleaned<A> {
  const notes: string[] = [];
  const keys = 'nameEn' in area ? ['nameJa', 'nameEn'] : ['nameJa'];
  return { draft: cleanNames(area, keys as (keyof A)[], 'its name', notes), notes };
}

/** A text that nothing is left of is none. */
function cleanNames<T extends object>(object: T, keys: readonly (keyof T)[], what: string, notes: string[]): T {
  let cleaned = object;
  for (const key of keys) {
    const text: unknown = object[key];
    const hidden = typeof text === 'string' ? hiddenIn(text) : undefined;
    if (hidden === undefined) continue;
    cleaned = { ...cleaned, [key]: withoutHidden(text as string) || null };
    notes.push(`${what}: ${hidden} removed`);
  }
  return cleaned;
}
