import { type CurrentClaims, currentClaims } from '../consolidation/current-claims.ts';
import {
  findStatements,
  recordIdOf,
  type SourceRecord,
  type StatementSummary,
} from '../observations/source-records.ts';
import { decodeBody } from '../observations/statement-codec.ts';
import { expandText } from '../storage/compact/compact.ts';
import type { Db } from '../storage/storage.ts';
import type { Field } from '../vocabulary/fields.ts';
import type { Geometry } from '../vocabulary/geometry.ts';
import type { Source } from '../vocabulary/sources.ts';

/** The current claims of records. */
export async function loadClaims(db: Db, records: readonly SourceRecord[]): Promise<Map<number, CurrentClaims>> {
  return loadStatements(db, records, claimsOf);
}

/** The current geometry of records that have one. */
export async function loadGeometries(db: Db, records: readonly SourceRecord[]): Promise<Map<number, Geometry>> {
  return loadStatements(db, records, (record, summaries) => {
    const [only, another] = summaries as [StatementSummary, StatementSummary | undefined];
    if (another !== undefined) return claimsOf(record, summaries).geometry?.geometry;
    const { geometry, complex } = JSON.parse(expandText(only.body)) as { geometry?: Geometry; complex?: unknown };
    return complex === undefined ? geometry : undefined;
  });
}

async function loadStatements<T>(
  db: Db,
  records: readonly SourceRecord[],
  read: (record: SourceRecord, summaries: readonly StatementSummary[]) => T | undefined,
): Promise<Map<number, T>> {
  const summaries = new Map<number, StatementSummary[]>();
  const statements = await findStatements(
    db,
    records.map((record) => record.id),
  );
  for (const statement of statements) {
    const known = summaries.get(statement.record);
    if (known === undefined) summaries.set(statement.record, [statement]);
    else known.push(statement);
  }
  const found = new Map<number, T>();
  for (const record of records) {
    const own = summaries.get(record.id);
    const value = own === undefined ? undefined : read(record, own);
    if (value !== undefined) found.set(record.id, value);
  }
  return found;
}

export function claimsOf({ source, key }: SourceRecord, summaries: readonly StatementSummary[]): CurrentClaims {
  const statements = summaries.flatMap(({ retrieved_at, payload, body, seen }) => {
    const statement = decodeBody(retrieved_at, payload, body);
    const again = summaries.length === 1 || seen == null ? [] : seen.split(' ');
    return [statement, ...again.map((retrievedAt) => ({ ...statement, retrievedAt }))];
  });
  return currentClaims({ source: source as Source, sourceRecordId: recordIdOf(key), statements });
}

/** The texts that a record gives for some fields. */
export function textsOf({ claims }: CurrentClaims, ...fields: Field[]): string[] {
  return claims.flatMap(({ field, value, complex }) =>
    complex === null && fields.includes(field) ? [String(value)] : [],
  );
}
