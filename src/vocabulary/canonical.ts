import type { Category } from './categories.ts';
import type { ComplexName, Tier, VenueObservation } from './evidence.ts';
import type { FieldScalar, ScalarField } from './fields.ts';
import type { AreaGeometry, Position } from './geometry.ts';
import type { ExtractionMethod, Source } from './sources.ts';

export interface Provenance {
  source: Source;
  sourceRecordId: string;
  sourceUrl: string;
  retrievedAt: string;
  extractionMethod: ExtractionMethod;
  confidence: number;
}

export interface Candidate {
  value: FieldScalar;
  unit: string | null;
  tier: Tier;
  provenance: Provenance;
}

/** A decided field: the winner, and all others in order of precedence. */
export interface CanonicalField extends Candidate {
  /** The best candidate with a different value (CON-06). */
  conflict: Candidate | null;
  estimated: boolean;
  inheritedFrom: ComplexName | null;
  alternatives: Candidate[];
}

/** One alias or use: the winner of its group, and the others of the group (CON-07). */
export interface CanonicalEntry extends Candidate {
  alternatives: Candidate[];
}

export interface CanonicalUse extends CanonicalEntry {
  category: Category;
}

export interface CanonicalVenue extends VenueObservation {
  provenance: Provenance;
}

export interface CanonicalGeometry {
  geometry: AreaGeometry;
  provenance: Provenance;
  alternatives: { geometry: AreaGeometry; provenance: Provenance }[];
}

export interface ConsultedRecord {
  source: Source;
  sourceRecordId: string;
  sourceUrl: string;
}

/** The consolidated data of a building, from its evidence alone. */
export interface Canonical {
  fields: Partial<Record<ScalarField, CanonicalField>>;
  aliases: CanonicalEntry[];
  assetTypes: CanonicalUse[];
  footprint: CanonicalGeometry | null;
  venues: CanonicalVenue[];
  records: ConsultedRecord[];
  /** The machi-aza that the sources of its footprint name, best first. */
  areas: string[];
  /** Machi-aza that other sources name. */
  hintedAreas: string[];
  /** Codes of the municipalities that the sources of its footprint state, best first. */
  municipalities: string[];
  point: Position | null;
  /** Distinct stored observations, including earlier revisions. */
  observations: number;
}
