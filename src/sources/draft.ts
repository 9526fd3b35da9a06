import type { ComplexName, Observation, VenueObservation } from '../vocabulary/evidence.ts';
import { FIELDS, type Field, type FieldScalar, faultInValue } from '../vocabulary/fields.ts';
import { type AreaGeometry, type Geometry, type Position, parseGeometry } from '../vocabulary/geometry.ts';
import { readSourceUrl } from '../vocabulary/source-url.ts';
import type { ExtractionMethod } from '../vocabulary/sources.ts';
import { hiddenIn, withoutHidden } from '../vocabulary/text.ts';

/** A record as an adapter makes it, without the time and payload of its retrieval. */
export interface Draft {
  sourceRecordId: string;
  sourceUrl: string;
  extractionMethod: ExtractionMethod;
  /** The record is complete: values of an earlier revision that it lacks are withdrawn. */
  whole: boolean;
  /** The code of the machi-aza, if the source states one. */
  area: string | null;
  /** The code of the municipality, if the source states it and the record ID does not. */
  municipality?: string;
  geometry: Geometry | null;
  observations: Observation[];
  venues: VenueObservation[];
  complex: ComplexName | null;
  /**
   * Other records it refers to: `wikidata:Q183536` (what it depicts), `osm:way/1` (the same thing in OSM),
   * `complex:Q1` (the complex it is part of); and identifiers that it carries: `realestate:0100001234567-0000`,
   * `ref=13111-bldg-1`.
   */
  links: string[];
  /** What was left out, reported to the operator. */
  notes: string[];
}

export interface AreaDraft {
  level: 'prefecture' | 'ward' | 'machiAza';
  code: string;
  parent: string | null;
  slug: string;
  /** Used if a sibling has the same slug. */
  fallbackSlug: string;
  nameJa: string;
  nameEn: string | null;
  /** Its representative point. */
  point: Position | null;
  boundary?: AreaGeometry | null;
}

/** The boundary of a ward, or of a neighbourhood that is known only by name until it is joined to a machi-aza. */
export interface BoundaryDraft {
  /** Unique in the source; for a ward its code, a slash and the data set (`13105/N03`). */
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

/** Adds a valid value; an invalid one becomes a note. A field that is not repeated keeps its first value. */
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

/** Adds a note about hidden characters in a text, which are not published; returns whether it has any. */
export function noteHidden(draft: Pick<Draft, 'notes'>, what: string, text: string): boolean {
  const hidden = hiddenIn(text);
  if (hidden === undefined) return false;
  const note = `${what}: ${hidden} removed`;
  if (!draft.notes.includes(note)) draft.notes.push(note);
  return true;
}

/** Sets a valid geometry; otherwise returns what is wrong with it. */
export function setGeometry(draft: Draft, geometry: unknown): string | undefined {
  const parsed = parseGeometry(geometry);
  if (!parsed.ok) return parsed.failure;
  draft.geometry = parsed.value;
  return undefined;
}

interface Cleaned<T> {
  draft: T;
  /** What was removed, reported to the operator. */
  notes: string[];
}

/** Removes credentials from the source URL and hidden characters from names. Undefined without a valid source URL. */
export function cleanDraft(draft: Draft): Cleaned<Draft> | undefined {
  const address = readSourceUrl(draft.sourceUrl);
  if (!address.ok) return undefined;
  const { url, removed } = address.value;
  const notes = removed.length === 0 ? [] : [`source URL: ${removed.join(' and ')} removed`];
  const venues = draft.venues.flatMap((venue) => {
    const cleaned = cleanNames(venue, ['nameJa', 'nameEn', 'category', 'level'], 'venue', notes);
    return cleaned.nameJa === null && cleaned.nameEn === null ? [] : [cleaned];
  });
  const complex = draft.complex && cleanNames(draft.complex, ['nameJa', 'nameEn'], 'complex', notes);
  return { draft: { ...draft, sourceUrl: url, venues, complex }, notes };
}

export function cleanArea<A extends AreaDraft | BoundaryDraft>(area: A): Cleaned<A> {
  const notes: string[] = [];
  const keys = 'nameEn' in area ? ['nameJa', 'nameEn'] : ['nameJa'];
  return { draft: cleanNames(area, keys as (keyof A)[], 'name', notes), notes };
}

/** A text of which nothing remains becomes null. */
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
