import type { Candidate, Provenance } from '../vocabulary/canonical.ts';
import type { ComplexName, Observation, RecordEvidence, VenueObservation } from '../vocabulary/evidence.ts';
import type { Field } from '../vocabulary/fields.ts';
import type { Geometry } from '../vocabulary/geometry.ts';
import { municipalityInId } from '../vocabulary/municipalities.ts';
import {
  confidenceOf,
  type ExtractionMethod,
  PLANNED_OR_INFERRED_CONFIDENCE,
  type Source,
} from '../vocabulary/sources.ts';
import { dayInJapan } from '../vocabulary/time.ts';
import {
  type Current,
  type Fetch,
  fetchesOf,
  findCurrent,
  type Identity,
  type TimedStatement,
} from './current-revision.ts';

/** What orders two claims of one source: when the current revision was first retrieved, then the payload. */
export interface Revision {
  rawPayloadRef: string;
  /** Sort key of the retrieval. */
  order: string;
  provenance: Provenance;
}

/** A value of the current revision of its source record and field (CON-01, CON-02). */
export interface Claim extends Candidate, Revision {
  field: Field;
  complex: ComplexName | null;
  /** The consecutive fetches that stated it, up to the current one (CON-10). */
  fetches: readonly string[];
}

export interface CurrentClaims {
  source: Source;
  sourceRecordId: string;
  sourceUrl: string;
  /** When its current payload was first retrieved. */
  since: string;
  claims: Claim[];
  geometry: (Revision & { geometry: Geometry }) | null;
  venues: { venue: VenueObservation; provenance: Provenance }[];
  area: (Revision & { area: string }) | null;
  /** The municipality that it states, otherwise that of its ID. */
  municipality: string | null;
  /** Linked records of other sources. */
  links: string[];
  /** Distinct stored observations, including earlier revisions (CON-03, CON-04). */
  observations: number;
}

export function currentClaims(record: RecordEvidence): CurrentClaims {
  const { source, sourceRecordId } = record;
  const fetches = fetchesOf(record.statements);
  const provenances: Provenance[] = [];

  /** One shared object per provenance. */
  const provenanceOf = (
    { sourceUrl, retrievedAt }: TimedStatement,
    extractionMethod: ExtractionMethod,
    ownConfidence?: number,
  ): Provenance => {
    const confidence = ownConfidence ?? confidenceOf(source, extractionMethod) ?? 0;
    let provenance = provenances.find(
      (p) =>
        p.extractionMethod === extractionMethod &&
        p.confidence === confidence &&
        p.retrievedAt === retrievedAt &&
        p.sourceUrl === sourceUrl,
    );
    if (provenance === undefined) {
      provenance = { source, sourceRecordId, sourceUrl, retrievedAt, extractionMethod, confidence };
      provenances.push(provenance);
    }
    return provenance;
  };
  const observations = currentObservations(fetches);
  const completions =
    source === 'greenbuilding'
      ? observations.flatMap(({ item }) => (item.field === 'completionMonth' ? String(item.value) : []))
      : [];
  const toClaim = ({ item, statement, fetches: orders }: Current<Observation>): Claim => {
    const { field, value, unit, tier } = item;
    const { complex, rawPayloadRef, order } = statement;
    const confidence =
      item.confidence ?? (isPlanned(source, item, statement, completions) ? PLANNED_OR_INFERRED_CONFIDENCE : undefined);
    const provenance = provenanceOf(statement, methodOf(item, statement), confidence);
    return { field, value, unit, tier, provenance, rawPayloadRef, order, complex, fetches: orders };
  };
  const toRevision = ({ statement }: Current<unknown>): Revision => {
    const { rawPayloadRef, order, extractionMethod } = statement;
    return { rawPayloadRef, order, provenance: provenanceOf(statement, extractionMethod) };
  };

  // The location and venues of a complex are not those of the building.
  const ofBuilding =
    <T>(items: (statement: TimedStatement) => T[]) =>
    (statement: TimedStatement) =>
      statement.complex === null ? items(statement) : [];
  // The first of several is the one stated last.
  const [shape] = findCurrent(
    fetches,
    ofBuilding(({ geometry }) => (geometry === null ? [] : [geometry])),
    BY_CONTENT,
  );
  // Location is not withdrawn: a source that no longer states it has not moved the building.
  const withoutWithdrawal = fetches.map((fetch) => (fetch.whole ? { ...fetch, whole: false } : fetch));
  const [area] = findCurrent(
    withoutWithdrawal,
    ofBuilding(({ area }) => (area === null ? [] : [area])),
    BY_CONTENT,
  );
  const [municipality] = findCurrent(
    withoutWithdrawal,
    ofBuilding(({ municipality }) => (municipality === undefined ? [] : [municipality])),
    BY_CONTENT,
  );
  const venues = findCurrent(
    fetches,
    ofBuilding(({ venues }) => venues),
    BY_CONTENT,
  );
  const links = findCurrent(fetches, (statement) => statement.links ?? [], BY_CONTENT);
  const venueMethod = confidenceOf(source, 'poi-join') === undefined ? undefined : ('poi-join' as const);
  return {
    source,
    sourceRecordId,
    sourceUrl: currentUrl(fetches),
    since: payloadSince(fetches),
    claims: observations.map(toClaim),
    geometry: shape === undefined ? null : { ...toRevision(shape), geometry: shape.item },
    area: area === undefined ? null : { ...toRevision(area), area: area.item },
    municipality: municipality?.item ?? municipalityInId(source, sourceRecordId) ?? null,
    venues: venues.map(({ item, statement }) => ({
      venue: item,
      provenance: provenanceOf(statement, venueMethod ?? statement.extractionMethod),
    })),
    links: links.map(({ item }) => item),
    observations: countDistinct(fetches),
  };
}

/** CON-01, CON-02: the values of the current revision of each field, each once. */
function currentObservations(fetches: readonly Fetch[]): Current<Observation>[] {
  const statements = fetches.flatMap((fetch) => fetch.statements);
  const fields = new Set<Field>();
  for (const { observations } of statements) for (const { field } of observations) fields.add(field);
  const [statement] = statements as [TimedStatement];
  if (statements.length === 1 && fields.size === statement.observations.length) {
    // Fast path for the usual case: one statement with every value once.
    const orders = [statement.order];
    return statement.observations.map((item) => ({ item, statement, fetches: orders }));
  }
  return [...fields].flatMap((field) =>
    findCurrent(
      fetches,
      ({ observations }) => observations.filter((observation) => observation.field === field),
      AS_OBSERVATION,
    ),
  );
}

const AS_OBSERVATION: Identity<Observation> = {
  key: ({ value }) => String(value),
  details: (item, statement) => [item.unit, item.tier, methodOf(item, statement), item.confidence ?? null],
};

const BY_CONTENT: Identity<unknown> = {
  key: (item) => JSON.stringify(item),
  details: (_, { extractionMethod }) => [extractionMethod],
};

/** When the current payload was first retrieved, in its consecutive fetches. */
function payloadSince(fetches: readonly Fetch[]): string {
  const newest = fetches[0] as Fetch;
  const next = fetches.findIndex(({ rawPayloadRef }) => rawPayloadRef !== newest.rawPayloadRef);
  const first = fetches.at(next === -1 ? -1 : next - 1) as Fetch;
  return (first.statements[0] as TimedStatement).retrievedAt;
}

/** The URL of the latest fetch; of several lines, the first in sort order. */
function currentUrl([newest]: readonly Fetch[]): string {
  const urls = (newest as Fetch).statements.map(({ sourceUrl }) => sourceUrl);
  return urls.sort()[0] as string;
}

/** CON-04: an observation is identified by source record, field, payload reference and value. */
function countDistinct(fetches: readonly Fetch[]): number {
  const keys = new Set<string>();
  for (const { rawPayloadRef, statements } of fetches) {
    for (const { observations } of statements) {
      for (const { field, value } of observations) {
        // The length delimits the reference, which may contain spaces.
        keys.add(`${field} ${rawPayloadRef.length} ${rawPayloadRef} ${value}`);
      }
    }
  }
  return keys.size;
}

/**
 * CON-08: a completion in the register of plans that was still in the future in Japan when it was read, or its year if
 * the record's month of completion is in it and was still in the future.
 */
function isPlanned(
  source: Source,
  { field, value }: Observation,
  { retrievedAt }: TimedStatement,
  completions: readonly string[],
): boolean {
  if (source !== 'greenbuilding' || (field !== 'completionMonth' && field !== 'yearBuilt')) return false;
  const today = dayInJapan(retrievedAt);
  const isFuture = (date: string) => date > today.slice(0, date.length);
  if (field === 'completionMonth') return isFuture(String(value));
  const year = String(value).padStart(4, '0');
  return isFuture(year) || completions.some((month) => month.startsWith(`${year}-`) && isFuture(month));
}

function methodOf(observation: Observation, { complex, extractionMethod }: TimedStatement): ExtractionMethod {
  return complex === null ? (observation.extractionMethod ?? extractionMethod) : 'inherited-complex';
}
