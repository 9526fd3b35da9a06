import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findColumn, findLabel } from '../../../src/sources/disclosure/columns.ts';
import { unitsAbove, unitsIn } from '../../../src/sources/disclosure/figures.ts';
import {
  containsAddress,
  isAbroad,
  isTotal,
  nameKey,
  oneLine,
  propertyAddress,
  propertyNumber,
} from '../../../src/sources/disclosure/names.ts';
import { parseStructure, readPropertyCell, splitUses } from '../../../src/sources/disclosure/read-property-cell.ts';

describe('findColumn', () => {
  it.each([
    ['物件名称', 'name'],
    ['物件\n名称（注1）', 'name'],
    ['不動産等の名称', 'name'],
    ['名称', 'name'],
    ['テナント名称', undefined],
    ['物件番号', 'number'],
    ['Ｎｏ．', 'number'],
    ['所在地', 'address'],
    ['所在地（住居表示）', 'address'],
    ['住居表示', 'residence'],
    ['地番', 'lot'],
    ['取得価格（百万円）(注2)', 'price'],
    ['取得価額', 'price'],
    ['取得価格投資比率（％）', undefined],
    ['取得価格_億円', 'price'],
    ['取得予定価格（百万円）', 'planned'],
    ['期末帳簿価額', 'book'],
    ['貸借対照表計上額（千円）', 'book'],
    ['期末評価額', 'appraisal'],
    ['期末算定価額', 'appraisal'],
    ['鑑定評価額', 'appraisal'],
    ['価格（不動産鑑定評価額）', 'appraisal'],
    ['鑑定評価額直接還元法による価格', undefined],
    ['前期末鑑定評価額', undefined],
    ['鑑定評価機関', undefined],
    ['価格時点', 'appraisedOn'],
    ['還元利回り', undefined],
    ['取得年月日', 'acquired'],
    ['土地面積（㎡）', 'land'],
    ['敷地面積', 'land'],
    ['延床面積', 'gfa'],
    ['賃貸可能面積', 'leasable'],
    ['賃貸面積', undefined],
    ['稼働率', 'occupancy'],
    ['入居率', 'occupancy'],
    ['期中平均稼働率', undefined],
    ['用途', 'use'],
    ['用途地域', undefined],
    ['資産の種類', 'holding'],
    ['構造・階数', 'structure'],
    ['構造/階数', 'structure'],
    ['階数', 'floors'],
    ['建築時期', 'completed'],
    ['竣工年月', 'completed'],
    ['築年月', 'completed'],
    ['築年数', undefined],
    ['総戸数', 'units'],
    ['賃貸可能戸数', 'units'],
    ['客室数', 'rooms'],
    ['譲渡価格', 'sold'],
    ['', undefined],
  ])('%s', (header, column) => {
    expect(findColumn(header)).toBe(column);
  });

  it('accepts a label only without other text', () => {
    expect(findLabel('所在地')).toBe('address');
    expect(findLabel('特定資産の種類')).toBe('holding');
    expect(findLabel('本物件の所在地は以下に記載のとおりです')).toBeUndefined();
    expect(findLabel('東京都港区芝五丁目')).toBeUndefined();
  });
});

describe('units', () => {
  it.each([
    ['取得価格（百万円）', { money: '百万円' }],
    ['貸借対照表計上額(千円)', { money: '千円' }],
    ['取得価格_億円', { money: '億円' }],
    ['鑑定評価額（円）', { money: '円' }],
    ['取得単価（円／坪）', {}],
    ['延床面積（㎡）', { area: 'm2' }],
    ['延床面積（m2）', { area: 'm2' }],
    ['延床面積（坪）', { area: '坪' }],
    ['稼働率（％）', { rate: '%' }],
    ['取得価格', {}],
  ])('%s', (header, units) => {
    expect(unitsIn(header)).toEqual(units);
  });

  it('come from lines above only if those state units', () => {
    expect(unitsAbove(['（単位：百万円）'])).toEqual({ money: '百万円' });
    expect(unitsAbove(['単位：千円、㎡、％'])).toEqual({ money: '千円', area: 'm2', rate: '%' });
    expect(unitsAbove(['（百万円）'])).toEqual({ money: '百万円' });
    expect(unitsAbove(['取得価格は百万円未満を切り捨てています。'])).toEqual({});
  });
});

describe('readCell', () => {
  it('yields no amount without its unit', () => {
    expect(readPropertyCell('price', '1,234', {})).toEqual({ values: [], notes: [expect.stringContaining('unit')] });
    expect(readPropertyCell('price', '1,234千円', { money: '百万円' }).values).toEqual([
      ['acquisitionPriceJpy', 1_234_000],
    ]);
    expect(readPropertyCell('price', '1,234㎡', { money: '百万円' }).values).toEqual([]);
    expect(readPropertyCell('price', '90,071,993', { money: '億円' }).notes).toHaveLength(1);
  });

  it('yields areas only in square metres', () => {
    expect(readPropertyCell('gfa', '1,234.56', { area: 'm2' }).values).toEqual([['gfaM2', 1234.56]]);
    expect(readPropertyCell('gfa', '1,234.56 ㎡', {}).values).toEqual([['gfaM2', 1234.56]]);
    expect(readPropertyCell('gfa', '1,234.56', { area: '坪' })).toEqual({
      values: [],
      notes: [expect.stringContaining('metres')],
    });
    expect(readPropertyCell('gfa', '1,234.56', {}).notes).toHaveLength(1);
  });

  it('does not guess that a fraction is a rate', () => {
    expect(readPropertyCell('occupancy', '98.5', { rate: '%' }).values).toEqual([['occupancyRate', 98.5]]);
    expect(readPropertyCell('occupancy', '98.5％', {}).values).toEqual([['occupancyRate', 98.5]]);
    expect(readPropertyCell('occupancy', '0.985', {}).notes).toHaveLength(1);
    expect(readPropertyCell('occupancy', '0.985', { rate: '%' }).notes).toHaveLength(1);
    expect(readPropertyCell('occupancy', '0.0', { rate: '%' }).values).toEqual([['occupancyRate', 0]]);
  });

  it('reads days and months of both calendars', () => {
    expect(readPropertyCell('acquired', '平成19年12月３日', {}).values).toEqual([['acquisitionDate', '2007-12-03']]);
    expect(readPropertyCell('acquired', '2021. 1', {}).values).toEqual([]);
    expect(readPropertyCell('acquired', '2021. 92022. 3', {}).notes).toHaveLength(1);
    expect(readPropertyCell('completed', '平成元年３月（注1）', {}).values).toEqual([
      ['completionMonth', '1989-03'],
      ['yearBuilt', 1989],
    ]);
    expect(readPropertyCell('completed', '1974年', {}).values).toEqual([['yearBuilt', 1974]]);
  });

  it('never throws, and yields nothing for marks of no value', () => {
    expect(readPropertyCell('price', '－', {})).toEqual({ values: [], notes: [] });
    expect(readPropertyCell('address', '非開示（注1）', {})).toEqual({ values: [], notes: [] });
    const columns = [
      'price',
      'gfa',
      'occupancy',
      'units',
      'acquired',
      'completed',
      'use',
      'structure',
      'floors',
      'address',
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...columns), fc.string({ unit: 'binary' }), (column, text) => {
        readPropertyCell(column, text, { money: '百万円', area: 'm2', rate: '%' });
      }),
      { numRuns: 300 },
    );
  });
});

describe('parseStructure', () => {
  it.each([
    ['鉄骨鉄筋コンクリート造 地下2階付25階建', '鉄骨鉄筋コンクリート造', 25, 2],
    ['S・RC造B1/12F', 'S・RC造', 12, 1],
    ['SRC造B2F/25F', 'SRC造', 25, 2],
    ['ＳＲＣ造Ｂ２Ｆ／２５Ｆ', 'SRC造', 25, 2],
    ['RC造 地上10階 地下1階', 'RC造', 10, 1],
    ['鉄骨造陸屋根４階建', '鉄骨造陸屋根', 4, undefined],
    ['S造\n12F', 'S造', 12, undefined],
    ['RC14F', 'RC', 14, undefined],
    ['RC造9階建', 'RC造', 9, undefined],
    ['鉄筋コンクリート造地下一階付十階建', '鉄筋コンクリート造', 10, 1],
    ['地上25階、地下2階、SRC造、RC造', 'SRC造、RC造', 25, 2],
    ['鉄骨造平家建', '鉄骨造', 1, undefined],
    ['鉄骨造地上12階塔屋2階', '鉄骨造', 12, undefined],
    ['S造4階建、RC造2階建', 'S造、RC造', undefined, undefined],
    ['B1F/8F', undefined, 8, 1],
    ['東京都港区', undefined, undefined, undefined],
  ])('%s', (text, structure, floorsAbove, floorsBelow) => {
    expect(parseStructure(text)).toEqual({ structure, floorsAbove, floorsBelow });
  });
});

describe('uses', () => {
  it('splits a compound, and keeps a known word with a separator', () => {
    expect(splitUses('事務所・共同住宅').known).toEqual(['事務所', '共同住宅']);
    expect(splitUses('事務所、店舗／駐車場').known).toEqual(['事務所', '店舗', '駐車場']);
    expect(splitUses('港湾・空港施設').known).toEqual(['港湾・空港施設']);
    expect(splitUses('事務所（一部店舗）').known).toEqual(['事務所']);
    expect(splitUses('コアアセット')).toEqual({ known: [], unknown: ['コアアセット'] });
  });
});

describe('names', () => {
  it('lose footnotes and line breaks', () => {
    expect(oneLine('ＮＢＦ大崎\nビル（注2）')).toBe('ＮＢＦ大崎ビル');
    expect(oneLine('THE PEAK\nSAPPORO※1')).toBe('THE PEAK SAPPORO');
    expect(oneLine('新宿三井ビルディング *1')).toBe('新宿三井ビルディング');
    expect(oneLine('KDX日本橋216ビル ')).toBe('KDX日本橋216ビル');
    expect(oneLine('神戸桃山台（底地）')).toBe('神戸桃山台（底地）');
    expect(nameKey('ＧＬＰ　東京・Ⅱ')).toBe(nameKey('GLP東京II'));
  });

  it('are distinguished from totals', () => {
    for (const sum of [
      '合計',
      '小計',
      '総合計',
      '合　計',
      '東京23区計',
      '中計(計155物件)',
      '平均',
      '合計／平均',
      '70物件',
      'ポートフォリオ合計',
    ]) {
      expect(isTotal(sum), sum).toBe(true);
    }
    for (const name of ['時計台ビル', '平均町ビル', '計算センター', 'いちご計画ビル', '銀座計'])
      expect(isTotal(name), name).toBe(false);
  });

  it('have permanent numbers, unlike ordinals', () => {
    expect(['Ｏ－１', 'O-1', 'A01', '関東圏-3', 'オフィス－12', 'T-1(2)'].map(propertyNumber)).toEqual([
      'O-1',
      'O-1',
      'A01',
      '関東圏-3',
      'オフィス-12',
      'T-1(2)',
    ]);
    expect(['1', '12', '', '－', '東京都港区芝五丁目'].map(propertyNumber)).toEqual(Array(5).fill(undefined));
  });

  it('show addresses abroad and cells that ran together', () => {
    expect(isAbroad('2019BorenAvenue,Seattle,Washington')).toBe(true);
    expect(isAbroad('米国ワシントン州シアトル')).toBe(true);
    expect(isAbroad('東京都港区台場')).toBe(false);
    expect(isAbroad('神奈川県横浜市中区山下町（旧アメリカ山）')).toBe(false);
    expect(containsAddress('新塔ビル東京都新宿区都心５区', '2新塔ビル東京都新宿区')).toBe(true);
    expect(containsAddress('新塔ビル', '東京都新宿区西新宿二丁目')).toBe(false);
    expect(propertyAddress('〒100-0005 東京都千代田区丸の内\n一丁目1番1号（注1）')).toBe(
      '東京都千代田区丸の内一丁目1番1号',
    );
  });
});
