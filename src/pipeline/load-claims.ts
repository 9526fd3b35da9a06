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
import type { Source } from '../vocabulary/sources.ts';

/** What some records say now. */
export async function loadClaims(db: Db, records: readonly SourceRecord[]): Promise<Map<number, CurrentClaims>> {
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
  const claims = new Map<number, CurrentClaims>();
  for (const record of records) {
    const own = said.get(record.id);
    if (own !== undefined) claims.set(record.id, claimsOf(record, own));
  }
  return claims;
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

export function addressesIn(record: SourceRecord, said: readonly StatementSummary[]): string[] {
  return said.length === 0 ? [] : textsOf(claimsOf(record, said), 'addressJa');
}
