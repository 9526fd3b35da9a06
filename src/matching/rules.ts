/** A building of a machi-aza, as described by sources other than registers and disclosures. */
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

type Verdict = { building: number } | { reason: 'unmatched' | 'ambiguous' };

/**
 * CON-09: exactly one building of the machi-aza has the address; of several, the one that also has the name. If no
 * building has the address, the one that has the name and no other address.
 */
export function matchRegister({ numbers, name }: RegisterEntry, candidates: readonly MatchCandidate[]): Verdict {
  const normalised = name === null ? '' : normaliseName(name);
  const named = ({ names }: MatchCandidate) => normalised !== '' && names.has(normalised);
  const addressed = candidates.filter((candidate) => numbers.some((number) => candidate.numbers.has(number)));
  if (addressed.length === 1) return found(addressed);
  if (addressed.length > 1) return found(addressed.filter(named), 'ambiguous');
  const byName = candidates.filter(named);
  return found(numbers.length === 0 ? byName : byName.filter((candidate) => candidate.numbers.size === 0));
}

function found(candidates: readonly MatchCandidate[], otherwise: 'unmatched' | 'ambiguous' = 'unmatched'): Verdict {
  const [only, another] = candidates;
  if (only === undefined) return { reason: otherwise };
  return another === undefined ? { building: only.building } : { reason: 'ambiguous' };
}

/** What identifies the building of a Wikidata item. No list contains a building twice. */
export interface ItemClues {
  /** Buildings whose OSM object is tagged with the item. */
  tagged: readonly number[];
  /** Buildings whose OSM object the item names (P402 and similar). */
  named: readonly number[];
  /** Buildings whose footprint contains the item's point, with their names. */
  around: readonly { building: number; names: readonly string[] }[];
  /** The item's own names. */
  names: readonly string[];
}

/** By tag, by P402, or by a point in exactly one footprint together with an equal name. */
export function matchItem({ tagged, named, around, names }: ItemClues): Verdict {
  if (tagged.length === 1) return { building: tagged[0] as number };
  if (tagged.length > 1) {
    const both = tagged.filter((building) => named.includes(building));
    return both.length === 1 ? { building: both[0] as number } : { reason: 'ambiguous' };
  }
  if (named.length === 1) return { building: named[0] as number };
  if (named.length > 1) return { reason: 'ambiguous' };
  const [only, another] = around;
  if (only === undefined) return { reason: 'unmatched' };
  if (another !== undefined) return { reason: 'ambiguous' };
  const own = new Set(names.map(normaliseName).filter((name) => name !== ''));
  return only.names.some((name) => own.has(normaliseName(name)))
    ? { building: only.building }
    : { reason: 'unmatched' };
}

/** Names are equal if they differ only in width, case, spaces and punctuation. */
export function normaliseName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[(（]仮称[)）]|^仮称/gu, '')
    .replace(/[\s・･,.，．、。'’`"“”‐‑–—―−\-_/／()（）「」『』【】[\]&＆]+/gu, '');
}
