import type { Holding } from './bundle.ts';
import type { Document } from './document.ts';

const TENURES: Record<Holding['interest']['tenure'], string> = {
  whole: 'whole interest',
  coOwnership: 'co-ownership',
  quasiCoOwnership: 'quasi-co-ownership',
  sectional: 'sectional ownership',
};
const TYPES: Record<Holding['interest']['type'], string> = {
  realProperty: 'real property',
  trustBeneficiary: 'a trust beneficiary right',
  equityStake: 'an equity stake',
  groundOnly: 'the ground only',
};

/** What a REIT holds: `a 1/2 quasi-co-ownership, not the whole building (a trust beneficiary right)`. */
export function describeInterest({ type, tenure, share }: Holding['interest']): string {
  const fraction =
    share === null || share.numerator === share.denominator ? '' : `${share.numerator}/${share.denominator} `;
  const isWhole = tenure === 'whole' && fraction === '' && (type === 'realProperty' || type === 'trustBeneficiary');
  return `a ${fraction}${TENURES[tenure]}${isWhole ? '' : ', not the whole building'} (${TYPES[type]})`;
}

/** What the amounts of a holding are for. */
export const AMOUNT_BASIS = { interest: 'that interest', whole: 'the whole property' } as const;

/** How much of its building a holding covers, whatever share the REIT has. Bundles may use other words. */
const COVERAGES: Readonly<Record<string, { covered: string; inIt: string }>> = {
  whole: { covered: 'the whole building', inIt: 'in it' },
  part: { covered: 'a part of the building', inIt: 'in that part' },
};

/** `The publication covers a part of the building.` */
export function describeCoverage(coverage: string): string {
  const known = COVERAGES[coverage];
  if (known !== undefined) return `The publication covers ${known.covered}.`;
  return `The publication states its coverage of the building as ${coverage}.`;
}

export function coverageOf({ buildingMatches }: Pick<Document, 'buildingMatches'>, holdingId: string): string {
  return buildingMatches.find((match) => match.holdingId === holdingId)?.coverage ?? 'unknown';
}

/** Coverage and interest are independent: a REIT may hold all of a part, or a share of the whole. */
export function describeShare(coverage: string, interest: Holding['interest']): string {
  const { inIt } = COVERAGES[coverage] ?? { inIt: 'in it' };
  return `${describeCoverage(coverage)} The interest of the REIT ${inIt} is ${describeInterest(interest)}`;
}

export const describeHolding = (document: Pick<Document, 'buildingMatches'>, { id, interest }: Holding): string =>
  describeShare(coverageOf(document, id), interest);
