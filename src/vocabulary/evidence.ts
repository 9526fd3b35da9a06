import type { Field, FieldScalar } from './fields.ts';
import type { Geometry } from './geometry.ts';
import type { ExtractionMethod, Source } from './sources.ts';

/** Lowest first. */
export const TIERS = ['free', 'paid', 'premium'] as const;
export type Tier = (typeof TIERS)[number];

/** One value a source gave for one field. */
export interface Observation {
  field: Field;
  value: FieldScalar;
  unit: string | null;
  tier: Tier;
  /** Where the observation was read in another way, or with another certainty, than its record. */
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

/** What one fetch of one payload said of one source record. Never changed once kept. */
export interface Statement {
  sourceUrl: string;
  retrievedAt: string;
  rawPayloadRef: string;
  extractionMethod: ExtractionMethod;
  /** It states all its source says: what it does not have is withdrawn. */
  whole: boolean;
  area: string | null;
  /** The code of the municipality that it lies in, where the source states that and its ID does not. */
  municipality?: string;
  geometry: Geometry | null;
  observations: Observation[];
  venues: VenueObservation[];
  /** The record describes the complex that the building belongs to (CON-12). */
  complex: ComplexName | null;
  /** Records of other sources that it names: `wikidata:Q1`, `osm:way/1`, `complex:Q2`. */
  links?: string[];
}

/** Everything kept of one source record, in any order. */
export interface RecordEvidence {
  source: Source;
  sourceRecordId: string;
  statements: Statement[];
}
