import { LEGAL_FORMS, SHORT_LEGAL_FORMS } from '../../vocabulary/legal-forms.ts';
import { cleanText } from '../../vocabulary/text.ts';
import {
  DEPARTMENTS,
  ORGANISATION_ENDINGS,
  PARTY_LABELS,
  PERSON_TITLES,
  PUBLIC_BODIES,
  REPRESENTING_TITLES,
  TITLE_RANKS,
} from './organisation-words.ts';

const MAX_LENGTH = 2_000;

const longestFirst = (words: readonly string[]) => [...words].sort((a, b) => b.length - a.length).join('|');
const FORM = longestFirst(LEGAL_FORMS);
const FORM_OR_NOT = new RegExp(`(${FORM})`, 'u');
const IS_FORM = new RegExp(`^(?:${FORM})$`, 'u');
const TITLE_OR_NOT = new RegExp(`((?:${TITLE_RANKS.join('|')})*(?:${PERSON_TITLES.join('|')}))`, 'u');
const IS_REPRESENTING = new RegExp(`(?:${REPRESENTING_TITLES.join('|')})$`, 'u');
const ENDS_AS_ORGANISATION = new RegExp(`.(?:${ORGANISATION_ENDINGS.join('|')})$`, 'u');
const IS_DEPARTMENT = new RegExp(`(?:${DEPARTMENTS.join('|')})$`, 'u');
const FORM_AND_MORE = new RegExp(`^(?:${FORM}).`, 'u');
const FORM_AND_DEPARTMENT = new RegExp(`^(${FORM})(?:${DEPARTMENTS.join('|')})$`, 'u');
const LED = new RegExp(`(?:${DEPARTMENTS.join('|')})$|^(?:${ORGANISATION_ENDINGS.join('|')})$`, 'u');
/** A word that can only be a department; 製作所 may also end a company's name. */
const ONLY_DEPARTMENT = new RegExp(
  `^(?:${DEPARTMENTS.join('|')})$|^(?!.*(?:${FORM})).+(?:支店|本店|支社|本部|支部|事業部|営業所|出張所)$`,
  'u',
);
const PUBLIC_BODY = new RegExp(`^(${longestFirst(PUBLIC_BODIES)})(.*)$`, 'u');
const LABEL = new RegExp(`^(?:(?:${PARTY_LABELS.join('|')}):?)+`, 'u');
const AND_OTHERS = /(?:外|他|ほか)[\d一二三四五六七八九十]+[名社者]$/u;
const BULLET = new RegExp(`(?:^|\\s)[・●○◆■◇□※]|(?<=${FORM})・|・(?=${FORM})`, 'gu');
const BRACKETED = /[([{〔【「『][^()[\]{}〔〕【】「」『』]*[)\]}〕】」』]/gu;
const BRACKET = /[()[\]{}〔〕【】「」『』]/gu;
const LATIN_OR_KANA = /^[\p{Script=Latin}\p{Script=Katakana}ー\d&.+-]+$/u;
/** A word that describes a post and is not part of a person's name. */
const OF_THE_POST = /(?:[者長役員官部課室局店社兼]|担当|グループ|センター)$/u;
/** What an anonymised export writes for a person. */
const NAME_TAKEN_OUT = '氏名';

interface OwnerToken {
  kind: 'word' | 'title' | 'break';
  text: string;
}

/**
 * The organisations of a 建築主, a cell that runs together companies, titles and the names of people. After a title, text is
 * a person's name until an organisation certainly begins; if the end of the name is unclear (山田太郎電鉄株式会社), the
 * organisation is left out too. Undefined without an organisation: the owner is a private person.
 */
export function companyPart(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const found = new Set(organisationsOf(elementsOf(text)));
  return found.size === 0 ? undefined : [...found].join('、');
}

function elementsOf(text: string): OwnerToken[] {
  let plain = text.toWellFormed().normalize('NFKC');
  for (const [short, form] of Object.entries(SHORT_LEGAL_FORMS)) plain = plain.replaceAll(short, form);
  const lines = plain
    .replace(BRACKETED, ' ')
    .replace(BRACKET, ' ')
    .replace(BULLET, '\n')
    .split(/[\n\r、;。]/u);
  return lines.flatMap((line) => [...wordsOf(cleanText(line)), { kind: 'break', text: '' }]);
}

function wordsOf(line: string): OwnerToken[] {
  return line.split(/[\s,/]+/u).flatMap((word) => {
    const parts = word.split(TITLE_OR_NOT).map((text, i): OwnerToken => ({ kind: i % 2 ? 'title' : 'word', text }));
    return parts
      .filter(({ kind, text }, i) => kind === 'title' || (text !== '' && !isDepartment(text, parts[i + 1]?.text)))
      .map(({ kind, text }) => ({ kind, text: text.replace(FORM_AND_DEPARTMENT, '$1') }));
  });
}

/** 東京支店, or a word that counts as a department only because 長 follows: 開発部. */
function isDepartment(word: string, title: string | undefined): boolean {
  if (ONLY_DEPARTMENT.test(word)) return true;
  return title?.startsWith('長') === true && LED.test(word) && !FORM_OR_NOT.test(word) && !PUBLIC_BODY.test(word);
}

function organisationsOf(elements: readonly OwnerToken[]): string[] {
  const found: string[] = [];
  /** The words since a title; undefined outside a person's name. */
  let person: string[] | undefined;
  /** Words that may be a company name whose legal form follows. */
  let free: string[] = [];
  let representing = false;
  for (let i = 0; i < elements.length; i++) {
    const { kind, text } = elements[i] as OwnerToken;
    if (kind === 'title') {
      representing = IS_REPRESENTING.test(text);
      person = [];
      free = [];
      continue;
    }
    if (kind === 'break') {
      // After a title at the end of a line, the person's name is in the next line.
      if (person?.length === 0) continue;
      person = undefined;
      representing = false;
      free = [];
      continue;
    }
    if (representing) {
      person?.push(text);
      continue;
    }
    const next = elements[i + 1];
    let names: string[] | undefined;
    if (IS_FORM.test(text)) {
      const after = wordsAfter(elements, i);
      const titled = elements[i + after.length + 1]?.kind === 'title';
      if (after.length === 0) names = joinName(nameBefore(free), text);
      else if (titled || (free.length === 0 && person === undefined)) {
        names = joinName(text, nameAfter(after, titled));
        i += after.length;
      } else i += after.length;
    } else if (free.length > 0 && FORM_AND_MORE.test(text) && next?.text.startsWith('長')) {
      // 甲乙 株式会社東京支店長: the name may be 甲乙 or 東京.
    } else if (person === undefined || isWholeName(person)) names = readWord(text, next);
    else names = readWordAfterName(text, next);
    if (names !== undefined) {
      found.push(...names);
      person = undefined;
      free = [];
    } else if (IS_FORM.test(text)) free = [];
    else if (person === undefined || isWholeName(person)) free.push(text);
    else person.push(text);
  }
  return found;
}

/** The words up to a title, a word with a form, or the end. */
function wordsAfter(elements: readonly OwnerToken[], at: number): string[] {
  const words: string[] = [];
  for (const { kind, text } of elements.slice(at + 1)) {
    if (kind !== 'word' || FORM_OR_NOT.test(text)) break;
    words.push(text);
  }
  return words;
}

/** A company name is one word, or several in Latin letters or katakana; a second word in kanji may be a person. */
function nameAfter(words: readonly string[], titled: boolean): string {
  return titled && words.every((word) => LATIN_OR_KANA.test(word)) ? words.join(' ') : (words[0] as string);
}

function nameBefore(words: readonly string[]): string | undefined {
  return words.every((word) => LATIN_OR_KANA.test(word)) ? words.join(' ') : words.at(-1);
}

function joinName(a: string | undefined, b: string | undefined): string[] | undefined {
  const name = a === undefined || b === undefined || a === '' || b === '' ? undefined : tidy(`${a}${b}`);
  return name === undefined ? undefined : [name];
}

/** Whether the name after a title is certainly complete: 山田 alone may continue in the next word. */
function isWholeName(words: readonly string[]): boolean {
  const named = words.filter((word) => !OF_THE_POST.test(word) && !LATIN_OR_KANA.test(word));
  return named.length > 1 || named[0] === NAME_TAKEN_OUT || [...(named[0] ?? '')].length > 3;
}

/** A word that may begin with the end of a person's name: only one that begins with a legal form is an organisation. */
function readWordAfterName(word: string, next: OwnerToken | undefined): string[] | undefined {
  if (isPublicBody(word, next)) return readWord(word, next);
  const pieces = word.split(FORM_OR_NOT);
  if (pieces.length < 2) return undefined;
  if (pieces[0] === '') return readWord(word, next);
  // Only a title after the company tells 山田太郎株式会社甲 from 山田太郎甲株式会社乙山次郎.
  return next?.kind === 'title' && !IS_DEPARTMENT.test(word) ? readWord(pieces.slice(1).join(''), next) : undefined;
}

/** The organisations of a word that has nothing else, except a department at its end. */
function readWord(word: string, next: OwnerToken | undefined): string[] | undefined {
  const body = readPublicBody(word, next);
  if (body !== undefined) return [body];
  const pieces = word.split(FORM_OR_NOT).filter((piece) => piece !== '');
  const names: string[] = [];
  for (let i = 0; i < pieces.length; i += 2) {
    const piece = pieces[i] as string;
    const other = pieces[i + 1];
    if (other !== undefined && IS_FORM.test(piece) !== IS_FORM.test(other)) names.push(`${piece}${other}`);
    else if (other === undefined && ENDS_AS_ORGANISATION.test(piece)) names.push(piece);
    else if (other !== undefined || names.length === 0 || !IS_DEPARTMENT.test(piece)) return undefined;
  }
  const tidied = names.map(tidy).filter((name) => name !== undefined);
  return tidied.length === 0 ? undefined : tidied;
}

function isPublicBody(word: string, next: OwnerToken | undefined): boolean {
  return readPublicBody(word, next) !== undefined && word !== '国';
}

function readPublicBody(word: string, next: OwnerToken | undefined): string | undefined {
  if (word === '国') return next?.kind === 'word' ? undefined : word;
  const [, body, rest] = PUBLIC_BODY.exec(word) ?? [];
  return body !== undefined && (rest === '' || IS_DEPARTMENT.test(rest as string)) ? body : undefined;
}

/** A name without labels and punctuation; undefined if only the legal form remains. */
function tidy(name: string): string | undefined {
  const bare = name
    .replace(LABEL, '')
    .replace(AND_OTHERS, '')
    .replace(/^[\p{P}\p{S}\s]+|[:・,\s-]+$/gu, '');
  return IS_FORM.test(bare) || !/[\p{L}\p{N}]/u.test(bare) ? undefined : bare;
}
