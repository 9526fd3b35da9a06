import {
  assignRecords,
  findStatements,
  NAMES_NONE,
  NAMES_SEVERAL,
  namesOne,
  recordsNamedForSeveral,
  type SourceRecord,
  type StatementSummary,
} from '../observations/source-records.ts';
import { payloadRef } from '../observations/statement-codec.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import { findSurvivors } from '../registry/identity.ts';
import type { Storage } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { REGISTERS } from '../vocabulary/sources.ts';
import { instantSortKey } from '../vocabulary/time.ts';

/**
 * Which row of a source record stores a line. It depends only on the set of lines, not on their order:
 * - A record of a register has one row (CON-09).
 * - A record of another source that is named for one building has one row, which also stores lines without a name.
 * - Named for several buildings, it has one row for each, and one more for lines without a name.
 */
export function findRow(rows: readonly SourceRecord[], building: AssetKey | null): SourceRecord | undefined {
  const [first] = rows;
  if (first === undefined || REGISTERS.has(first.source)) return first;
  const named = rows.filter(({ claimed }) => namesOne(claimed));
  if (building !== null) {
    return rows.find(({ claimed }) => claimed === building) ?? (named.length === 0 ? first : undefined);
  }
  if (named.length < 2) return first;
  return rows.find(({ claimed }) => claimed === NAMES_SEVERAL);
}

/** The building that a new row is named for. */
export function claimOfNewRow(rows: readonly SourceRecord[], building: AssetKey | null): number {
  return building ?? (rows.length === 0 ? NAMES_NONE : NAMES_SEVERAL);
}

/** The row whose unnamed lines move to a row of their own, because its record is now named for a second building. */
export function rowToSplit(rows: readonly SourceRecord[], building: AssetKey | null): SourceRecord | undefined {
  const [only, another] = rows;
  return building === null || another !== undefined || only === undefined || only.claimed === building
    ? undefined
    : only;
}

type NamingStatement = Pick<StatementSummary, 'claimed' | 'retrieved_at' | 'payload' | 'body'>;

/** CON-09: the one building that the latest naming fetch names; later fetches without a name do not revoke it. */
export function claimOfRegister(statements: readonly NamingStatement[]): number {
  const [only, another] = namesOfRegister(statements);
  return only === undefined ? NAMES_NONE : another === undefined ? only : NAMES_SEVERAL;
}

/** The buildings that the latest naming fetch of a register's record names. */
function namesOfRegister(statements: readonly NamingStatement[]): AssetKey[] {
  const naming = statements.filter(({ claimed }) => namesOne(claimed));
  const orders = naming.map((statement) => `${instantSortKey(statement.retrieved_at)} ${payloadRef(statement)}`);
  const last = [...orders].sort().at(-1);
  return [...new Set(naming.filter((_, i) => orders[i] === last).map(({ claimed }) => claimed))].sort((a, b) => a - b);
}

/** CON-09: once the buildings that a register's record names are merged, it is assigned to the survivor. */
export async function resolveAmbiguousNames(storage: Storage): Promise<void> {
  const records = (await recordsNamedForSeveral(storage.db)).filter(({ source }) => REGISTERS.has(source));
  if (records.length === 0) return;
  await storage.transaction(async (tx) => {
    const stale = new Set<AssetKey>();
    for (const record of records) {
      const names = namesOfRegister(await findStatements(tx.db, [record.id]));
      const survivors = await findSurvivors(tx.db, names);
      const isOne = survivors.size === names.length && new Set(survivors.values()).size === 1;
      const building = isOne ? (names[0] as AssetKey) : null;
      if (building === record.building) continue;
      for (const touched of [record.building, building]) if (touched !== null) stale.add(touched);
      await assignRecords(tx, [{ id: record.id, building, reason: isOne ? null : 'ambiguous' }]);
    }
    await markBuildingsStale(tx, stale);
  });
}
