import { type CurrentClaims, currentClaims } from '../consolidation/current-claims.ts';
import {
  findStatements,
  recordIdOf,
  type SourceRecord,
  type StatementSummary,
} from '../observations/source-records.ts';
import { decodeBody } from '../observations/statement-codec.ts';
import type { Db } from '../storage/storage.ts';
import type { Field } from '../vocabulary/fields.ts';
import type { Geometry } from '../vocabulary/geometry.ts';
import type { Source } from '../vocabulary/sources.ts';

/** What some records say now. */
export async function loadClaims(db: Db, records: readonly SourceRecord[]): Promise<Map<number, CurrentClaims>> {
  return loadOf(db, records, claimsOf);
}

/** The shape that each of some records has now, where it has one. */
export async function loadGeometries(db: Db, records: readonly SourceRecord[]): Promise<Map<number, Geometry>> {
  return loadOf(db, records, (record, said) => {
    const [only, another] = said as [StatementSummary, StatementSummary | undefined];
    if (another !== undefined) return claimsOf(record, said).geometry?.geometry;
    const { geometry, complex } = JSON.parse(only.body) as { geometry?: Geometry; complex?: unknown };
    return complex === undefined ? geometry : undefined;
  });
}

async function loadOf<T>(
  db: Db,
  records: readonly SourceRecord[],
  read: (record: SourceRecord, said: readonly StatementSummary[]) => T | undefined,
): Promise<Map<number, T>> {
  const said = new Map<number, StatementSummary[]>();
  const statements = await findStatements(
    db,
    records.map((record) => record.id),
  );
  for (const statement of statements) {
    const known = said.get(statement.record);
    if (known === undefined) said.set(statement.record, [statement]);
    else known.push(statement);
  }
  const found = new Map<number, T>();
  for (const record of records) {
    const own = said.get(record.id);
    const value = own === undefined ? undefined : read(record, own);
    if (value !== undefined) found.set(record.id, value);
  }
  return found;
}

export function claimsOf({ source, key }: SourceRecord, said: readonly StatementSummary[]): CurrentClaims {
  const statements = said.flatMap(({ retrieved_at, raw_payload_ref, body, seen }) => {
    const statement = decodeBody(retrieved_at, raw_payload_ref, body);
    const again = said.length === 1 || seen == null ? [] : seen.split(' ');
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
