import { plainHeader } from '../../sources/disclosure/columns.ts';
import { unitsIn } from '../../sources/disclosure/figures.ts';
import type { Fraction } from '../publication/bundle.ts';
import type { Interest } from './history.ts';

const LABEL =
  /資産の種類|資産種別|所有形態|保有形態|権利形態|所有権の(?:形態|態様)|特定資産の種類|不動産等の種類|持分割合|共有持分|持分比率|所有割合/u;

/** Whether a header or a label is about what is held: the asset, the right or the share. */
export function isInterestLabel(label: string): boolean {
  return LABEL.test(plainHeader(label));
}

/** Adds the percent sign to a share whose header has it. */
export function interestText(label: string, text: string): string {
  const bare = /^\s*[\d０-９.．]+\s*$/u.test(text) && unitsIn(label).rate !== undefined;
  return `${/持分|割合/u.test(label) ? '持分' : ''}${text}${bare ? '%' : ''}`;
}

/** Reads the interest from cells and the name, and the tenure and share also from notes; null if not stated. */
export function readInterest(texts: readonly string[], remarks: readonly string[]): Interest {
  const plain = joined(texts);
  const type = typeOf(plain);
  const all = joined([...texts, ...remarks]);
  return { type, tenure: tenureOf(all, type), share: shareOf(plain) ?? shareOf(all) };
}

function joined(texts: readonly string[]): string {
  return texts.map((text) => text.slice(0, 2_000).normalize('NFKC').replace(/\s+/gu, '')).join('\n');
}

function typeOf(plain: string): Interest['type'] {
  if (/匿名組合|優先出資|株式|出資持分/u.test(plain)) return 'equityStake';
  if (/底地/u.test(plain)) return 'groundOnly';
  if (/信託受益権|信託の受益権/u.test(plain)) return 'trustBeneficiary';
  return /不動産|現物|所有権|土地|建物/u.test(plain) ? 'realProperty' : null;
}

/** Filings name co-ownership and sectional ownership; a right without such a word is whole. */
function tenureOf(plain: string, type: Interest['type']): Interest['tenure'] {
  if (/準共有/u.test(plain)) return 'quasiCoOwnership';
  if (/共有/u.test(plain)) return 'coOwnership';
  if (/区分所有/u.test(plain)) return 'sectional';
  if (type === 'equityStake') return null;
  return type === null && !/所有権|完全所有/u.test(plain) ? null : 'whole';
}

const PERCENT = /(?:持分|共有)[^\d\n。]{0,12}(\d{1,3})(?:\.(\d{1,8}))?%|(\d{1,3})(?:\.(\d{1,8}))?%の?(?:準?共有)?持分/u;
const PARTS = /(\d{1,12})分の(\d{1,12})/u;
const SLASH = /(?:持分|共有)[^\d\n。]{0,12}(\d{1,12})\/(\d{1,12})/u;

/** 準共有持分75%, 持分割合：2分の1, 共有持分 1/2: an exact fraction of at most 1. */
function shareOf(plain: string): Fraction | null {
  const percent = PERCENT.exec(plain);
  if (percent !== null) {
    const [whole, fraction = ''] = percent[1] === undefined ? percent.slice(3, 5) : percent.slice(1, 3);
    return reduced(Number(`${whole}${fraction}`), 100 * 10 ** fraction.length);
  }
  const parts = PARTS.exec(plain);
  if (parts !== null && /持分|共有/u.test(plain)) return reduced(Number(parts[2]), Number(parts[1]));
  const slash = SLASH.exec(plain);
  return slash === null ? null : reduced(Number(slash[1]), Number(slash[2]));
}

function reduced(numerator: number, denominator: number): Fraction | null {
  if (!(numerator > 0 && numerator <= denominator)) return null;
  let [a, b] = [numerator, denominator];
  while (b > 0) [a, b] = [b, a % b];
  return { numerator: numerator / a, denominator: denominator / a };
}
