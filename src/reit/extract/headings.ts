import { nameKey, oneLine, propertyNumber } from '../../sources/disclosure/names.ts';
import { CIRCLED } from '../../vocabulary/footnotes.ts';
import { YEN_UNITS } from '../../vocabulary/printed-figure.ts';
import { isNote } from './table-notes.ts';

interface Heading {
  style: number;
  text: string;
}

const MAX_HEADING = 60;
const MAX_DEPTH = 5;
/** Headings marked by an element rank above those marked by their text. */
const MARKED = 10;
const ENDS_SENTENCE = /[。、]$/u;

/** How headings are marked, in NFKC. A heading ends the last one of its style and all below it. */
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
const CIRCLED_ORDER = /^\s*[①-⑳]/u;

/** The headings above the current place, outermost first. */
export class Headings {
  #stack: Heading[] = [];

  get titles(): string[] {
    return this.#stack.map(({ text }) => text);
  }

  /** Takes a line that may be a heading; `level` is above 0 if its element is a heading. */
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
  if (CIRCLED_ORDER.test(text)) return STYLES.length;
  const plain = text.normalize('NFKC').replace(/\s+/gu, '').toLowerCase();
  const style = STYLES.findIndex((form) => form.test(plain));
  return style < 0 ? undefined : style;
}

/**
 * The words of headings inside the section of one property (鑑定評価書の概要, 収支状況). Any other word may be a name, or
 * may refer to all properties together.
 */
const ASPECT_WORDS: readonly string[] = [
  ...['物件', '不動産', '信託', '受益権', '特定資産', '資産', '土地', '建物', '権利', '関係', '所在地', '所在', '概要'],
  ...['概況', '状況', '内容', '詳細', '特性', '特徴', '特記', '事項', '項目', '鑑定', '評価', '価格', '価額', '調査'],
  ...['収支', '損益', '収益', '収入', '費用', '利回り', '賃貸借', '賃貸', '事業', '契約', '条件', 'テナント', '賃借人'],
  ...['稼働', '率', '運用', '期間', '実績', '取得', '年月日', '時期', '管理', '会社', '受託者', '推移', '明細', '内訳'],
  ...[
    '個別',
    '直接還元',
    'dcf',
    '法',
    '還元',
    '割引',
    '最終',
    '試算',
    '積算',
    '書',
    '額',
    '等',
    '要旨',
    '要約',
    '報告',
  ],
  ...['地震', 'リスク', '分析', 'エンジニアリング', 'レポート', '環境', '修繕', '資本的支出', '番号', '名称', '名'],
  ...[
    '及び',
    '並びに',
    'について',
    'に関する',
    'に係る',
    'による',
    '該当',
    'は',
    'ありません',
    'なし',
    '続き',
    'つづき',
  ],
  ...['現在', '時点', '末', '当期', '前期', '当', '本', '期', '第', '自', '至', '年', '月', '日', '訂正後', '単位'],
  ...['写真', '位置', '案内', '平面', '図', '交通', 'アクセス', '用途', '構造', '階数', '面積', '敷地', '延床', '竣工'],
  ...['建築', '設計', '施工', '主要な', '売買', '公租公課', '土壌汚染', '耐震', '性能'],
  ...[...YEN_UNITS, 'm2', '%'],
  ...['の', '・', '、', ',', '/', ':', '~', '〜', '-', '(', ')', '[', ']', '<', '>', '.', ' '],
];
const BY_FIRST = Map.groupBy(ASPECT_WORDS, (word) => word[0] as string);

/** Whether a heading in NFKC names only an aspect, a period or a unit. */
export function isAspect(text: string): boolean {
  const plain = text.toLowerCase();
  const reached = new Set([0]);
  for (let at = 0; at < plain.length; at++) {
    if (!reached.has(at)) continue;
    if (/\d/u.test(plain[at] as string)) reached.add(at + 1);
    for (const word of BY_FIRST.get(plain[at] as string) ?? [])
      if (plain.startsWith(word, at)) reached.add(at + word.length);
  }
  return reached.has(plain.length);
}

const SUBJECT = /概要|概況|状況|内容|詳細|特性|特徴|特記|収支|損益|鑑定|評価書|推移|明細|内訳|実績|契約/u;

/** Whether a text beside a name only says which aspect follows. `2期` or `土地` may be part of the name. */
export const isTitleOfAspect = (text: string): boolean => SUBJECT.test(text) && isAspect(text);

const LEADING_CIRCLED = new RegExp(`^\\s*[${CIRCLED}]+\\s*`, 'u');

/** A heading on one line in NFKC, without footnote marks and its circled number. */
export function plainHeading(text: string): string {
  return oneLine(text.replace(LEADING_CIRCLED, '')).normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

const ORDER =
  /^(?:no\.?\s*\d{1,3}[.:]?\s+|物件\d{1,3}(?:[.:]|\s)|\(?\d{1,3}[).、]|\(?[ivx]{1,4}[).、]|\(?[ア-ン][).、]|\(?[a-z][).、]|\([一二三四五六七八九十]{1,3}\)|[■□●○◆◇◎▲▼・*※◯▪•★☆]|(?:\d{1,3}|[ivx]{1,4})(?= ))\s*/iu;
const WRAPPED = /^(?:\[(.+)\]|【(.+)】|<(.+)>|〈(.+)〉|《(.+)》|「(.+)」|『(.+)』|〔(.+)〕|\(([^()]+)\))$/u;
const MAX_STEPS = 4;

/** A heading, then the same without its number, bullets and brackets, one step at a time. */
export function unwrapHeading(plain: string): string[] {
  const readings = [plain];
  for (let text = plain; readings.length <= MAX_STEPS; ) {
    const unwrapped = WRAPPED.exec(text)
      ?.slice(1)
      .find((inner) => inner !== undefined);
    const next = (unwrapped ?? text.replace(ORDER, '')).trim();
    if (next === '' || next === text) break;
    readings.push(next);
    text = next;
  }
  return readings;
}

/** Remarks in brackets that do not change which property a name means: 見本館（準共有持分50％）. */
const REMARK =
  /持分|共有|区分所有|受益権|所有権|続き|つづき|旧|以下|^(?:第\d{1,3}期|当期|前期)$|^(?:単位|\d{4}年\d{1,2}月)/u;

const withoutRemark = (name: string): string =>
  name.replace(/(?<!\s)\s*\(([^()]*)\)\s*$/u, (brackets, inner: string) => (REMARK.test(inner) ? '' : brackets));
export const bareNameKey = (name: string): string => nameKey(withoutRemark(name.normalize('NFKC')));

export const NUMBER_LABEL = /^(?:(?:物件|資産|不動産)(?:番号|no\.?|コード)|番号|no\.)\s*:?\s*/iu;
export const NAME_LABEL = /^(?:物件|不動産等?|資産|信託不動産)の?(?:名称|名)(?:\s*:\s*|\s+)/u;

export interface DeclaredProperty {
  number: string;
  name: string;
}

const CODE_AND_NAME = /^[[(<【]?([a-z]{1,4}-?\d{1,4}(?:-\d{1,3})?)[\])>】]?[\s:.、]+([^\s:.、].{0,79})$/iu;

/** The property that a heading declares: `A-01 見本館`, `物件番号 A-01 物件名 見本館`, `物件名称：見本館`. */
export function readDeclaredProperty(heading: string): DeclaredProperty | undefined {
  for (const text of unwrapHeading(plainHeading(heading))) {
    const named = text.replace(NAME_LABEL, '');
    if (named !== text && named !== '' && !isAspect(named)) return { number: '', name: named };
    const [, code = '', rest = ''] = CODE_AND_NAME.exec(text.replace(NUMBER_LABEL, '')) ?? [];
    const name = rest.replace(NAME_LABEL, '');
    if (propertyNumber(code) !== undefined && name !== '' && !isAspect(name)) return { number: code, name };
  }
  return undefined;
}
