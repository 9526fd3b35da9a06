import { toKanjiNumber } from '../../vocabulary/japanese.ts';
import { PREFECTURE_NAMES, prefectureName } from '../../vocabulary/prefectures.ts';
import { fail, ok, type Result } from '../../vocabulary/result.ts';
import { withHyphens } from '../../vocabulary/text.ts';
import type { Reply } from './read-reply.ts';

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const MUNICIPALITY = /[市区町村]$/u;

const CHOME = /^[一二三四五六七八九十百]+丁目$/u;

/** Levels of a reply; the first one present in each line is used. */
const MUNICIPALITIES = ['city', 'town', 'village', 'municipality'];
const WARDS = ['city_district', 'borough', 'suburb'];

interface Composed {
  address: string;
  /** What was left out at the end. */
  note: string | undefined;
}

/** The address in Japanese order, or why it cannot be composed. Nothing is guessed. */
export function composeAddress(reply: Reply): Result<Composed, string> {
  const { address } = reply;
  const first = (levels: string[]) => levels.map((level) => address.get(level)).find((part) => part !== undefined);
  const prefecture = findPrefecture(reply);
  if (!prefecture.ok) return prefecture;

  const named = first(MUNICIPALITIES);
  // 東京都 is the city if the ward is the suburb.
  const city = named === prefecture.value ? undefined : named;
  const ward = WARDS.map((level) => address.get(level)).find((part) => part?.endsWith('区'));
  const county = address.get('county')?.endsWith('郡') ? (address.get('county') as string) : '';
  const within = city === undefined || city.endsWith('市') ? (ward ?? '') : '';
  const municipality = `${county}${city ?? ''}${within}`;
  if (!MUNICIPALITY.test(municipality)) return fail('no municipality in Japanese');

  const machiAza = findMachiAza(address);
  if (!machiAza.ok) return machiAza;
  const number = composeNumber(machiAza.value, address.get('city_block'), address.get('house_number'));
  return ok({
    address: `${prefecture.value}${municipality}${machiAza.value}${number ?? ''}`,
    note: number === undefined ? 'house number cannot be read and is left out' : undefined,
  });
}

/** Tokyo's wards come as cities without a province; then the ISO code or the display name has the prefecture. */
function findPrefecture({ address, displayName }: Reply): Result<string, string> {
  const given = [address.get('province'), address.get('state'), address.get('city')].find((part) =>
    PREFECTURE_NAMES.includes(part ?? ''),
  );
  const coded = prefectureByIso(address.get('ISO3166-2-lvl4'));
  if (given !== undefined && coded !== undefined && given !== coded) return fail('two prefectures');
  const shown = displayName.split(/[,、]/u).map((part) => part.trim());
  const displayed = shown.find((part) => PREFECTURE_NAMES.includes(part));
  const isTokyo = shown.includes('Tokyo') && TOKYO_WARDS.has(address.get('city') ?? '');
  const found = given ?? coded ?? displayed ?? (isTokyo ? '東京都' : undefined);
  return found === undefined ? fail('no prefecture') : ok(found);
}

/**
 * The machi-aza: quarter is the 町 or 大字, neighbourhood the 丁目 or 字, with or without the name of the 町. Both levels may
 * also be names that are not part of an address (an estate, a district), and so may a suburb next to a quarter.
 */
function findMachiAza(address: Reply['address']): Result<string, string> {
  const suburb = address.get('suburb');
  const machi = toChome(address.get('quarter') ?? (suburb?.endsWith('区') ? '' : (suburb ?? '')));
  const inner = toChome(address.get('neighbourhood') ?? '');
  if (machi === '' && inner === '') return fail('the address ends at the municipality');
  if (!(JAPANESE.test(machi) || machi === '') || !(JAPANESE.test(inner) || inner === '')) {
    return fail('the address is not in Japanese');
  }
  if (machi === '' && /(丁目|町)$/u.test(inner) && !CHOME.test(inner)) return ok(inner);
  if (machi === '' || CHOME.test(machi)) return fail('no machi-aza');
  if (machi.endsWith('丁目')) return ok(machi);
  const rest = inner.startsWith(machi) ? inner.slice(machi.length) : inner;
  if (CHOME.test(rest) || /^小?字/u.test(rest)) return ok(`${machi}${rest}`);
  if (!inner.endsWith('丁目')) return ok(machi);
  return address.has('quarter') ? fail('two machi-aza') : ok(inner);
}

/** 2, ２丁目 and 二丁目 become 二丁目, alone or after a name. */
function toChome(part: string): string {
  const plain = part.normalize('NFKC');
  const text = /^\d{1,3}$/.test(plain) ? `${plain}丁目` : plain;
  return text.replace(/(\d{1,3})丁目/gu, (_, digits: string) => `${toKanjiNumber(Number(digits))}丁目`);
}

/**
 * Block and house as 9-1. Below 一丁目 a number of three parts repeats the chome, which is removed; with another chome its
 * meaning is unknown. '' if there is no number, undefined if it cannot be read.
 */
function composeNumber(machi: string, block: string | undefined, house: string | undefined): string | undefined {
  const given = [block, house].flatMap((part) => part ?? []).map(plainNumber);
  if (given.length === 0) return '';
  const [first = '', second] = given;
  const number = second === undefined || second.startsWith(`${first}-`) ? (second ?? first) : `${first}-${second}`;
  if (!/^\d{1,5}(-\d{1,5}){0,3}$/.test(number)) return undefined;
  const parts = number.split('-');
  if (!machi.endsWith('丁目') || parts.length < 3) return number;
  return machi.endsWith(`${toKanjiNumber(Number(parts[0]))}丁目`) ? parts.slice(1).join('-') : undefined;
}

/** Normalises width, dashes, 番地, 番 and 号: 9番1号 → 9-1. */
function plainNumber(text: string): string {
  return withHyphens(text.normalize('NFKC'))
    .replaceAll('の', '-')
    .replace(/番地?(?=\d)/gu, '-')
    .replace(/(番地?|号)$/u, '')
    .replace(/\s+/gu, '');
}

/** The special wards of Tokyo, which Nominatim gives as cities. */
// biome-ignore format: a table in rows of eight
const TOKYO_WARDS: ReadonlySet<string> = new Set([
  '千代田区', '中央区', '港区', '新宿区', '文京区', '台東区', '墨田区', '江東区',
  '品川区', '目黒区', '大田区', '世田谷区', '渋谷区', '中野区', '杉並区', '豊島区',
  '北区', '荒川区', '板橋区', '練馬区', '足立区', '葛飾区', '江戸川区',
]);

function prefectureByIso(code: string | undefined): string | undefined {
  const match = /^JP-(\d\d)$/.exec(code ?? '');
  return match === null ? undefined : prefectureName(match[1] as string);
}
