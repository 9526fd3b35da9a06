import { hash } from 'node:crypto';
import { batches, type Db, type Tx } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import type { Canonical, CanonicalEntry } from '../../vocabulary/canonical.ts';
import { type AddressReader, houseNumbersOf, normaliseName } from '../register-rule.ts';

/**
 * RCN-01: published buildings are found by hashes of their names and addresses, those that lost included. A hash is
 * only a candidate: `findBuildings` compares what it stands for.
 */
export interface LookupKeys {
  building: AssetKey;
  /** Sorted, each once. */
  keys: readonly number[];
}

export const nameKey = (normalisedName: string): number => toKey(`name ${normalisedName}`);
/** A key for each house number; an address without one has a key of its own. */
export const addressKeys = (machiAza: string, numbers: readonly string[]): number[] =>
  (numbers.length === 0 ? [''] : numbers).map((number) => toKey(`address ${machiAza} ${number}`));

/** 48 bits, which a number holds exactly. */
function toKey(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16);
}

export function lookupKeysOf(canonical: Canonical, areas: AddressReader): number[] {
  const keys = new Set<number>();
  for (const name of namesOf(canonical)) {
    const normalised = normaliseName(name);
    if (normalised !== '') keys.add(nameKey(normalised));
  }
  for (const address of addressesOf(canonical)) {
    const resolved = areas.resolveAddress(address);
    if (resolved === undefined || resolved.machiAza === null) continue;
    for (const key of addressKeys(resolved.machiAza, houseNumbersOf(areas, resolved))) keys.add(key);
  }
  return [...keys].sort((a, b) => a - b);
}

/** Every name of a building, of all its sources. */
export function namesOf({ fields: { nameJa, nameEn }, aliases }: Canonical): string[] {
  return [...textsOf(nameJa), ...textsOf(nameEn), ...aliases.flatMap(textsOf)];
}

/** Every address of a building, of all its sources. */
export function addressesOf({ fields: { addressJa } }: Canonical): string[] {
  return textsOf(addressJa);
}

function textsOf(field: CanonicalEntry | undefined): string[] {
  if (field === undefined) return [];
  return [...new Set([field, ...field.alternatives].map(({ value }) => String(value)))];
}

/** The stored keys of some buildings. */
export async function readLookupKeys(db: Db, ids: readonly AssetKey[]): Promise<Map<AssetKey, number[]>> {
  const found = new Map<AssetKey, number[]>();
  for (const batch of batches(ids)) {
    const rows = await db.selectFrom('lookup_key').selectAll().where('building', 'in', batch).orderBy('key').execute();
    for (const { building, key } of rows) {
      const known = found.get(building);
      if (known === undefined) found.set(building, [key]);
      else known.push(key);
    }
  }
  return found;
}

/** Replaces the keys of some buildings. */
export async function replaceLookupKeys(tx: Tx, changes: readonly LookupKeys[]): Promise<void> {
  await removeLookupKeys(
    tx,
    changes.map(({ building }) => building),
  );
  await addLookupKeys(tx, changes);
}

export async function removeLookupKeys(tx: Tx, buildings: readonly AssetKey[]): Promise<void> {
  for (const batch of batches(buildings)) {
    await tx.db.deleteFrom('lookup_key').where('building', 'in', batch).execute();
  }
}

export async function addLookupKeys(tx: Tx, added: readonly LookupKeys[]): Promise<void> {
  await tx.insert(
    'lookup_key',
    ['building', 'key'],
    added.flatMap(({ building, keys }) => keys.map((key) => [building, key])),
  );
}
