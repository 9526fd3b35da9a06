import {
  assignRecords,
  findStatements,
  NAMES_NONE,
  NAMES_SEVERAL,
  namesOne,
  recordsNamedForSeveral,
  type SourceRecord,
} from '../observations/source-records.ts';
import { markBuildingsStale } from '../registry/buildings.ts';
import { findSurvivors } from '../registry/identity.ts';
import type { Storage } from '../storage/storage.ts';
import type { AssetKey } from '../vocabulary/asset-id.ts';
import { REGISTERS } from '../vocabulary/sources.ts';
import { instantSortKey } from '../vocabulary/time.ts';

/**
 * Which row of a source record keeps what a line says. All of this follows from the set of its lines, whatever
 * their order:
 * - A register's record has one row (CON-09).
 * - Of another source, a record named for one building has one row. Lines without a name belong to it.
 * - Named for several buildings, it has a row for each; lines without a name are set aside in a row of their own.
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

/** What the row of a line that found none is named for. */
export function claimOfNewRow(rows: readonly SourceRecord[], building: AssetKey | null): number {
  return building ?? (rows.length === 0 ? NAMES_NONE : NAMES_SEVERAL);
}

/** The row whose lines without a name are to be set aside, because its record is now named for a second building. */
export function rowToSplit(rows: readonly SourceRecord[], building: AssetKey | null): SourceRecord | undefined {
  const [only, another] = rows;
  return building === null || another !== undefined || only === undefined || only.claimed === building
    ? undefined
    : only;
}

interface Said {
  claimed: number;
  retrieved_at: string;
  raw_payload_ref: string;
}

/** CON-09: the one building that the latest fetch names; later fetches without a name do not take it back. */
export function claimOfRegister(said: readonly Said[]): number {
  const [only, another] = namesOfRegister(said);
  return only === undefined ? NAMES_NONE : another === undefined ? only : NAMES_SEVERAL;
}

/** The buildings that the latest fetch of a register's record names. */
function namesOfRegister(said: readonly Said[]): AssetKey[] {
  const naming = said.filter(({ claimed }) => namesOne(claimed));
  const orders = naming.map(
    ({ retrieved_at, raw_payload_ref }) => `${instantSortKey(retrieved_at)} ${raw_payload_ref}`,
  );
  const last = [...orders].sort().at(-1);
  return [...new Set(naming.filter((_, i) => orders[i] === last).map(({ claimed }) => claimed))].sort((a, b) => a - b);
}

/** CON-09: a register's record that is named for several buildings is about one after all, once they are merged. */
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
