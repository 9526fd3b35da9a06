import { kanjiNumbersToDigits, type PartialDate, parseJapaneseDate } from '../../vocabulary/japanese.ts';
import { withoutGrouping } from '../../vocabulary/printed-figure.ts';
import { cleanText, DASHES } from '../../vocabulary/text.ts';
import { dayInJapan } from '../../vocabulary/time.ts';

const NOTHING = new RegExp(`^(?:[${DASHES}~*.\\s]*|不明|未定|非公表|非公開|未公表|未記入|該当なし)$`, 'u');

/** Whether a cell is empty or has a mark for "no value". */
export function isBlankCell(cell: string): boolean {
  return NOTHING.test(cell.normalize('NFKC'));
}

const AREA_UNIT = /(?:m2|m\^2|平米|平方メートル)$/iu;

/** 2,643.02, ２６４３．０２㎡. */
export function parseArea(cell: string): number | undefined {
  return parseDecimal(cell.normalize('NFKC').trim().replace(AREA_UNIT, ''));
}

/** 120, １２０戸. */
export function parseUnitCount(cell: string): number | undefined {
  return parseDecimal(cell.normalize('NFKC').trim().replace(/戸$/u, ''));
}

function parseDecimal(text: string): number | undefined {
  const digits = withoutGrouping(text.trim());
  return digits === undefined ? undefined : Number(digits);
}

const FIRST_YEAR = 1868;
const LAST_YEAR = 2_200;

/** A date within the years of real buildings: a spreadsheet's day number may look like a year. */
export function parseDate(cell: string): PartialDate | undefined {
  const date = cell.length > 40 ? undefined : parseJapaneseDate(cell);
  if (date === undefined || date.year < FIRST_YEAR) return undefined;
  return date.year > LAST_YEAR ? undefined : date;
}

/** 2008, 2008年度, 平成20年度. */
export function parseFiscalYear(cell: string): number | undefined {
  const date = parseDate(cell.trim().replace(/(?:年度|年)$/u, ''));
  return date === undefined || date.month !== undefined ? undefined : date.year;
}

/** Whether a date, as far as it is stated, was in the future in Japan. */
export function isLater({ year, month, day }: PartialDate, retrievedAt: string): boolean {
  const parts = [String(year), month, day].filter((part) => part !== undefined);
  const date = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return date > dayInJapan(retrievedAt).slice(0, date.length);
}

const PROVISIONAL = /[(（[［【〔「]\s*仮称?\s*[)）\]］】〕」]|^仮称[\s:：]+/gu;
const WORKS = /(?<!\s)\s*(?:新築|新営|増築|改築|建設|建築|建替え?|整備)(?:等)?(?:工事|事業工事)$/u;
/** A title with the name of a private owner (山田太郎様邸新築工事) is not published. */
const PERSONAL = /(?:様|氏|さん)(?:邸|宅|ビル|マンション|共同住宅|アパート|賃貸|計画|プロジェクト|$)/u;

/**
 * The name of a building. A working title is kept, without the mark (仮称) and without the works at its end (新築工事),
 * since it may be the building's only name.
 */
export function buildingName(cell: string): string | undefined {
  if (isBlankCell(cell)) return undefined;
  const name = cleanText(cell).replace(PROVISIONAL, ' ');
  const bare = cleanText(name.replace(WORKS, ''));
  return bare === '' || PERSONAL.test(bare) ? undefined : bare;
}

const REMARK = /[(（]\s*(?:地名地番|地番|住居表示)\s*[)）]/gu;

/** An address without remarks on the kind of its number. */
export function addressText(cell: string): string | undefined {
  if (isBlankCell(cell)) return undefined;
  const address = cleanText(cleanText(cell).replace(REMARK, ' '));
  return address === '' ? undefined : address;
}

/** A register of Tokyo leaves out 東京都, and may have the ward only in a column of its own. */
export function tokyoAddress(cell: string, ward = ''): string | undefined {
  const address = addressText(cell);
  if (address === undefined || address.startsWith('東京都')) return address;
  const named = ward === '' || !/[区市町村]$/u.test(ward) || address.includes(ward) || /^.{1,6}[区市郡]/u.test(address);
  return `東京都${named ? '' : ward}${address}`;
}

/** Uses that state the tenure of flats. */
const TENURES = new Map([
  ['賃貸住宅', 'rental'],
  ['賃貸', 'rental'],
  ['rental', 'rental'],
  ['分譲住宅', 'sale'],
  ['分譲', 'sale'],
  ['sale', 'sale'],
  ['分譲賃貸混在', 'mixed'],
  ['分譲・賃貸混在', 'mixed'],
  ['mixed', 'mixed'],
]);

/** The tenure that uses state; flats for sale and flats to let together are mixed. */
export function tenureOf(uses: readonly string[]): string | undefined {
  const words = uses.flatMap((use) => use.normalize('NFKC').split(/[、,/\n]/u));
  const tenures = new Set(words.map((word) => TENURES.get(word.trim().toLowerCase())).filter((t) => t !== undefined));
  return tenures.size > 1 ? 'mixed' : [...tenures][0];
}

interface StoreyCell {
  floorsAbove: number | undefined;
  floorsBelow: number | undefined;
  /** The kinds of structure in the words of the source, joined by 、. */
  structure: string | undefined;
}

const NUMBER = '([\\d〇一二三四五六七八九十百]+)';
const BELOW = new RegExp(`地下\\s*(?:${NUMBER}\\s*(?:階|F)|(なし|無し|無))付?|B${NUMBER}F?(?![A-Z\\d])`, 'iu');
const ABOVE = new RegExp(`(?:地上)?\\s*${NUMBER}\\s*(?:階|F)`, 'iu');
const PENTHOUSE = new RegExp(`塔屋\\s*${NUMBER}?\\s*(?:階|F)?|P${NUMBER}F?(?![A-Z\\d])`, 'giu');
const ONE_STOREY = /平[家屋](?:建て?)?/u;
/** Kinds often written without 造. */
const BARE = /^(?:SRC|RC|S|CFT|PC|HPC|WRC|W|LGS|CB|(?:鉄骨)?鉄筋コンクリート|(?:軽量)?鉄骨|木)$/u;

/** 地上25階、地下2階、SRC造、RC造、S造, in any order, each part optional. */
export function parseStoreys(text: string): StoreyCell {
  let rest = text.normalize('NFKC').slice(0, 500).replace(PENTHOUSE, '、');
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match !== null) rest = `${rest.slice(0, match.index)}、${rest.slice(match.index + match[0].length)}`;
    return match;
  };
  const below = take(BELOW);
  const above = take(ABOVE);
  const single = above === null ? take(ONE_STOREY) : null;
  return {
    floorsAbove: above === null ? (single === null ? undefined : 1) : toCount(above[1]),
    floorsBelow: below === null ? undefined : below[2] === undefined ? toCount(below[1] ?? below[3]) : 0,
    structure: structureOf(rest),
  };
}

/** One number of floors: 8, ８階, 地上8階, B2F, なし. */
export function parseFloorCount(text: string): number | undefined {
  const plain = text.normalize('NFKC').trim();
  if (/^(?:なし|無し|無)$/u.test(plain)) return 0;
  const match = new RegExp(`^(?:地上|地下|B)?\\s*${NUMBER}\\s*(?:階|F|階建て?)?$`, 'iu').exec(plain);
  return match === null ? undefined : toCount(match[1]);
}

function toCount(digits: string | undefined): number | undefined {
  const count = Number(kanjiNumbersToDigits(digits ?? ''));
  return digits === undefined || Number.isNaN(count) ? undefined : count;
}

function structureOf(text: string): string | undefined {
  const kinds = text
    .split(/[、,・/／+＋\s]+/u)
    .map((kind) => kind.replace(/^[:(]+|[:)]+$|^建て?$/gu, ''))
    .map((kind) => (BARE.test(kind) ? `${kind}造` : kind))
    .filter((kind) => kind.includes('造'));
  return kinds.length === 0 ? undefined : [...new Set(kinds)].join('、');
}
