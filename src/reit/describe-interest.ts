import type { Holding } from './bundle.ts';

const TENURES: Record<Holding['interest']['tenure'], string> = {
  whole: 'whole interest',
  coOwnership: 'co-ownership',
  quasiCoOwnership: 'quasi-co-ownership',
  sectional: 'sectional ownership',
};
const TYPES: Record<Holding['interest']['type'], string> = {
  realProperty: 'of the real property',
  trustBeneficiary: 'of the trust beneficiary right',
  equityStake: 'through an equity stake',
  groundOnly: 'of the ground only',
};

/** What a REIT holds: `a 1/2 quasi-co-ownership of the trust beneficiary right, not the whole building`. */
export function describeInterest({ type, tenure, share }: Holding['interest']): string {
  const fraction =
    share === null || share.numerator === share.denominator ? '' : `${share.numerator}/${share.denominator} `;
  const isWhole = tenure === 'whole' && fraction === '' && (type === 'realProperty' || type === 'trustBeneficiary');
  return `a ${fraction}${TENURES[tenure]} ${TYPES[type]}${isWhole ? '' : ', not the whole building'}`;
}
