import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressFromTags } from '../../../src/sources/osm/address.ts';
import { isKeptKey } from '../../../src/sources/osm/tag-tables.ts';
import {
  namesFromTags,
  parseLength,
  sizeFromTags,
  usesFromTags,
  venueFromTags,
} from '../../../src/sources/osm/tags.ts';

const tags = (record: Readonly<Record<string, string>>) => new Map(Object.entries(record));
const addr = (record: Readonly<Record<string, string>>) =>
  addressFromTags(new Map(Object.entries(record).map(([key, value]) => [`addr:${key}`, value])));

describe('parseLength', () => {
  it.each([
    ['333', 333],
    ['332.6', 332.6],
    ['333 m', 333],
    ['３３３ｍ', 333],
    ['12 metres', 12],
    ['40 ft', 12.19],
    [`12'6"`, 3.81],
    [`12'`, 3.66],
    ['12′6″', 3.81],
  ])('%s is %d m', (text, metres) => expect(parseLength(text)).toBe(metres));

  it.each(['', 'm', '1.2 km', '1,200 cm', '12,5', '30;40', '-5', '~30', '1e3', '30-40', 'tall', "'"])(
    '%s is not understood',
    (text) => expect(parseLength(text)).toBeUndefined(),
  );
});

describe('sizeFromTags', () => {
  const notesOf = (record: Readonly<Record<string, string>>) => {
    const notes: string[] = [];
    return { ...sizeFromTags(tags(record), (note) => notes.push(note)), notes };
  };

  it('prefers height to building:height, unless it cannot be read', () => {
    expect(notesOf({ height: '10', 'building:height': '12' }).heightM).toBe(10);
    const { heightM, notes } = notesOf({ height: 'high', 'building:height': '12' });
    expect(heightM).toBe(12);
    expect(notes).toEqual(['height must be in metres or feet: high']);
    expect(notesOf({ est_height: '12' }).heightM).toBeUndefined();
    expect(notesOf({ height: '0' })).toMatchObject({ heightM: undefined, notes: [expect.any(String)] });
  });

  it('counts only whole floors, without those of the roof', () => {
    expect(notesOf({ 'building:levels': '２５', 'roof:levels': '2' }).floorsAbove).toBe(25);
    expect(notesOf({ 'building:levels': '3.0' }).floorsAbove).toBe(3);
    expect(notesOf({ 'building:levels': '3.5' })).toMatchObject({
      floorsAbove: undefined,
      notes: [expect.any(String)],
    });
    expect(notesOf({ 'building:levels:underground': '2', 'building:min_level': '-3' }).floorsBelow).toBe(2);
    expect(notesOf({ 'building:min_level': '-3' }).floorsBelow).toBe(3);
    expect(notesOf({ 'building:min_level': '3' }).floorsBelow).toBeUndefined();
  });
});

describe('addressFromTags', () => {
  const daiba = { province: '東京都', city: '港区', quarter: '台場', neighbourhood: '二丁目', block_number: '4' };

  it.each([
    ['all levels', { ...daiba, housenumber: '8' }, '東京都港区台場二丁目4番8号'],
    [
      'the ward in suburb and a bare chome',
      {
        province: '東京都',
        suburb: '港区',
        quarter: '台場',
        neighbourhood: '2',
        block_number: '4',
        housenumber: '8号',
      },
      '東京都港区台場二丁目4番8号',
    ],
    [
      'full-width digits',
      { ...daiba, neighbourhood: '２丁目', block_number: '４番', housenumber: '８' },
      '東京都港区台場二丁目4番8号',
    ],
    ['a repeated quarter', { ...daiba, neighbourhood: '台場二丁目' }, '東京都港区台場二丁目4番'],
    [
      'a ward of a city',
      { state: '神奈川県', city: '横浜市', suburb: '中区', quarter: '本町', block_number: '6' },
      '神奈川県横浜市中区本町6番',
    ],
    [
      'a county',
      { province: '神奈川県', county: '足柄下郡', city: '箱根町', quarter: '湯本', housenumber: '123-4' },
      '神奈川県足柄下郡箱根町湯本123-4',
    ],
    [
      'a lot number',
      { province: '埼玉県', city: '新座市', quarter: '栗原', block_number: '12番地' },
      '埼玉県新座市栗原12番地',
    ],
    ['the prefecture twice', { ...daiba, city: '東京都港区', housenumber: '8' }, '東京都港区台場二丁目4番8号'],
    [
      'the prefecture as city, the rest as place',
      { city: '東京都', place: '江東区青海', housenumber: '1-1-10' },
      '東京都江東区青海1-1-10',
    ],
    [
      'a full address that says the same',
      { ...daiba, housenumber: '8', full: '東京都港区台場2-4-8' },
      '東京都港区台場二丁目4番8号',
    ],
    [
      'a full address that says something else',
      { ...daiba, housenumber: '8', full: '東京都港区台場2-4-9' },
      '東京都港区台場二丁目4-9',
    ],
    [
      'a full address with more than the parts',
      { ...daiba, block_number: '', housenumber: '1', full: '東京都港区台場2-3-1' },
      '東京都港区台場二丁目3-1',
    ],
    [
      'a full address alone, its numbers left as they are',
      { full: '〒135-0064 東京都江東区青海１－１－１０' },
      '東京都江東区青海1-1-10',
    ],
    [
      'a full address without prefecture',
      { province: '東京都', full: '江東区青海1丁目1-10' },
      '東京都江東区青海一丁目1-10',
    ],
    ['a whole address as house number', { housenumber: '新座市栗原5－４－５' }, '新座市栗原5-4-5'],
    [
      'no house number below the chome that could be either',
      { ...daiba, block_number: '', housenumber: '8' },
      '東京都港区台場二丁目',
    ],
  ])('reads %s', (_, parts, address) => expect(addr(parts)).toBe(address));

  it.each([
    ['nothing', {}],
    ['no town', { province: '東京都', city: '港区', housenumber: '8' }],
    ['no number', { province: '東京都', city: '港区', quarter: '台場' }],
    ['Latin letters', { city: 'Minato', quarter: 'Daiba', neighbourhood: '2', block_number: '4' }],
    ['a full address in Latin letters', { full: '2-4-8 Daiba, Minato-ku, Tokyo' }],
    ['a full address without a number', { full: '東京都港区' }],
    ['a street', { street: '目黒通り', housenumber: '8' }],
  ])('makes no address of %s', (_, parts) => expect(addr(parts)).toBeUndefined());

  it('never throws and is fast for any tags', () => {
    const value = fc.string({
      unit: fc.constantFrom(...'東京都港区台場一二丁目番地号0123456789-－ 〒x'),
      maxLength: 400,
    });
    const record = fc.dictionary(
      fc.constantFrom('full', 'province', 'city', 'suburb', 'quarter', 'neighbourhood', 'block_number', 'housenumber'),
      value,
    );
    fc.assert(
      fc.property(record, (parts) => {
        expect(addr(parts)?.length ?? 0).toBeLessThan(4_000);
      }),
      { numRuns: 300 },
    );
  });
});

describe('namesFromTags', () => {
  it.each([
    [{ name: '東京タワー', 'name:en': 'Tokyo Tower' }, ['東京タワー', 'Tokyo Tower', []]],
    [{ name: 'フジテレビ', 'name:ja': 'フジテレビジョン' }, ['フジテレビジョン', undefined, ['フジテレビ']]],
    [{ name: 'GINZA SIX', int_name: 'Ginza Six' }, ['GINZA SIX', 'Ginza Six', []]],
    [{ name: '東京タワー (Tokyo Tower)', 'name:en': 'Tokyo Tower' }, ['東京タワー', 'Tokyo Tower', []]],
    [
      { name: '甲; 乙', old_name: '旧館;旧館', official_name: '本館', 'name:ja_rm': 'Kō' },
      ['甲', undefined, ['乙', '本館', '旧館']],
    ],
    [{ 'addr:housename': '丙ビル' }, ['丙ビル', undefined, []]],
    [{ name: '\u202e甲\u0000\n館 ' }, ['甲 館', undefined, []]],
  ])('%j', (record, [nameJa, nameEn, aliases]) =>
    expect(namesFromTags(tags(record as unknown as Record<string, string>))).toEqual({ nameJa, nameEn, aliases }),
  );

  it('does not publish the name of a family house, unless it is public', () => {
    expect(namesFromTags(tags({ building: 'house', name: '佐藤' }))).toEqual({
      nameJa: undefined,
      nameEn: undefined,
      aliases: [],
    });
    expect(namesFromTags(tags({ building: 'house', name: '旧岩崎邸', tourism: 'museum' })).nameJa).toBe('旧岩崎邸');
    expect(namesFromTags(tags({ building: 'apartments', name: '佐藤荘' })).nameJa).toBe('佐藤荘');
  });
});

describe('usesFromTags', () => {
  it.each([
    [{ building: 'yes' }, []],
    [{ building: 'roof', man_made: 'tower' }, []],
    [{ building: 'yes', shop: 'mall' }, ['shop=mall']],
    [{ building: 'apartments;retail' }, ['apartments', 'retail']],
    [
      { building: 'hotel', tourism: 'hotel', amenity: 'restaurant;bar' },
      ['hotel', 'amenity=restaurant', 'amenity=bar', 'tourism=hotel'],
    ],
    [{ building: 'yes', amenity: 'no', tourism: 'attraction' }, []],
    [{ building: 'office', tourism: 'artwork' }, ['office']],
  ])('%j', (record, uses) =>
    expect(usesFromTags(tags(record as unknown as Record<string, string>)).map(({ value }) => value)).toEqual(uses),
  );
});

it('bounds the texts of a venue', () => {
  const long = '長'.repeat(2_000);
  expect(venueFromTags(tags({ shop: 'books', name: long }))?.nameJa).toHaveLength(500);
  expect(venueFromTags(tags({ shop: 'vacant', name: '空' }))).toBeUndefined();
  expect(venueFromTags(tags({ amenity: '', name: '空' }))).toBeUndefined();
});

it('drops keys that name people or are not read', () => {
  for (const key of ['user', 'uid', 'source', 'phone', 'email', 'note', '__proto__', 'constructor'])
    expect(isKeptKey(key)).toBe(false);
});
