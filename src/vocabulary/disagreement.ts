import { FIELDS, type FieldScalar, type ScalarField } from './fields.ts';
import { NUMERALS, parseKanjiNumber } from './japanese.ts';
import { SHORT_LEGAL_FORMS } from './legal-forms.ts';

/** How far a losing value is from the published one. */
export type Disagreement =
  /** The same text in another spelling, or a figure that differs by less than 1 %. */
  | { kind: 'slight' }
  /** Figures that differ by this share of the larger one. */
  | { kind: 'share'; share: number }
  /** Years that differ by so many. */
  | { kind: 'years'; years: number }
  /** Other texts and dates. */
  | { kind: 'different' };

/** Figures closer than this count as the same measurement. */
const SLIGHT_SHARE = 0.01;
/** A share of a year says nothing: 15 years of 2000 are less than 1 %. */
const YEARS: ReadonlySet<ScalarField> = new Set(['yearBuilt']);

/** UI-21: grades a conflict by its size. The data, counters and filters do not depend on it. */
export function gradeDisagreement(field: ScalarField, published: FieldScalar, other: FieldScalar): Disagreement {
  if (typeof published === 'number' && typeof other === 'number') {
    if (YEARS.has(field)) {
      const years = Math.abs(published - other);
      return years === 0 ? { kind: 'slight' } : { kind: 'years', years };
    }
    const share = relativeDifference(published, other);
    return share < SLIGHT_SHARE ? { kind: 'slight' } : { kind: 'share', share };
  }
  return keyOf(field, published) === keyOf(field, other) ? { kind: 'slight' } : { kind: 'different' };
}

function keyOf(field: ScalarField, value: FieldScalar): FieldScalar {
  if (!['text', 'postcode'].includes(FIELDS[field].type.kind)) return value;
  return spellingKey(field === 'addressJa' ? plainAddress(String(value)) : String(value));
}

/** 丸の内一丁目9番2号 as 丸の内1-9-2. */
function plainAddress(address: string): string {
  return address
    .normalize('NFKC')
    .replace(CHOME, (_, number: string) => `${parseKanjiNumber(number) ?? number}-`)
    .replace(/(?<=\d)(?:丁目|番地の?|番|号)/g, '-')
    .replace(/-+(?!\d)/g, '');
}

/** |a − b| / max(|a|, |b|), 0 for equal values. */
export function relativeDifference(a: number, b: number): number {
  return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
}

const SHORT_FORMS = new RegExp(
  Object.keys(SHORT_LEGAL_FORMS)
    .map((form) => form.replace(/[()]/g, '\\$&'))
    .join('|'),
  'g',
);
/** ー after kana is a letter. */
const SEPARATOR = '(?:[\\p{White_Space}\\p{P}\\p{S}]|(?<![\\p{Script=Hiragana}\\p{Script=Katakana}])ー)+';
/** Marks of Latin letters: ō and o are one letter in names. */
const LATIN_MARKS = /(?<=\p{Script=Latin})\p{M}+/gu;
const CHOME = new RegExp(`(?<![${NUMERALS}])([${NUMERALS}]+)丁目`, 'gu');
/** Between digits a separator counts: 1-23 is not 12-3. */
const BETWEEN_DIGITS = new RegExp(`(?<=\\p{Nd})${SEPARATOR}(?=\\p{Nd})`, 'gu');
const EACH_SEPARATOR = new RegExp(SEPARATOR, 'gu');
/** A private-use character: no published text has it. */
const MARK = '\ue000';

/** Equal for texts that differ only in width, case, white space, punctuation, or in how they write 株式会社. */
export function spellingKey(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(LATIN_MARKS, '')
    .normalize('NFKC')
    .replace(SHORT_FORMS, (form) => SHORT_LEGAL_FORMS[form] as string)
    .toLowerCase();
  const key = plain.replace('株式会社', ' ').replace(BETWEEN_DIGITS, MARK).replace(EACH_SEPARATOR, '');
  return key === '' ? plain : key;
}
