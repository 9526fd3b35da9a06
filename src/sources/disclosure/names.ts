import { cleanText, DASHES, withHyphens } from '../../vocabulary/text.ts';
import { collapseSpace, stripFootnoteMarks } from './figures.ts';

/** The text of a cell on one line. Line breaks inside Japanese text come from narrow cells and are removed. */
export function oneLine(text: string): string {
  const joined = collapseSpace(text).replace(/(\S?)\s*\n\s*(?=(\S?))/gu, (_, before: string, after: string) =>
    isLatin(before) && isLatin(after) ? `${before} ` : before,
  );
  return cleanText(stripFootnoteMarks(joined));
}

function isLatin(character: string): boolean {
  return /[\w.,&'-]/u.test(character);
}

/** Names are equal if they differ only in width, case and white space. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s・]+/gu, '');
}

/** A permanent property number: `O-1`, `Ａ01`, `関東圏-3`. Bare ordinals change when other properties are sold. */
export function propertyNumber(text: string): string | undefined {
  const spelt = stripFootnoteMarks(text.slice(0, 100)).normalize('NFKC').replace(/\s+/gu, '');
  const plain = withHyphens(spelt);
  return /^(?=.{2,20}$)[\p{Letter}(][\p{Letter}()・-]*-?\d{1,4}(?:-\d{1,3}|\(\d{1,3}\)|[a-z])?$/iu.test(plain)
    ? plain.toUpperCase()
    : undefined;
}

const TOTAL =
  /^(?:計|[^計]*(?:合計|小計|総計|中計|累計|平均)(?:[(（/／].*)?|.*(?:物件|地域|地区|エリア|[都心区部圏]|施設|用途|住宅|オフィス|ホテル)計(?:[(（].*)?|計?[(（]?\d+物件[)）]?|ポートフォリオ(?:全体|計)?)$/u;

/** Whether the name is that of a row of totals. */
export function isTotal(name: string): boolean {
  return TOTAL.test(name.slice(0, 200).normalize('NFKC').replace(/\s+/gu, ''));
}

const ABROAD =
  /米国|アメリカ|ハワイ|グアム|サイパン|ケイマン|シンガポール|香港|マカオ|中国(?!地方)|上海|北京|台湾|韓国|ベトナム|タイ王国|マレーシア|インドネシア|フィリピン|豪州|オーストラリア|英国|ドイツ|フランス|オランダ|カナダ/u;
const IN_JAPAN = /[都道府県市区町村郡]/u;

/** Whether an address is outside Japan: in a named country, or without any Japanese character. */
export function isAbroad(address: string): boolean {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(address)) return true;
  return ABROAD.test(address) && !IN_JAPAN.test(address.slice(0, 8));
}

const POSTCODE = new RegExp(`^〒?\\s*[\\d０-９]{3}\\s*[${DASHES}]\\s*[\\d０-９]{4}\\s*`, 'u');

/** The address without its postcode. */
export function propertyAddress(text: string): string {
  return oneLine(text).replace(POSTCODE, '');
}

const MUNICIPALITY = /(?:東京都|北海道|(?:京都|大阪)府|\p{Script=Han}{2,3}県)[^\s都道府県]{1,8}[市区町村郡]/u;

/** Whether cells ran together in a scraped table: the name contains the municipality of the address. */
export function containsAddress(name: string, address: string): boolean {
  const place = MUNICIPALITY.exec(name)?.[0];
  return place !== undefined && address.includes(place) && !address.startsWith(place);
}
