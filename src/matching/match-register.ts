import { normaliseName } from './normalise-name.ts';

/** A building of a machi-aza, as sources other than registers and disclosures know it. */
export interface Candidate {
  building: number;
  /** House numbers of its addresses, such as 4-14. */
  numbers: ReadonlySet<string>;
  /** Normalised. */
  names: ReadonlySet<string>;
}

/** A register's or a disclosure's record, in the same terms. */
export interface Entry {
  numbers: readonly string[];
  name: string | null;
}

export type Verdict = { building: number } | { reason: 'unmatched' | 'ambiguous' };

/**
 * CON-09: exactly one building of the machi-aza has the address; of several the one that also has the
 * name. Where no building is known by the address, the one that has the name and no other address.
 */
export function matchRegister({ numbers, name }: Entry, candidates: readonly Candidate[]): Verdict {
  const normalised = name === null ? '' : normaliseName(name);
  const named = ({ names }: Candidate) => normalised !== '' && names.has(normalised);
  const addressed = candidates.filter((candidate) => numbers.some((number) => candidate.numbers.has(number)));
  if (addressed.length === 1) return found(addressed);
  if (addressed.length > 1) return found(addressed.filter(named), 'ambiguous');
  const byName = candidates.filter(named);
  return found(numbers.length === 0 ? byName : byName.filter((candidate) => candidate.numbers.size === 0));
}

function found(candidates: readonly Candidate[], otherwise: 'unmatched' | 'ambiguous' = 'unmatched'): Verdict {
  const [only, another] = candidates;
  if (only === undefined) return { reason: otherwise };
  return another === undefined ? { building: only.building } : { reason: 'ambiguous' };
}
