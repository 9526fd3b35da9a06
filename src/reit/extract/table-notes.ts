import { footnoteMark, footnoteNumbers } from '../../vocabulary/footnotes.ts';
import { type SourceMetric, type Unit, unitOfMetric } from '../../vocabulary/reit-metrics.ts';
import { DASHES } from '../../vocabulary/text.ts';
import type { BareMeasure, Rounding } from '../publication/measure.ts';
import { findMetric } from './find-metric.ts';
import type { ReasonCode } from './history.ts';

/** The notes about the figures of a table. */
export interface TableNotes {
  /** Its own notes and captions, with their numbers where they have one. */
  own: readonly { number: string; text: string }[];
  /** Lines that apply to the whole document. */
  general: readonly string[];
}

type DashMeaning = 'zero' | BareMeasure['state'];

const GENERAL = /特に(?:記載|断り|明示|注記)の?(?:が)?な(?:い|き)|特段の|別段の|本書(?:に|で|の|記載)|以下同じ/u;
const MAX_NOTES = 200;

const plainOf = (text: string) => text.slice(0, 2_000).normalize('NFKC').replace(/\s+/gu, '');

/** A note may continue over several lines: a line without a mark belongs to the note before. */
export function readNotes(captions: readonly string[], below: readonly string[]): TableNotes['own'] {
  const notes = captions.map((text) => ({ number: '', text: plainOf(text) }));
  let open = false;
  for (const line of below.slice(0, MAX_NOTES)) {
    const plain = plainOf(line);
    const mark = footnoteMark(plain);
    const last = notes.at(-1);
    if (mark !== undefined) {
      notes.push({ number: mark.number, text: plain.slice(mark.mark.length) });
      open = true;
    } else if (open && last !== undefined && last.text.length < 2_000) last.text += plain;
  }
  return notes;
}

export const isNote = (text: string): boolean => footnoteMark(plainOf(text))?.isNote === true;

/** Whether a line states for the whole document how figures are rounded or what a dash means. */
export function isGeneralNote(line: string): boolean {
  const plain = plainOf(line);
  return GENERAL.test(plain) && (CUT.test(plain) || DASH_QUOTED.test(plain));
}

const CUT = /切り?捨て?|四捨五入|切り?上げ/u;
const DASH_QUOTED = new RegExp(`[「『"“'][${DASHES}]+[」』"”']`, 'u');

const MEANINGS: readonly [RegExp, DashMeaning][] = [
  [/保有して(?:い|お)|取得前|取得して(?:い|お)|譲渡済|売却済|運用して(?:い|お)/u, 'outsideHoldingPeriod'],
  [/非開示|開示(?:して(?:い|お)|でき|を(?:行|差し控))/u, 'notDisclosed'],
  [/該当(?:する)?|適用(?:が|は)?な/u, 'notApplicable'],
  [/ゼロ|零|[「"]?0[」"]?(?:である|を(?:表|示|意味))/u, 'zero'],
  [/記載して(?:い|お)|算出して(?:い|お)|把握して/u, 'notRecorded'],
];

/** What a dash means according to the notes; undefined if none says so, or if they differ. */
export const dashMeaning = memoizeByObject((notes: TableNotes) => findLegend(notes));

function findLegend({ own, general }: TableNotes): DashMeaning | undefined {
  const near = meaningsIn(own.map(({ text }) => text));
  const said = near.size > 0 ? near : meaningsIn(general.map(plainOf));
  return said.size === 1 ? [...said][0] : undefined;
}

function meaningsIn(texts: readonly string[]): Set<DashMeaning> {
  const found = new Set<DashMeaning>();
  for (const text of texts) {
    for (const sentence of text.split('。')) {
      const dash = DASH_QUOTED.exec(sentence);
      if (dash === null) continue;
      const meaning = MEANINGS.find(([words]) => words.test(sentence))?.[1];
      if (meaning !== undefined) found.add(meaning);
    }
  }
  return found;
}

const NAMED: readonly [Unit, RegExp][] = [
  ['JPY', /金額|価格|価額|収入|収益|費用|支出|円未満|[百千億万]円|単位未満|表示単位/u],
  ['ratio', /比率|割合|稼働率|入居率|利回り|割引率|率は|%|パーセント/u],
  ['m2', /面積|m2|平方メートル/u],
];
const WORDS: readonly [RegExp, Rounding][] = [
  [/切り?捨て?/u, 'truncate'],
  [/四捨五入/u, 'halfUp'],
  [/切り?上げ/u, 'ceil'],
];

/** The rounding that the notes state for a metric. Notes of the table come before those of the document. */
export const roundingOf = (metric: SourceMetric, notes: TableNotes): Rounding => roundings(notes)(metric);

const roundings = memoizeByObject((notes: TableNotes) => {
  const known = new Map<SourceMetric, Rounding>();
  return (metric: SourceMetric): Rounding => {
    const rounding = known.get(metric) ?? findRounding(metric, notes);
    known.set(metric, rounding);
    return rounding;
  };
});

/** Caches by object: the notes of a table are consulted for each of its cells. */
function memoizeByObject<K extends object, V>(find: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>();
  return (key) => {
    const entry = known.get(key) ?? { value: find(key) };
    known.set(key, entry);
    return entry.value;
  };
}

function findRounding(metric: SourceMetric, { own, general }: TableNotes): Rounding {
  const near = roundingsIn(
    metric,
    own.map(({ text }) => text),
  );
  const said = near.size > 0 ? near : roundingsIn(metric, general.map(plainOf));
  return said.size === 1 ? ([...said][0] as Rounding) : 'unknown';
}

function roundingsIn(metric: SourceMetric, texts: readonly string[]): Set<Rounding> {
  const found = new Set<Rounding>();
  for (const text of texts) {
    for (const sentence of text.split('。')) {
      let from = 0;
      for (const cut of sentence.matchAll(new RegExp(CUT, 'gu'))) {
        const clause = sentence.slice(from, cut.index);
        from = cut.index + cut[0].length;
        const rounding = WORDS.find(([word]) => word.test(cut[0]))?.[1];
        if (rounding !== undefined && appliesTo(clause, metric)) found.add(rounding);
      }
    }
  }
  return found;
}

/** A clause that quotes columns applies only to them; otherwise to the units that it names. */
function appliesTo(clause: string, metric: SourceMetric): boolean {
  const quoted = [...clause.matchAll(/「([^「」]{1,40})」/gu)].map(([, name]) => findMetric(name as string));
  const named = quoted.filter((found) => found !== undefined);
  if (named.length > 0) return named.includes(metric);
  const unit = unitOfMetric(metric);
  const units = NAMED.filter(([, words]) => words.test(clause)).map(([name]) => name);
  if (units.length > 0) return units.some((named) => named === unit);
  // 小数第2位 can only refer to figures with decimals.
  return /小数/u.test(clause) ? unit === 'ratio' || unit === 'm2' : unit === 'JPY';
}

/** Whose consent is lacking, on one line. */
const consentOf = (party: string) =>
  new RegExp(`(?:${party})(?:(?!${party}).)*(?:承諾|同意|了承|了解|要請|意向|守秘)`, 'u');
const REASONS: readonly [RegExp, ReasonCode][] = [
  [consentOf('賃借人|テナント|借主|オペレーター|入居者'), 'tenantConsent'],
  [consentOf('売主|買主|相手方|取引先|譲渡人|譲受人|取得先|関係者|共有者|第三者|鑑定'), 'counterpartyConsent'],
  [/一括|合算|合計(?:額|値)?(?:のみ|で|を)|まとめて/u, 'bundled'],
];

/** Why a figure is not disclosed: by the note that its cell refers to, else by a note about non-disclosure. */
export function nonDisclosureReason(cell: string, { own }: TableNotes): ReasonCode {
  const pointed = notesOf(cell, own);
  const about = own.filter(({ text }) => /開示|公表/u.test(text) && /な|ません|非|せず|控え/u.test(text));
  for (const notes of [pointed, about]) {
    const reasons = new Set(notes.flatMap(({ text }) => REASONS.find(([words]) => words.test(text))?.[1] ?? []));
    if (reasons.size === 1) return [...reasons][0] as ReasonCode;
  }
  return 'unstated';
}

/** The notes that a cell refers to. */
export function referencedNotes(cell: string, { own }: TableNotes): string {
  return notesOf(cell, own)
    .map(({ text }) => text)
    .join('');
}

function notesOf(cell: string, own: TableNotes['own']): TableNotes['own'] {
  const numbers = footnoteNumbers(plainOf(cell));
  return own.filter(({ number }) => numbers.includes(number));
}

/** Whether a note says that the bare 利回り of the DCF method is the terminal rate. */
export function explainsYield({ own }: TableNotes): boolean {
  return own.some(({ text }) => /dcf[^。]{0,40}利回り[^。]{0,30}最終還元利回り/iu.test(text));
}
