import { parseHouseNumbers } from '../vocabulary/address.ts';
import type { ResolvedAddress } from './address-resolver.ts';

/** A building of a machi-aza, as described by its sources. */
export interface MatchCandidate {
  building: number;
  /** House numbers of its addresses, such as 4-14. */
  numbers: ReadonlySet<string>;
  /** Normalised. */
  names: ReadonlySet<string>;
}

/** A record of a register or disclosure. */
export interface RegisterEntry {
  numbers: readonly string[];
  name: string | null;
}

export type RegisterVerdict = { building: number } | { reason: 'unmatched' | 'ambiguous' };

/**
 * CON-09: exactly one building of the machi-aza has the address; of several, the one that also has the name. If no
 * building has the address, the one that has the name and no other address.
 */
export function matchRegister(
  { numbers, name }: RegisterEntry,
  candidates: readonly MatchCandidate[],
): RegisterVerdict {
  const normalised = name === null ? '' : normaliseName(name);
  const named = ({ names }: MatchCandidate) => normalised !== '' && names.has(normalised);
  const addressed = candidates.filter((candidate) => numbers.some((number) => candidate.numbers.has(number)));
  if (addressed.length === 1) return found(addressed);
  if (addressed.length > 1) return found(addressed.filter(named), 'ambiguous');
  const byName = candidates.filter(named);
  return found(numbers.length === 0 ? byName : byName.filter((candidate) => candidate.numbers.size === 0));
}

function found(
  candidates: readonly MatchCandidate[],
  otherwise: 'unmatched' | 'ambiguous' = 'unmatched',
): RegisterVerdict {
  const [only, another] = candidates;
  if (only === undefined) return { reason: otherwise };
  return another === undefined ? { building: only.building } : { reason: 'ambiguous' };
}

/** Names are equal if they differ only in width, case, spaces and punctuation. */
export function normaliseName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[(（]仮称[)）]|^仮称/gu, '')
    .replace(/[\s・･,.，．、。'’`"“”‐‑–—―−\-_/／()（）「」『』【】[\]&＆]+/gu, '');
}

/** What reading an address needs to know of the area tree. */
export interface AddressReader {
  resolveAddress(address: string): ResolvedAddress | undefined;
  get(code: string): { nameJa: string } | undefined;
}

/** House numbers of the addresses in a machi-aza. */
export function houseNumbersIn(areas: AddressReader, area: string, addresses: readonly string[]): string[] {
  return addresses.flatMap((address) => {
    const resolved = areas.resolveAddress(address);
    return resolved?.machiAza === area ? houseNumbersOf(areas, resolved) : [];
  });
}

/** The house numbers of an address; none if it names no machi-aza. */
export function houseNumbersOf(areas: AddressReader, { machiAza, rest }: ResolvedAddress): string[] {
  return machiAza === null ? [] : parseHouseNumbers(rest, areas.get(machiAza)?.nameJa);
}
