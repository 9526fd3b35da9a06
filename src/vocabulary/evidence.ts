import type { Field, FieldScalar } from './fields.ts';
import type { Geometry } from './geometry.ts';
import type { ExtractionMethod, Source } from './sources.ts';

/** Lowest first. */
export const TIERS = ['free', 'paid', 'premium'] as const;
export type Tier = (typeof TIERS)[number];

/** One value that a source gave for one field. */
export interface Observation {
  field: Field;
  value: FieldScalar;
  unit: string | null;
  tier: Tier;
  /** Set if it differs from that of the record. */
  extractionMethod?: ExtractionMethod;
  confidence?: number;
}

export interface VenueObservation {
  nameJa: string | null;
  nameEn: string | null;
  category: string;
  level: string | null;
}

export interface ComplexName {
  nameJa: string | null;
  nameEn: string | null;
}

/** What one fetch of one payload states about one source record. Immutable once stored. */
export interface Statement {
  sourceUrl: string;
  retrievedAt: string;
  rawPayloadRef: string;
  extractionMethod: ExtractionMethod;
  /** The statement is complete: what it omits is withdrawn. */
  whole: boolean;
  area: string | null;
  /** The code of its municipality, if the source states it and the ID does not. */
  municipality?: string;
  geometry: Geometry | null;
  observations: Observation[];
  venues: VenueObservation[];
  /** The record describes the complex that the building belongs to (CON-12). */
  complex: ComplexName | null;
  /** Linked records of other sources: `wikidata:Q1`, `osm:way/1`, `complex:Q2`. */
  links?: string[];
}

/** All statements of one source record, in any order. */
export interface RecordEvidence {
  source: Source;
  sourceRecordId: string;
  statements: Statement[];
}
