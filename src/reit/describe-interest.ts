import type { Holding } from './bundle.ts';

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
