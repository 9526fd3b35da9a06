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

/** What decides between two claims of one source: when the current revision was first retrieved, then the payload. */
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
  /** The fetches that stated it, in the unbroken run that leads to the current one (CON-10). */
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
  /** The code of the municipality that it states, else that its ID begins with. */
  municipality: string | null;
  /** Records of other sources that it names. */
  links: string[];
  /** Distinct observations kept, earlier revisions included (CON-03, CON-04). */
  observations: number;
}

export function currentClaims(record: RecordEvidence): CurrentClaims {
  const { source, sourceRecordId } = record;
  const fetches = fetchesOf(record.statements);
  const provenances: Provenance[] = [];

  /** One shared object for each provenance of the record. */
  const provenanceOf = (
    { sourceUrl, retrievedAt }: TimedStatement,
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

  // Where a complex lies, and who is in it, says nothing of the building.
  const own =
    <T>(items: (statement: TimedStatement) => T[]) =>
    (statement: TimedStatement) =>
      statement.complex === null ? items(statement) : [];
  // Where only one can hold, it is the one stated last: the first.
  const [shape] = findCurrent(
    fetches,
    own(({ geometry }) => (geometry === null ? [] : [geometry])),
    BY_CONTENT,
  );
  // Neither is withdrawn: a source that no longer states them has not moved the building.
  const withoutWithdrawal = fetches.map((fetch) => (fetch.whole ? { ...fetch, whole: false } : fetch));
  const [place] = findCurrent(
    withoutWithdrawal,
    own(({ area }) => (area === null ? [] : [area])),
    BY_CONTENT,
  );
  const [jurisdiction] = findCurrent(
    withoutWithdrawal,
    own(({ municipality }) => (municipality === undefined ? [] : [municipality])),
    BY_CONTENT,
  );
  const tenants = findCurrent(
    fetches,
    own(({ venues }) => venues),
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
    area: place === undefined ? null : { ...toRevision(place), area: place.item },
    municipality: jurisdiction?.item ?? municipalityInId(source, sourceRecordId) ?? null,
    venues: tenants.map(({ item, statement }) => ({
      venue: item,
      provenance: provenanceOf(statement, venueMethod ?? statement.extractionMethod),
    })),
    links: links.map(({ item }) => item),
    observations: countDistinct(fetches),
  };
}

/** CON-01, CON-02: of each field the values of its current revision, each once. */
function currentObservations(fetches: readonly Fetch[]): Current<Observation>[] {
  const statements = fetches.flatMap((fetch) => fetch.statements);
  const fields = new Set<Field>();
  for (const { observations } of statements) for (const { field } of observations) fields.add(field);
  const [statement] = statements as [TimedStatement];
  if (statements.length === 1 && fields.size === statement.observations.length) {
    // The usual case, one statement that says everything once, needs no search for what is current.
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

/** When the payload that is current was first retrieved, in the unbroken run of its fetches. */
function payloadSince(fetches: readonly Fetch[]): string {
  const newest = fetches[0] as Fetch;
  const next = fetches.findIndex(({ rawPayloadRef }) => rawPayloadRef !== newest.rawPayloadRef);
  const first = fetches.at(next === -1 ? -1 : next - 1) as Fetch;
  return (first.statements[0] as TimedStatement).retrievedAt;
}

/** Where the latest fetch was found; of several lines, the address that sorts first. */
function currentUrl([newest]: readonly Fetch[]): string {
  const urls = (newest as Fetch).statements.map(({ sourceUrl }) => sourceUrl);
  return urls.sort()[0] as string;
}

/** An observation is its source record, field, raw payload reference and value (CON-04). */
function countDistinct(fetches: readonly Fetch[]): number {
  const keys = new Set<string>();
  for (const { rawPayloadRef, statements } of fetches) {
    for (const { observations } of statements) {
      for (const { field, value } of observations) {
        // The length tells where the reference ends, which may contain spaces.
        keys.add(`${field} ${rawPayloadRef.length} ${rawPayloadRef} ${value}`);
      }
    }
  }
  return keys.size;
}

/**
 * CON-08: a completion that the register of plans states was still to come in Japan when it was read. So was its year,
 * where the record's month of completion lies in it and was still to come.
 */
function isPlanned(
  source: Source,
  { field, value }: Observation,
  { retrievedAt }: TimedStatement,
  completions: readonly string[],
): boolean {
  if (source !== 'greenbuilding' || (field !== 'completionMonth' && field !== 'yearBuilt')) return false;
  const today = dayInJapan(retrievedAt);
  const isToCome = (date: string) => date > today.slice(0, date.length);
  if (field === 'completionMonth') return isToCome(String(value));
  const year = String(value).padStart(4, '0');
  return isToCome(year) || completions.some((month) => month.startsWith(`${year}-`) && isToCome(month));
}

function methodOf(observation: Observation, { complex, extractionMethod }: TimedStatement): ExtractionMethod {
  return complex === null ? (observation.extractionMethod ?? extractionMethod) : 'inherited-complex';
}
