import type { Candidate, Provenance } from '../vocabulary/canonical.ts';
import type { ComplexName, Observation, RecordEvidence, Statement, VenueObservation } from '../vocabulary/evidence.ts';
import type { Field } from '../vocabulary/fields.ts';
import type { Geometry } from '../vocabulary/geometry.ts';
import { confidenceOf, type ExtractionMethod, type Source } from '../vocabulary/sources.ts';
import { instantSortKey } from '../vocabulary/time.ts';

/** What decides between two claims of one source: when it was first seen in this revision, then the payload. */
export interface Revision {
  rawPayloadRef: string;
  /** Sort key of the retrieval. */
  order: string;
  provenance: Provenance;
}

/** A value that competes: one of the current revision of its source record and field (CON-01, CON-02). */
export interface Claim extends Candidate, Revision {
  field: Field;
  complex: ComplexName | null;
  /** The fetches in which this revision was seen (CON-10). */
  fetches: readonly string[];
}

export interface CurrentClaims {
  source: Source;
  sourceRecordId: string;
  sourceUrl: string;
  claims: Claim[];
  geometry: (Revision & { geometry: Geometry }) | null;
  venues: { venue: VenueObservation; provenance: Provenance }[];
  area: (Revision & { area: string }) | null;
  /** Distinct observations kept, earlier revisions included (CON-03, CON-04). */
  observations: number;
}

interface Seen extends Statement {
  order: string;
}

export function currentClaims(record: RecordEvidence): CurrentClaims {
  const seen = inOrder(record.statements);
  const provenances: Provenance[] = [];
  const newest = seen[seen.length - 1] as Seen;

  /** One shared object for each provenance of the record. */
  const provenanceOf = (first: Seen, method: ExtractionMethod, confidence: number): Provenance => {
    let provenance = provenances.find(
      (p) =>
        p.extractionMethod === method &&
        p.confidence === confidence &&
        p.retrievedAt === first.retrievedAt &&
        p.sourceUrl === first.sourceUrl,
    );
    if (provenance === undefined) {
      provenance = {
        source: record.source,
        sourceRecordId: record.sourceRecordId,
        sourceUrl: first.sourceUrl,
        retrievedAt: first.retrievedAt,
        extractionMethod: method,
        confidence,
      };
      provenances.push(provenance);
    }
    return provenance;
  };
  const recordProvenance = (first: Seen) =>
    provenanceOf(first, first.extractionMethod, confidenceOf(record.source, first.extractionMethod) ?? 0);

  const claims: Claim[] = [];
  for (const field of fieldsOf(seen)) {
    const run = currentRun(seen, (statement) => statement.observations.some((o) => o.field === field));
    if (run === undefined) continue;
    const first = run[0] as Seen;
    const fetches = run.map((statement) => statement.order);
    for (const [statement, observation] of distinctObservations(run, field)) {
      const method = methodOf(statement, observation);
      const confidence = observation.confidence ?? confidenceOf(record.source, method) ?? 0;
      claims.push({
        field,
        value: observation.value,
        unit: observation.unit,
        tier: observation.tier,
        provenance: provenanceOf(first, method, confidence),
        rawPayloadRef: first.rawPayloadRef,
        order: first.order,
        complex: statement.complex,
        fetches,
      });
    }
  }

  // Where a complex lies does not say where the building stands.
  const shape = currentRun(seen, (statement) => statement.geometry !== null && statement.complex === null);
  const place = currentRun(seen, (statement) => statement.area !== null && statement.complex === null);
  const tenants = currentRun(seen, (statement) => statement.venues.length > 0);
  const venueMethod = confidenceOf(record.source, 'poi-join') === undefined ? undefined : ('poi-join' as const);
  return {
    source: record.source,
    sourceRecordId: record.sourceRecordId,
    sourceUrl: newest.sourceUrl,
    claims,
    geometry: shape ? { ...revisionOf(shape, recordProvenance), geometry: shape[0]?.geometry as Geometry } : null,
    area: place ? { ...revisionOf(place, recordProvenance), area: place[0]?.area as string } : null,
    venues: (tenants ?? []).flatMap((statement) =>
      statement.venues.map((venue) => {
        const method = venueMethod ?? statement.extractionMethod;
        const first = (tenants as Seen[])[0] as Seen;
        return { venue, provenance: provenanceOf(first, method, confidenceOf(record.source, method) ?? 0) };
      }),
    ),
    observations: countDistinct(seen),
  };
}

/** By retrieval, then by payload (CON-01); the rest of the order only makes it total. */
function inOrder(statements: readonly Statement[]): Seen[] {
  const seen = statements.map((statement) => ({ ...statement, order: instantSortKey(statement.retrievedAt) }));
  if (seen.length === 1) return seen;
  return seen.sort(
    (a, b) =>
      compare(a.order, b.order) ||
      compare(a.rawPayloadRef, b.rawPayloadRef) ||
      compare(JSON.stringify(a), JSON.stringify(b)),
  );
}

/**
 * The current revision of whatever `speaks` tests for: the latest payload that speaks of it, from the
 * first of the unbroken fetches that returned it, so that fetching it again changes nothing while
 * A → B → A ends at A. A later statement that says all its source says, without it, withdraws it.
 */
function currentRun(seen: readonly Seen[], speaks: (statement: Seen) => boolean): Seen[] | undefined {
  const run: Seen[] = [];
  for (let i = seen.length - 1; i >= 0; i--) {
    const statement = seen[i] as Seen;
    if (speaks(statement)) {
      if (run[0] !== undefined && run[0].rawPayloadRef !== statement.rawPayloadRef) break;
      run.unshift(statement);
    } else if (statement.whole && !spokenOfInSameFetch(seen, statement, speaks)) {
      break;
    }
  }
  return run.length > 0 ? run : undefined;
}

function spokenOfInSameFetch(seen: readonly Seen[], whole: Seen, speaks: (statement: Seen) => boolean): boolean {
  return seen.some(
    (other) => other.order === whole.order && other.rawPayloadRef === whole.rawPayloadRef && speaks(other),
  );
}

function fieldsOf(seen: readonly Seen[]): Iterable<Field> {
  const fields = new Set<Field>();
  for (const statement of seen) for (const observation of statement.observations) fields.add(observation.field);
  return fields;
}

function distinctObservations(run: readonly Seen[], field: Field): [Seen, Observation][] {
  const found: [Seen, Observation][] = [];
  for (const statement of run) {
    for (const observation of statement.observations) {
      if (observation.field !== field) continue;
      if (!found.some(([, other]) => other.value === observation.value)) found.push([statement, observation]);
    }
  }
  return found;
}

/** An observation is its source record, field, raw payload reference and value (CON-04). */
function countDistinct(seen: readonly Seen[]): number {
  if (seen.length === 1) {
    const { observations } = seen[0] as Seen;
    const repeated = observations.filter(
      (o, i) => observations.findIndex((p) => p.field === o.field && p.value === o.value) < i,
    );
    return observations.length - repeated.length;
  }
  const keys = new Set<string>();
  for (const { rawPayloadRef, observations } of seen) {
    for (const { field, value } of observations) keys.add(JSON.stringify([field, rawPayloadRef, value]));
  }
  return keys.size;
}

function methodOf(statement: Statement, observation: Observation): ExtractionMethod {
  if (statement.complex !== null) return 'inherited-complex';
  return observation.extractionMethod ?? statement.extractionMethod;
}

function revisionOf(run: readonly Seen[], provenanceOf: (first: Seen) => Provenance): Revision {
  const first = run[0] as Seen;
  return { rawPayloadRef: first.rawPayloadRef, order: first.order, provenance: provenanceOf(first) };
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
