import type { ComplexName, Observation, VenueObservation } from '../vocabulary/evidence.ts';
import { FIELDS, type Field, type FieldScalar, faultInValue } from '../vocabulary/fields.ts';
import { type AreaGeometry, type Geometry, type Position, parseGeometry } from '../vocabulary/geometry.ts';
import { readSourceUrl } from '../vocabulary/source-url.ts';
import type { ExtractionMethod } from '../vocabulary/sources.ts';
import { hiddenIn, withoutHidden } from '../vocabulary/text.ts';

/** A record as an adapter makes it, before it is known when and as what it was fetched. */
export interface Draft {
  sourceRecordId: string;
  sourceUrl: string;
  extractionMethod: ExtractionMethod;
  /** It states all its source says: what it does not have is withdrawn. */
  whole: boolean;
  /** The code of the machi-aza, where the source names it by code. */
  area: string | null;
  /** The code of the municipality, where the source states that and its ID does not. */
  municipality?: string;
  geometry: Geometry | null;
  observations: Observation[];
  venues: VenueObservation[];
  complex: ComplexName | null;
  /**
   * Other records it names: `wikidata:Q183536` (what it depicts), `osm:way/1` (the same thing there),
   * `complex:Q1` (the complex it is part of); and what other registers know it by: `realestate:0100001234567-0000`.
   */
  links: string[];
  /** What was passed over, for whoever watches. */
  notes: string[];
}

export interface AreaDraft {
  level: 'prefecture' | 'ward' | 'machiAza';
  code: string;
  parent: string | null;
  slug: string;
  /** Taken where a sibling has the slug. */
  fallbackSlug: string;
  nameJa: string;
  nameEn: string | null;
  /** Its representative point. */
  point: Position | null;
  boundary?: AreaGeometry | null;
}

/** The boundary of a neighbourhood that is known by name only, until it is joined to a machi-aza; or that of a ward. */
export interface BoundaryDraft {
  /** Inside the source; that of a ward is its code, a slash and who drew it (`13105/N03`). */
  id: string;
  /** The code of the ward, five digits. */
  ward: string;
  nameJa: string;
  boundary: AreaGeometry;
}

export function newDraft(sourceRecordId: string, sourceUrl: string, extractionMethod: ExtractionMethod): Draft {
  return {
    sourceRecordId,
    sourceUrl,
    extractionMethod,
    whole: false,
    area: null,
    geometry: null,
    observations: [],
    venues: [],
    complex: null,
    links: [],
    notes: [],
  };
}

interface ObservationDetails {
  extractionMethod?: ExtractionMethod;
  confidence?: number;
}

/**
 * Adds a value, if it is one that the field can have; else a note says why not. Nothing given adds
 * nothing. Of a field that is not repeated the first value stays.
 */
export function observe(
  draft: Draft,
  field: Field,
  value: FieldScalar | null | undefined,
  manner: ObservationDetails = {},
): void {
  if (value === null || value === undefined || value === '') return;
  if (typeof value === 'string' && noteHidden(draft, field, value)) {
    observe(draft, field, withoutHidden(value), manner);
    return;
  }
  const fault = faultInValue(field, value);
  if (fault !== undefined) {
    draft.notes.push(fault);
    return;
  }
  const { unit, repeated } = FIELDS[field];
  const known = draft.observations.some((o) => o.field === field && (!repeated || o.value === value));
  if (!known) draft.observations.push({ field, value, unit, tier: 'free', ...manner });
}

/** Notes what a text of a source carries that is not published; false where it carries nothing of the kind. */
export function noteHidden(draft: Pick<Draft, 'notes'>, what: string, text: string): boolean {
  const hidden = hiddenIn(text);
  if (hidden === undefined) return false;
  const note = `${what}: ${hidden} removed`;
  if (!draft.notes.includes(note)) draft.notes.push(note);
  return true;
}

/** Gives it a shape, if that is one; else returns why not. */
export function setGeometry(draft: Draft, geometry: unknown): string | undefined {
  const parsed = parseGeometry(geometry);
  if (!parsed.ok) return parsed.failure;
  draft.geometry = parsed.value;
  return undefined;
}

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
