import type { Attribute } from '../../../registry/search/format/entry.ts';
import type { Sort } from '../../../registry/search/format/segments.ts';
import type { Category } from '../../../vocabulary/categories.ts';
import { formatCount } from './counts.ts';

type Range = 'floors' | 'height' | 'built';
interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
}

/** A range in words, by which of its ends it has. */
const inWords =
  (from: (min: number) => string, upTo: (max: number) => string, between: (min: number, max: number) => string) =>
  ({ min, max }: Bounds): string =>
    min === undefined ? upTo(max as number) : max === undefined ? from(min) : between(min, max);

const floorsEn = (count: number): string => (count === 1 ? '1 floor' : `${count} floors`);

const en = {
  filters: 'Filters',
  filtersAndAreas: 'Filters and areas',
  searchLabel: 'Name, address or ID',
  sortBy: 'Sort by',
  defaultSort: 'Recently updated',
  sorts: {
    footprint: 'Largest footprint',
    height: 'Tallest',
    floors: 'Most floors',
    built: 'Newest',
    name: 'Name',
  } satisfies Record<Sort, string> as Record<Sort, string>,
  moreFilters: 'More filters',
  filtersInUse: (count: number) => `${formatCount(count)} in use`,
  use: 'Use',
  ranges: { floors: 'Floors', height: 'Height', built: 'Year built' } as Record<Range, string>,
  rangeWithUnit: (label: string, unit: string) => `${label} (${unit})`,
  minimum: (label: string) => `${label}, minimum`,
  maximum: (label: string) => `${label}, maximum`,
  metres: (label: string) => `${label} (metres)`,
  min: 'min',
  max: 'max',
  availability: 'Data availability',
  has: {
    owner: 'Owner known',
    yearBuilt: 'Year built known',
    noConflict: 'No conflicts, not even slight',
    venues: 'Has venues',
    reit: 'Has REIT history',
  } as Record<Attribute | 'reit', string>,
  apply: 'Apply filters',
  clear: 'Clear filters',
  updating: 'Updating results',

  activeFilters: 'Active filters',
  removeFilter: 'Remove filter: ',
  quoted: (text: string) => `“${text}”`,
  useNamed: (word: string) => `Use “${word}”`,
  postcode: (postcode: string) => `Postcode ${postcode}`,
  range: {
    floors: inWords(
      (min) => `Floors from ${min}`,
      (max) => `Floors up to ${max}`,
      (min, max) => `Floors ${min} to ${max}`,
    ),
    height: inWords(
      (min) => `Height from ${min} m`,
      (max) => `Height up to ${max} m`,
      (min, max) => `Height ${min} to ${max} m`,
    ),
    built: inWords(
      (min) => `Completion from ${min}`,
      (max) => `Completion up to ${max}`,
      (min, max) => `Completion ${min} to ${max}`,
    ),
  } as Record<Range, (bounds: Bounds) => string>,

  /** Parts of the title of a search; the first one begins with a capital. */
  phrases: {
    or: ' or ',
    first: (phrase: string) => `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`,
    range: {
      floors: inWords(
        (min) => `${floorsEn(min)} or more`,
        (max) => `up to ${floorsEn(max)}`,
        (min, max) => `${min} to ${max} floors`,
      ),
      height: inWords(
        (min) => `${min} m or taller`,
        (max) => `up to ${max} m`,
        (min, max) => `${min} to ${max} m`,
      ),
      built: inWords(
        // True of planned buildings too (UI-20).
        (min) => `completion in ${min} or later`,
        (max) => `completion in ${max} or earlier`,
        (min, max) => `completion ${min} to ${max}`,
      ),
    } as Record<Range, (bounds: Bounds) => string>,
    has: {
      owner: 'owner known',
      yearBuilt: 'year built known',
      noConflict: 'without any conflicts',
      venues: 'with venues',
      reit: 'with REIT history',
    } as Record<Attribute | 'reit', string>,
    uses: {
      residential: 'residential',
      office: 'offices',
      retail: 'retail',
      hotel: 'hotels',
      logistics: 'logistics',
      industrial: 'industrial',
      education: 'education',
      healthcare: 'healthcare',
      public: 'public',
      religious: 'religious',
      culture: 'culture',
      sports: 'sports',
      transport: 'transport',
      parking: 'parking',
      agriculture: 'agriculture',
      utility: 'utility',
      other: 'other uses',
      unspecified: 'use unspecified',
    } as Record<Category, string>,
  },

  /** UI-50: what was corrected or ignored in the address of the page. */
  corrections: {
    page: 'The page number is not a positive integer. Page 1 is shown.',
    pageBeyond: (last: number) => `There is no such page. The last one, page ${formatCount(last)}, is shown.`,
    noPageBeyond: 'There is no such page. Page 1 is shown.',
    minimum: (range: string) => `${range}: the minimum is not a usable number and was ignored.`,
    maximum: (range: string) => `${range}: the maximum is not a usable number and was ignored.`,
    emptyRange: (range: string) => `${range}: minimum exceeds maximum, so no building matches.`,
    unknownUse: (word: string) => `Unknown use “${word}”: no building records it.`,
    tooManyUses: (most: number) => `Only the first ${most} unknown uses were looked up.`,
    has: 'An unknown value of “has” was ignored.',
    sort: 'The sort order is unknown. Recently updated buildings come first.',
    postcode: 'The postcode must have seven digits. It was ignored.',
  },
};

/** Japanese says these in the same way on their own and in a title. */
const HAS_JA = {
  owner: '所有者あり',
  yearBuilt: '建築年あり',
  noConflict: '軽微な相違もなし',
  venues: '施設あり',
  reit: 'REIT開示履歴あり',
};
const RANGES_JA = {
  floors: inWords(
    (min) => `${min}階以上`,
    (max) => `${max}階以下`,
    (min, max) => `${min}〜${max}階`,
  ),
  height: inWords(
    (min) => `高さ${min} m以上`,
    (max) => `高さ${max} m以下`,
    (min, max) => `高さ${min}〜${max} m`,
  ),
  built: inWords(
    (min) => `${min}年以降の竣工`,
    (max) => `${max}年以前の竣工`,
    (min, max) => `${min}〜${max}年の竣工`,
  ),
};

const ja: typeof en = {
  filters: '絞り込み',
  filtersAndAreas: '絞り込みと地域',
  searchLabel: '名称・住所・ID',
  sortBy: '並び順',
  defaultSort: '更新が新しい順',
  sorts: {
    footprint: '建築面積が大きい順',
    height: '高い順',
    floors: '階数が多い順',
    built: '築年が新しい順',
    name: '名称順',
  },
  moreFilters: 'その他の条件',
  filtersInUse: (count) => `${formatCount(count)}件使用中`,
  use: '用途',
  ranges: { floors: '地上階数', height: '高さ', built: '建築年' },
  rangeWithUnit: (label, unit) => `${label}（${unit}）`,
  minimum: (label) => `${label}の下限`,
  maximum: (label) => `${label}の上限`,
  metres: (label) => `${label}（メートル）`,
  min: '下限',
  max: '上限',
  availability: 'データの有無',
  has: HAS_JA,
  apply: '条件を適用',
  clear: '条件をクリア',
  updating: '結果を更新しています',

  activeFilters: '適用中の条件',
  removeFilter: '条件を外す：',
  quoted: (text) => `「${text}」`,
  useNamed: (word) => `用途「${word}」`,
  postcode: (postcode) => `〒${postcode}`,
  range: RANGES_JA,

  phrases: {
    or: 'または',
    first: (phrase) => phrase,
    range: RANGES_JA,
    has: HAS_JA,
    uses: {
      residential: '住宅',
      office: '事務所',
      retail: '商業',
      hotel: '宿泊',
      logistics: '物流',
      industrial: '工業',
      education: '教育',
      healthcare: '医療・福祉',
      public: '公共',
      religious: '宗教',
      culture: '文化',
      sports: '運動',
      transport: '交通',
      parking: '駐車場',
      agriculture: '農業',
      utility: '供給処理',
      other: 'その他の用途',
      unspecified: '用途不明',
    },
  },

  corrections: {
    page: 'ページ番号が正の整数ではないため、1ページ目を表示しています。',
    pageBeyond: (last) => `指定のページはありません。最後の${formatCount(last)}ページ目を表示しています。`,
    noPageBeyond: '指定のページはありません。1ページ目を表示しています。',
    minimum: (range) => `${range}：下限が使用できる数値ではないため、無視しました。`,
    maximum: (range) => `${range}：上限が使用できる数値ではないため、無視しました。`,
    emptyRange: (range) => `${range}：下限が上限を超えているため、該当する建物はありません。`,
    unknownUse: (word) => `用途「${word}」が登録された建物はありません。`,
    tooManyUses: (most) => `登録のない用途は最初の${most}件だけを検索しました。`,
    has: '「has」の値が正しくないため、無視しました。',
    sort: '並び順の指定が正しくないため、更新が新しい順に表示しています。',
    postcode: '郵便番号が7桁ではないため、無視しました。',
  },
};

/** The filters of a list, in its form, above its results and in its title. */
export const filterText = { en, ja };
