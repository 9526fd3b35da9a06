import { describe, expect, it } from 'vitest';
import { AreaNames } from '../../src/registry/area-names.ts';
import type { Area } from '../../src/registry/areas.ts';

const area = (level: Area['level'], code: string, parent: string | null, nameJa: string): Area => ({
  ...{ level, code, parent, nameJa },
  ...{ slug: code, nameEn: null },
});

const NAMES = new AreaNames([
  area('prefecture', '13', null, '東京都'),
  area('prefecture', '26', null, '京都府'),
  area('prefecture', '34', null, '広島県'),
  area('ward', '13105', '13', '文京区'),
  area('machiAza', '131050001004', '13105', '本郷四丁目'),
  area('machiAza', '131050002000', '13105', '後楽'),
  area('ward', '13206', '13', '府中市'),
  area('ward', '34208', '34', '府中市'),
  area('machiAza', '342080001000', '34208', '府川町'),
  area('ward', '13303', '13', '西多摩郡瑞穂町'),
  area('machiAza', '133030001000', '13303', '大字箱根ケ崎'),
  area('ward', '26104', '26', '京都市中京区'),
  area('machiAza', '261040001000', '26104', '弁慶石町'),
]);

describe('an address', () => {
  it.each([
    ['東京都文京区本郷四丁目14番10号', '131050001004', '14番10号'],
    ['文京区本郷4-14-10', '131050001004', '14-10'],
    ['〒113-0033 東京都文京区本郷４－１４－１０', '131050001004', '14-10'],
    ['東京都文京区後楽1-1', '131050002000', '1-1'],
    ['東京都瑞穂町箱根ヶ崎123', '133030001000', '123'],
    ['東京都西多摩郡瑞穂町大字箱根ケ崎123', '133030001000', '123'],
    ['広島県府中市府川町315', '342080001000', '315'],
    ['府中市府川町315', '342080001000', '315'],
    ['京都市中京区弁慶石町56番地', '261040001000', '56番地'],
    ['京都府京都市中京区三条通河原町東入弁慶石町56番地', '261040001000', '56番地'],
    ['京都府京都市中京区三条通河原町東入る弁慶石町56番地', '261040001000', '56番地'],
    ['京都市中京区河原町通三条上ル弁慶石町56', '261040001000', '56'],
  ])('%s is in %s', (address, machiAza, rest) => {
    expect(NAMES.resolve(address)).toMatchObject({ machiAza, rest });
  });

  it('is in a ward where its machi-aza is not known, and nowhere where the ward is not', () => {
    expect(NAMES.resolve('東京都文京区某町1-1')).toMatchObject({ ward: '13105', machiAza: null });
    expect(NAMES.resolve('府中市某町1-1')).toBeUndefined();
    expect(NAMES.resolve('東京都港区芝1-1')).toBeUndefined();
    expect(NAMES.resolve('')).toBeUndefined();
  });
});
