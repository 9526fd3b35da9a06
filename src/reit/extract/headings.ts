import { isNote } from './table-notes.ts';

interface Heading {
  style: number;
  text: string;
}

const MAX_HEADING = 60;
const MAX_DEPTH = 5;
/** Headings by element stand before those by their form. */
const MARKED = 10;
const ENDS_SENTENCE = /[。、]$/u;

/** How headings are marked, in NFKC; one ends those below the last of its kind. */
const STYLES: readonly RegExp[] = [
  /^第[\d一二三四五六七八九十]+(?:[【部章節編]|$)/u,
  /^[\d]{1,3}[【.、]/u,
  /^[【■◆]/u,
  /^\([\d]{1,3}\)/u,
  /^\([ivx]{1,4}\)/u,
  /^\([ア-ン]\)|^[ア-ン][.、]/u,
  /^\([a-z]\)/u,
  /^[a-z][.、]/u,
  /^[●<〈]/u,
  /^\[/u,
  /^[□◇○◎《]/u,
];
const CIRCLED = /^\s*[①-⑳]/u;

/** The headings that a place stands under, from the outermost. */
export class Headings {
  #stack: Heading[] = [];

  get titles(): string[] {
    return this.#stack.map(({ text }) => text);
  }

  /** A line that may be a heading; `level` where its element says that it is one. */
  take(text: string, level: number): void {
    const style = level > 0 ? level - MARKED : styleOf(text);
    if (style === undefined) return;
    const ends = (other: Heading) => (level > 0 ? other.style >= style : other.style === style);
    const at = this.#stack.findIndex(ends);
    this.#stack = [...(at < 0 ? this.#stack : this.#stack.slice(0, at)), { style, text }].slice(-MAX_DEPTH);
  }
}

export const isTitle = (text: string): boolean => text.length <= MAX_HEADING && !ENDS_SENTENCE.test(text);

export function styleOf(text: string): number | undefined {
  if (!isTitle(text) || isNote(text)) return undefined;
  if (CIRCLED.test(text)) return STYLES.length;
  const plain = text.normalize('NFKC').replace(/\s+/gu, '').toLowerCase();
  const style = STYLES.findIndex((form) => form.test(plain));
  return style < 0 ? undefined : style;
}
