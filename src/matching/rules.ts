import { normaliseName, type RegisterVerdict } from '../registry/register-rule.ts';

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
export function matchItem({ tagged, named, around, names }: ItemClues): RegisterVerdict {
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
