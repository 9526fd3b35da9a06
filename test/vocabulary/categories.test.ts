import { describe, expect, it } from 'vitest';
import { CATEGORIES, type Category, categoryOf, findCategory } from '../../src/vocabulary/categories.ts';
import { CATEGORY_ALIASES } from '../../src/vocabulary/category-aliases.ts';

const ALIASES = CATEGORIES.flatMap((category) => CATEGORY_ALIASES[category].map((word) => [word, category] as const));

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000');

/** PLATEAU Building_usage: code, label, category. */
const PLATEAU_USAGES: [string, string, Category][] = [
  ['401', '業務施設', 'office'],
  ['402', '商業施設', 'retail'],
  ['403', '宿泊施設', 'hotel'],
  ['404', '商業系複合施設', 'retail'],
  ['411', '住宅', 'residential'],
  ['412', '共同住宅', 'residential'],
  ['413', '店舗等併用住宅', 'residential'],
  ['414', '店舗等併用共同住宅', 'residential'],
  ['415', '作業所併用住宅', 'residential'],
  ['421', '官公庁施設', 'public'],
  ['422', '文教厚生施設', 'public'],
  ['431', '運輸倉庫施設', 'logistics'],
  ['441', '工場', 'industrial'],
  ['451', '農林漁業用施設', 'agriculture'],
  ['452', '供給処理施設', 'utility'],
  ['453', '防衛施設', 'public'],
  ['454', 'その他', 'other'],
  ['461', '不明', 'unspecified'],
];

describe('categories', () => {
  it('are the eighteen of the decision', () => {
    const decided =
      'residential, office, retail, hotel, logistics, industrial, education, healthcare, public, religious, culture, ' +
      'sports, transport, parking, agriculture, utility, other, unspecified';
    expect(CATEGORIES).toEqual(decided.split(', '));
    expect(Object.keys(CATEGORY_ALIASES).sort()).toEqual([...CATEGORIES].sort());
  });

  it.each(CATEGORIES)('%s is its own alias', (category) => {
    expect(findCategory(category)).toBe(category);
  });

  it('REC-07 every alias is normalised and occurs once', () => {
    expect(ALIASES.map(([word]) => word).filter((word) => word !== word.normalize('NFKC').toLowerCase())).toEqual([]);
    expect(ALIASES.map(([word]) => word).filter((word) => word !== word.trim() || /\s{2}|[^\S ]/.test(word))).toEqual(
      [],
    );
    const seen = new Set<string>();
    const duplicates = ALIASES.filter(([word]) => seen.size === seen.add(word).size);
    expect(duplicates).toEqual([]);
  });

  it('REC-07 apartments and residential are one category', () => {
    expect(findCategory('apartments')).toBe('residential');
    expect(findCategory('residential')).toBe('residential');
  });

  it.each([
    ['shop', 'store', 'retail'],
    ['office building', '事務所', 'office'],
    ['warehouse', '物流施設', 'logistics'],
    ['共同住宅', 'apartment building', 'residential'],
  ] as const)('SEA-09 %s and %s are aliases of %s', (a, b, category) => {
    expect([findCategory(a), findCategory(b)]).toEqual([category, category]);
  });

  it('SEA-09 every alias is found in any case and width, with surrounding spaces', () => {
    const lost = ALIASES.filter(([word, category]) =>
      [word, word.toUpperCase(), fullWidth(word), fullWidth(word.toUpperCase()), ` ${word}\u3000\n`].some(
        (written) => findCategory(written) !== category,
      ),
    );
    expect(lost).toEqual([]);
  });

  it.each([
    ['ﾎﾃﾙ', 'hotel'],
    ['ＯＦＦＩＣＥ', 'office'],
    ['Buddhist Temple', 'religious'],
    ['Office   Building', 'office'],
    ['office\u3000building', 'office'],
    ['ｵﾌｨｽﾋﾞﾙ', 'office'],
    ['Shop=Bakery', 'retail'],
  ] as const)('SEA-09 %s is %s', (use, category) => {
    expect(findCategory(use)).toBe(category);
  });

  it('an OSM key with a wildcard matches every value that the table does not list', () => {
    const keys = ALIASES.filter(([word]) => word.endsWith('=*'));
    expect(keys.length).toBeGreaterThan(5);
    for (const [word, category] of keys) {
      const key = word.slice(0, -1);
      expect(findCategory(`${key}no_such_value`), word).toBe(category);
      expect(findCategory(fullWidth(`${key}NO_SUCH_VALUE`)), word).toBe(category);
    }
  });

  it.each([
    ['office=lawyer', 'office'],
    ['office=government', 'public'],
    ['shop=storage_rental', 'logistics'],
    ['shop=vacant', 'unspecified'],
    ['railway=station', 'transport'],
  ] as const)('a tag in the table outranks its wildcard: %s is %s', (tag, category) => {
    expect(findCategory(tag)).toBe(category);
  });

  it.each(['amenity=no_such_value', 'nokey=office', '=office', 'x office=y', 'office'.repeat(2)])(
    'a wildcard matches only its key: %j',
    (tag) => {
      expect(findCategory(tag)).toBeUndefined();
    },
  );

  it.each(['宇宙基地', 'zzz', '', '400', 'constructor', '__proto__', 'toString'])(
    'the unknown word %j is another use',
    (word) => {
      expect(findCategory(word)).toBeUndefined();
      expect(categoryOf(word)).toBe('other');
    },
  );

  it('a known word keeps its category', () => {
    expect(categoryOf('hotel')).toBe('hotel');
    expect(categoryOf('unknown')).toBe('unspecified');
  });

  it.each(PLATEAU_USAGES)('PLATEAU usage %s and its label %s are %s', (code, label, category) => {
    expect([findCategory(code), findCategory(label)]).toEqual([category, category]);
  });
});
