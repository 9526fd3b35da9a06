import type { Candidate, Provenance } from '../vocabulary/canonical.ts';
import type { ComplexName, Observation, RecordEvidence, Statement, VenueObservation } from '../vocabulary/evidence.ts';
import type { Field } from '../vocabulary/fields.ts';
import type { Geometry } from '../vocabulary/geometry.ts';
import {
  confidenceOf,
  type ExtractionMethod,
  PLANNED_OR_INFERRED_CONFIDENCE,
  type Source,
} from '../vocabulary/sources.ts';
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
  /** When its current payload was first fetched. */
  since: string;
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

/** Something a record says now: where and when its revision first said it. */
interface Current<T> {
  item: T;
  statement: Seen;
  fetches: readonly string[];
}

export function currentClaims(record: RecordEvidence): CurrentClaims {
  const { source, sourceRecordId } = record;
  const seen = inOrder(record.statements);
  const since = currentRun(seen, () => true)[0] as Seen;
  const provenances: Provenance[] = [];

  /** One shared object for each provenance of the record. */
  const provenanceOf = (
    { sourceUrl, retrievedAt }: Seen,
    extractionMethod: ExtractionMethod,
    own?: number,
  ): Provenance => {
    const confidence = own ?? confidenceOf(source, extractionMethod) ?? 0;
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
  const toClaim = ({ item, statement, fetches }: Current<Observation>): Claim => {
    const { field, value, unit, tier } = item;
    const { complex, rawPayloadRef, order } = statement;
    const confidence = item.confidence ?? plannedConfidence(source, item, statement);
    const provenance = provenanceOf(statement, methodOf(item, statement), confidence);
    return { field, value, unit, tier, provenance, rawPayloadRef, order, complex, fetches };
  };
  const toRevision = ({ statement }: Current<unknown>): Revision => {
    const { rawPayloadRef, order, extractionMethod } = statement;
    return { rawPayloadRef, order, provenance: provenanceOf(statement, extractionMethod) };
  };

  // Where a complex lies, and who is in it, says nothing of the building.
  const own =
    <T>(items: (statement: Seen) => T[]) =>
    (statement: Seen) =>
      statement.complex === null ? items(statement) : [];
  const shape = newestOf(
    findCurrent(
      seen,
      own(({ geometry }) => (geometry === null ? [] : [geometry])),
      JSON.stringify,
    ),
  );
  // Where it stands is not withdrawn with what is said of it: a source that no longer says so has not moved it.
  const kept = seen.map((statement) => (statement.whole ? { ...statement, whole: false } : statement));
  const place = newestOf(
    findCurrent(
      kept,
      own(({ area }) => (area === null ? [] : [area])),
      String,
    ),
  );
  const tenants = findCurrent(
    seen,
    own(({ venues }) => venues),
    JSON.stringify,
  );
  const venueMethod = confidenceOf(source, 'poi-join') === undefined ? undefined : ('poi-join' as const);
  return {
    source,
    sourceRecordId,
    sourceUrl: sourceUrlOf(seen, since),
    since: since.retrievedAt,
    claims: currentObservations(seen).map(toClaim),
    geometry: shape === undefined ? null : { ...toRevision(shape), geometry: shape.item },
    area: place === undefined ? null : { ...toRevision(place), area: place.item },
    venues: tenants.map(({ item, statement }) => ({
      venue: item,
      provenance: provenanceOf(statement, venueMethod ?? statement.extractionMethod),
    })),
    observations: countDistinct(seen),
  };
}

/** CON-01, CON-02: of each field the values of its current revision, each once. */
function currentObservations(seen: readonly Seen[]): Current<Observation>[] {
  const fields = new Set<Field>();
  for (const { observations } of seen) for (const { field } of observations) fields.add(field);
  const [statement] = seen as [Seen];
  if (seen.length === 1 && fields.size === statement.observations.length) {
    // The usual case, one statement that says everything once, needs no search for what is current.
    const fetches = [statement.order];
    return statement.observations.map((item) => ({ item, statement, fetches }));
  }
  return [...fields].flatMap((field) =>
    findCurrent(
      seen,
      ({ observations }) => observations.filter((observation) => observation.field === field),
      ({ value }) => String(value),
    ),
  );
}

/**
 * What a record says now of one thing: the latest payload that speaks of it, through the unbroken
 * fetches that returned it, so that fetching it again changes nothing while A → B → A ends at A. A
 * statement that says all its source says withdraws what it does not have, also when the same payload
 * was read again with another result. Items are one by `textOf`.
 */
function findCurrent<T>(
  seen: readonly Seen[],
  itemsOf: (statement: Seen) => T[],
  textOf: (item: T) => string,
): Current<T>[] {
  if (seen.length === 1) {
    const statement = seen[0] as Seen;
    const items = itemsOf(statement);
    if (items.length < 2) return items.map((item) => ({ item, statement, fetches: [statement.order] }));
  }
  const run = currentRun(seen, (statement) => itemsOf(statement).length > 0);
  const found = new Map<string, { item: T; statement: Seen; fetches: string[] }>();
  for (const statement of run) {
    for (const item of itemsOf(statement)) {
      const text = textOf(item);
      const known = found.get(text);
      if (known === undefined) found.set(text, { item, statement, fetches: [statement.order] });
      else {
        known.fetches.push(statement.order);
        if (known.statement.order === statement.order && comesFirst(item, statement, known.item, known.statement)) {
          known.item = item;
          known.statement = statement;
        }
      }
    }
  }
  const since = run.findLast((statement) => statement.whole)?.order ?? '';
  return [...found.values()].filter(({ fetches }) => fetches.some((fetch) => fetch >= since));
}

/** Of two lines of one fetch that say the same, whichever: but always the same one (CON-17). */
function comesFirst(item: unknown, statement: Seen, other: unknown, otherStatement: Seen): boolean {
  const text = (i: unknown, { retrievedAt, sourceUrl, extractionMethod, complex }: Seen) =>
    JSON.stringify([retrievedAt, i, sourceUrl, extractionMethod, complex]);
  return text(item, statement) < text(other, otherStatement);
}

/** Where only one can hold: what was said last. */
function newestOf<T>(current: readonly Current<T>[]): Current<T> | undefined {
  return current.reduce<Current<T> | undefined>((best, other) => {
    if (best === undefined || other.statement.order > best.statement.order) return other;
    if (other.statement.order < best.statement.order) return best;
    return JSON.stringify(other.item) < JSON.stringify(best.item) ? other : best;
  }, undefined);
}

/** By retrieval, then by payload (CON-01); one moment can be written in several ways. */
function inOrder(statements: readonly Statement[]): Seen[] {
  const seen = statements.map((statement) =>
    Object.assign({ order: instantSortKey(statement.retrievedAt) }, statement),
  );
  return seen.sort(
    (a, b) =>
      compare(a.order, b.order) || compare(a.rawPayloadRef, b.rawPayloadRef) || compare(a.retrievedAt, b.retrievedAt),
  );
}

function currentRun(seen: readonly Seen[], speaks: (statement: Seen) => boolean): Seen[] {
  const run: Seen[] = [];
  for (let i = seen.length - 1; i >= 0; i--) {
    const statement = seen[i] as Seen;
    if (speaks(statement)) {
      if (run[0] !== undefined && run[0].rawPayloadRef !== statement.rawPayloadRef) break;
      run.unshift(statement);
    } else if (statement.whole && !seen.some((other) => isSameFetch(other, statement) && speaks(other))) {
      break;
    }
  }
  return run;
}

function isSameFetch(a: Seen, b: Seen): boolean {
  return a.order === b.order && a.rawPayloadRef === b.rawPayloadRef;
}

/** Where its current payload was first found; of two lines of one fetch, the address that sorts first. */
function sourceUrlOf(seen: readonly Seen[], since: Seen): string {
  const urls = seen.filter((statement) => isSameFetch(statement, since)).map(({ sourceUrl }) => sourceUrl);
  return urls.sort()[0] as string;
}

/** An observation is its source record, field, raw payload reference and value (CON-04). */
function countDistinct(seen: readonly Seen[]): number {
  const keys = new Set<string>();
  for (const { rawPayloadRef, observations } of seen) {
    for (const { field, value } of observations) keys.add(`${field} ${rawPayloadRef} ${value}`);
  }
  return keys.size;
}

/** CON-08: what a register says of a completion that was still to come when it was read is a plan. */
function plannedConfidence(source: Source, { field, value }: Observation, { retrievedAt }: Seen): number | undefined {
  if (source !== 'greenbuilding' || (field !== 'completionMonth' && field !== 'yearBuilt')) return undefined;
  const completed = String(value);
  return completed > retrievedAt.slice(0, completed.length) ? PLANNED_OR_INFERRED_CONFIDENCE : undefined;
}

function methodOf(observation: Observation, { complex, extractionMethod }: Seen): ExtractionMethod {
  return complex === null ? (observation.extractionMethod ?? extractionMethod) : 'inherited-complex';
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
