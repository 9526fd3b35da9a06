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

/** From an observation, its statement, the first of the statements of its revision, and when that was fetched. */
type MakeClaim = (observation: Observation, statement: Seen, first: Seen, fetches: readonly string[]) => void;

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
  const claim: MakeClaim = (observation, { complex, extractionMethod }, first, fetches) => {
    const { field, value, unit, tier } = observation;
    const method = complex === null ? (observation.extractionMethod ?? extractionMethod) : 'inherited-complex';
    const confidence = observation.confidence ?? confidenceOf(record.source, method) ?? 0;
    const provenance = provenanceOf(first, method, confidence);
    const { rawPayloadRef, order } = first;
    claims.push({ field, value, unit, tier, provenance, rawPayloadRef, order, complex, fetches });
  };
  const fields = fieldsOf(seen);
  if (seen.length === 1 && fields.size === newest.observations.length) {
    // The usual case, one statement that says everything once, needs no search for what is current.
    const fetches = [newest.order];
    for (const observation of newest.observations) claim(observation, newest, newest, fetches);
  } else {
    claimCurrent(seen, fields, claim);
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

/** CON-01, CON-02: of each field the values of its current revision, each once. */
function claimCurrent(seen: readonly Seen[], fields: ReadonlySet<Field>, claim: MakeClaim): void {
  for (const field of fields) {
    const run = currentRun(seen, (statement) => statement.observations.some((o) => o.field === field));
    if (run === undefined) continue;
    const fetches = run.map((statement) => statement.order);
    for (const [statement, observation] of distinctObservations(run, field)) {
      claim(observation, statement, run[0] as Seen, fetches);
    }
  }
}

/** By retrieval, then by payload (CON-01); the rest of the order only makes it total. */
function inOrder(statements: readonly Statement[]): Seen[] {
  const seen = statements.map(
    ({
      sourceUrl,
      retrievedAt,
      rawPayloadRef,
      extractionMethod,
      whole,
      area,
      geometry,
      observations,
      venues,
      complex,
    }) => {
      const order = instantSortKey(retrievedAt);
      return {
        sourceUrl,
        retrievedAt,
        rawPayloadRef,
        extractionMethod,
        whole,
        area,
        geometry,
        observations,
        venues,
        complex,
        order,
      };
    },
  );
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

function fieldsOf(seen: readonly Seen[]): Set<Field> {
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

function revisionOf(run: readonly Seen[], provenanceOf: (first: Seen) => Provenance): Revision {
  const first = run[0] as Seen;
  return { rawPayloadRef: first.rawPayloadRef, order: first.order, provenance: provenanceOf(first) };
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
