import { type PartialDate, parseJapaneseDate } from '../../vocabulary/japanese.ts';
import { withoutGrouping } from '../../vocabulary/printed-figure.ts';
import { cleanText, DASHES } from '../../vocabulary/text.ts';
import { dayInJapan } from '../../vocabulary/time.ts';

const NOTHING = new RegExp(`^(?:[${DASHES}~*.\\s]*|不明|未定|非公表|非公開|未公表|未記入|該当なし)$`, 'u');

/** What a cell says; empty for the marks of having nothing to say. */
export function saysNothing(cell: string): boolean {
  return NOTHING.test(cell.normalize('NFKC'));
}

const AREA_UNIT = /(?:m2|m\^2|平米|平方メートル)$/iu;

/** 2,643.02, ２６４３．０２㎡; undefined for anything else. */
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

/** A date of a building: what else a cell holds (a day counted by a spreadsheet, say) may look like a year. */
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

/** Whether a date, as far as it is known, was still to come in Japan. */
export function isLater({ year, month, day }: PartialDate, retrievedAt: string): boolean {
  const parts = [String(year), month, day].filter((part) => part !== undefined);
  const date = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return date > dayInJapan(retrievedAt).slice(0, date.length);
}

const PROVISIONAL = /[(（[［【〔「]\s*仮称?\s*[)）\]］】〕」]|^仮称[\s:：]+/gu;
const WORKS = /[\s　]*(?:新築|新営|増築|改築|建設|建築|建替え?|整備)(?:等)?(?:工事|事業工事)$/u;
/** A title made of the owner's name (山田太郎様邸新築工事) is not carried. */
const PERSONAL = /(?:様|氏|さん)(?:邸|宅|ビル|マンション|共同住宅|アパート|賃貸|計画|プロジェクト|$)/u;

/**
 * The name of a building. A working title is the only name it has until it gets another: kept, without
 * the mark (仮称) and without the works at its end (新築工事), which are no part of what anyone would look for.
 */
export function buildingName(cell: string): string | undefined {
  if (saysNothing(cell)) return undefined;
  const name = cleanText(cell).replace(PROVISIONAL, ' ');
  const bare = cleanText(name.replace(WORKS, ''));
  return bare === '' || PERSONAL.test(bare) ? undefined : bare;
}

const REMARK = /[(（]\s*(?:地名地番|地番|住居表示)\s*[)）]/gu;

/** An address without remarks on which kind of number it has. */
export function addressText(cell: string): string | undefined {
  if (saysNothing(cell)) return undefined;
  const address = cleanText(cleanText(cell).replace(REMARK, ' '));
  return address === '' ? undefined : address;
}

/** A register of Tokyo leaves 東京都 out, and its own column may be the only one that has the ward. */
export function tokyoAddress(cell: string, ward = ''): string | undefined {
  const address = addressText(cell);
  if (address === undefined || address.startsWith('東京都')) return address;
  const named = ward === '' || !/[区市町村]$/u.test(ward) || address.includes(ward) || /^.{1,6}[区市郡]/u.test(address);
  return `東京都${named ? '' : ward}${address}`;
}

/** What a use says of the tenure of flats; other uses say nothing of it. */
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

/** The tenure that uses amount to: flats for sale and flats to let are mixed. */
export function tenureOf(uses: readonly string[]): string | undefined {
  const words = uses.flatMap((use) => use.normalize('NFKC').split(/[、,/\n]/u));
  const tenures = new Set(words.map((word) => TENURES.get(word.trim().toLowerCase())).filter((t) => t !== undefined));
  return tenures.size > 1 ? 'mixed' : [...tenures][0];
}
