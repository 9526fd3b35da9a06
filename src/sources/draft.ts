import type { ComplexName, Observation, VenueObservation } from '../vocabulary/evidence.ts';
import { FIELDS, type Field, type FieldScalar, faultInValue } from '../vocabulary/fields.ts';
import { type Geometry, parseGeometry } from '../vocabulary/geometry.ts';
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

interface Manner {
  extractionMethod?: ExtractionMethod;
  confidence?: number;
}

/**
 * Adds a value, if it is one that the field can have; else a note says why not. Nothing given adds
 * nothing. Of a field that is not repeated the first value stays.
 */
export function observe(draft: Draft, field: Field, value: FieldScalar | null | undefined, manner: Manner = {}): void {
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
export function draw(draft: Draft, geometry: unknown): string | undefined {
  const parsed = parseGeometry(geometry);
  if (!parsed.ok) return parsed.failure;
  draft.geometry = parsed.value;
  return undefined;
}
