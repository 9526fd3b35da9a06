import { isAspect, isTitle, isTitleOfAspect } from './headings.ts';
import type { KnownProperty, PropertyNames } from './property-list.ts';
import { isNote } from './table-notes.ts';

/** The property that the headings above a table assign to it. */
export type Subject =
  | { kind: 'property'; property: KnownProperty; heading: string }
  /** No heading names a property. */
  | { kind: 'none' }
  /** The nearest heading names something that the filing does not list. */
  | { kind: 'unknown' }
  | { kind: 'ambiguous' };

interface Level {
  mark: string;
  /** The level of a heading element; 0 for a heading recognised by its text. */
  level: number;
  subject: Subject | undefined;
  inBlock: boolean;
}

const NONE: Subject = { kind: 'none' };
const AMBIGUOUS: Subject = { kind: 'ambiguous' };
const UNKNOWN: Subject = { kind: 'unknown' };
const MAX_DEPTH = 12;

/**
 * Follows the headings of a filing and assigns tables to properties. A heading that is neither a listed name nor an aspect
 * ends the current property: no property is better than a wrong one.
 */
export class SubjectTracker {
  readonly #names: PropertyNames;
  #levels: Level[] = [];
  /** The property of the last line, if that was its heading. Two such lines in a row are a list, not headings. */
  #fresh: Subject | undefined;

  constructor(names: PropertyNames) {
    this.#names = names;
  }

  takeLine(text: string, level = 0, inBlock = true): void {
    if (!isTitle(text) || isNote(text)) {
      this.#fresh = undefined;
      return;
    }
    const meaning = this.#names.meaningOf(text);
    if (meaning.kind !== 'property' && meaning.kind !== 'ambiguous' && isRemark(text)) return;
    const mark = this.#markOf(text);
    if (meaning.kind === 'aspect') {
      if (level === 0 && mark === PLAIN) return;
      // ■見本館 followed by ■収支状況: the section may be of this property or of all.
      const beside = this.#levels.find((other) => other.mark === mark && other.level === level);
      const isDoubtful = mark.length === 1 && beside?.subject?.kind === 'property';
      this.#push({ mark, level, subject: isDoubtful ? AMBIGUOUS : undefined, inBlock });
      return;
    }
    if (meaning.kind !== 'property') {
      this.#push({ mark, level, subject: meaning.kind === 'ambiguous' ? AMBIGUOUS : UNKNOWN, inBlock });
      this.#fresh = undefined;
      return;
    }
    const subject: Subject = { kind: 'property', property: meaning.property, heading: text };
    const isList = this.#fresh !== undefined && !isSame(this.#fresh, subject);
    this.#cut(mark, level);
    const around = this.#innermost()?.subject;
    // Properties are not nested.
    const isInside = around?.kind === 'property' && !isSame(around, subject);
    this.#push({ mark, level, subject: isList || isInside ? AMBIGUOUS : subject, inBlock });
    this.#fresh = subject;
  }

  /** A table ends a run of headings. */
  takeTable(): void {
    this.#fresh = undefined;
  }

  /** Headings of one file do not apply to the next. */
  reset(): void {
    this.#levels = [];
    this.#fresh = undefined;
  }

  copy(): SubjectTracker {
    const copy = new SubjectTracker(this.#names);
    copy.#levels = [...this.#levels];
    copy.#fresh = this.#fresh;
    return copy;
  }

  subjectOf(inBlock: boolean): Subject {
    const level = this.#innermost();
    // Headings inside a text block do not apply outside it.
    return level === undefined || (level.inBlock && !inBlock) ? NONE : (level.subject as Subject);
  }

  #innermost(): Level | undefined {
    return this.#levels.findLast(({ subject }) => subject !== undefined);
  }

  #push(level: Level): void {
    this.#cut(level.mark, level.level);
    this.#levels = [...this.#levels, level].slice(-MAX_DEPTH);
  }

  /** A heading ends those of its style and all below them. */
  #cut(mark: string, level: number): void {
    const at = this.#levels.findIndex((other) =>
      level > 0 ? other.level === 0 || other.level >= level : other.level === 0 && other.mark === mark,
    );
    if (at >= 0) this.#levels = this.#levels.slice(0, at);
  }

  /** (i) may be a letter or a roman number; the headings above decide. */
  #markOf(text: string): string {
    const marks = marksOf(text);
    return marks.find((mark) => this.#levels.some((other) => other.mark === mark)) ?? (marks[0] as string);
  }
}

const PLAIN = 'plain';
const ORDERED =
  /^(第|\()?(\d{1,3}|[ivx]{1,4}|[a-z]|[ア-ン]|[一二三四五六七八九十]{1,3})(\)|[.、部章節編]|(?=[\s【]))/iu;

/** How a heading is marked: by a number, a letter, a bullet or bracket, or not at all. */
function marksOf(text: string): string[] {
  if (/^\s*[\u2460-\u24ff\u2776-\u2793]/u.test(text)) return ['circled'];
  const plain = text.normalize('NFKC').trim();
  const [, before = '', order = '', after = ''] = ORDERED.exec(plain) ?? [];
  const around = (kind: string) => `${before}${kind}${after}`;
  if (/^\d/u.test(order)) return [around('number')];
  if (/^[ivx]$/iu.test(order)) return [around('roman'), around('letter')];
  if (/^[ivx]+$/iu.test(order)) return [around('roman')];
  if (/^[a-z]$/iu.test(order)) return [around('letter')];
  if (order !== '') return [around(/^[ア-ン]/u.test(order) ? 'kana' : 'kanji')];
  return [/^[■□●○◆◇◎▲▼・◯▪•★☆【[<〈《「『〔-]/u.test(plain) ? (plain[0] as string) : PLAIN];
}

/** A sentence without a full stop, or an address. */
const PROSE = /(?:です|ます|とおり|通り)[：:]?$|^(?:東京都|北海道|(?:大阪|京都)府|\p{Script=Han}{2,3}県).{3,}/u;

/** Whether a line states a unit, a value or a remark, and so says nothing about the property. */
function isRemark(text: string): boolean {
  if (/^[※*＊]/u.test(text) || PROSE.test(text)) return true;
  const plain = text.normalize('NFKC').trim();
  if (/^[([<]?\s*単位/u.test(plain)) return true;
  const label = /^([^:]{1,12}):./u.exec(plain)?.[1];
  return label !== undefined && isAspect(label) && !isTitleOfAspect(label) && !/名|番号|物件/u.test(label);
}

const isSame = (a: Subject, b: Subject): boolean =>
  a.kind === 'property' && b.kind === 'property' && a.property === b.property;
