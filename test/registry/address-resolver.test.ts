import { describe, expect, it } from 'vitest';
import { AddressResolver } from '../../src/registry/address-resolver.ts';
import type { Area } from '../../src/registry/areas.ts';
import { abr } from '../../src/sources/abr/adapter.ts';
import { parseHouseNumbers } from '../../src/vocabulary/address.ts';
import { parseKanjiNumber, toKanjiNumber } from '../../src/vocabulary/japanese.ts';
import { hasRealData, readAll, realFiles } from '../support/source-files.ts';
import { unzipped } from '../support/unzipped.ts';

const area = (level: Area['level'], code: string, parent: string | null, nameJa: string): Area => ({
  ...{ level, code, parent, nameJa },
  ...{ slug: code, nameEn: null },
});

/** A ward with its machi-aza, numbered. */
const ward = (code: string, nameJa: string, machiAza: readonly string[]): Area[] => [
  area('ward', code, code.slice(0, 2), nameJa),
  ...machiAza.map((name, i) => area('machiAza', `${code}${String(i + 1).padStart(7, '0')}`, code, name)),
];
const chome = (stem: string, count: number, unit = '丁目') =>
  Array.from({ length: count }, (_, i) => `${stem}${toKanjiNumber(i + 1)}${unit}`);

/** Names that contain numerals, are prefixes of others, or have several spellings. */
const VARIED: readonly Area[] = [
  ...[
    ['01', '北海道'],
    ['03', '岩手県'],
    ['04', '宮城県'],
    ['05', '秋田県'],
    ['08', '茨城県'],
    ['13', '東京都'],
    ['14', '神奈川県'],
    ['15', '新潟県'],
    ['17', '石川県'],
    ['26', '京都府'],
    ['27', '大阪府'],
    ['29', '奈良県'],
    ['30', '和歌山県'],
    ['35', '山口県'],
  ].map(([code, name]) => area('prefecture', code as string, null, name as string)),
  ...ward('01101', '札幌市中央区', [...chome('北一条西', 5), ...chome('南十二条西', 12)]),
  ...ward('01105', '札幌市豊平区', [...chome('月寒東三条', 18)]),
  ...ward('01104', '札幌市白石区', ['本通一丁目南', '本通一丁目北', '本通二丁目']),
  ...ward('01102', '札幌市北区', ['東茨戸', ...chome('東茨戸一条', 3)]),
  ...ward('01461', '空知郡南富良野町', ['字東二線', '字北三号']),
  ...ward('05204', '大館市', ['岩瀬', '岩瀬字大柳', '福谷町', '本宮']),
  ...ward('03208', '遠野市', ['宮守町下宮守', '字紋別']),
  ...ward('03201', '盛岡市', ['乙部', '乙部十三地割', '飯岡新田', '飯岡新田第四地割', '飯岡新田第十四地割']),
  ...ward('04101', '仙台市青葉区', [...chome('一番町', 4), '八幡']),
  ...ward('08208', '龍ケ崎市', ['龍ケ崎市', ...chome('藤ケ丘', 7)]),
  ...ward('13101', '千代田区', ['一番町', '三番町', '六番町', '紀尾井町', ...chome('丸の内', 3)]),
  ...ward('13102', '中央区', chome('日本橋', 3)),
  ...ward('13103', '港区', [...chome('麻布十番', 4), ...chome('三田', 5)]),
  ...ward('13117', '北区', [...chome('中十条', 4), ...chome('十条仲原', 4)]),
  ...ward('13361', '大島町', ['元町', '岡田', '元町一丁目']),
  ...ward('13401', '八丈町', ['大賀郷', '三根']),
  ...ward('14117', '横浜市青葉区', ['荏田町', 'みたけ台']),
  ...ward('15103', '新潟市中央区', ['下大川前通四ノ町', '黒田九の通り']),
  ...ward('17202', '七尾市', ['馬出町', '馬出町ハ', '藤橋町', '藤橋町酉', '里川町']),
  ...ward('17201', '金沢市', ['高柳町', '高柳町三', '高柳町ニ', '大崎五', '大崎五字']),
  ...ward('26102', '京都市上京区', ['主税町', '役人町', '竹屋町', '東竪町', '西側町', '相国寺門前町', '二丁目']),
  ...ward('26104', '京都市中京区', ['竹屋町', '一之船入町', '下大阪町', '弁慶石町']),
  ...ward('27102', '大阪市西区', chome('九条', 3)),
  ...ward('27128', '大阪市中央区', chome('日本橋', 2)),
  ...ward('27141', '堺市堺区', [...chome('南瓦町', 4, '丁'), '南三国ヶ丘町一丁']),
  ...ward('29203', '大和郡山市', ['本町', '九条町']),
  ...ward('29401', '高市郡高取町', ['大字下子島']),
  ...ward('30201', '和歌山市', [
    '七番丁',
    '本町',
    ...chome('本町', 9),
    ...chome('西浜', 3),
    '大字小野',
    '大字小野字三ツ石',
  ]),
  ...ward('35201', '下関市', [...chome('乃木浜', 2), ...chome('楠乃', 2), '大字楠乃']),
];

const NAMES = new AddressResolver([
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

  it('resolves to the ward if its machi-aza is not known, and to nothing if the ward is not', () => {
    expect(NAMES.resolve('東京都文京区某町1-1')).toMatchObject({ ward: '13105', machiAza: null });
    expect(NAMES.resolve('府中市某町1-1')).toBeUndefined();
    expect(NAMES.resolve('東京都港区芝1-1')).toBeUndefined();
    expect(NAMES.resolve('')).toBeUndefined();
  });
});

describe('an address in Japanese notation', () => {
  const names = new AddressResolver(VARIED);
  const nameOf = new Map(VARIED.map(({ code, nameJa }) => [code, nameJa]));
  const read = (address: string): [machiAza: string | undefined, numbers: string] => {
    const resolved = names.resolve(address);
    if (resolved?.machiAza == null) return [undefined, ''];
    return [nameOf.get(resolved.machiAza), parseHouseNumbers(resolved.rest).join()];
  };

  it.each([
    // Names that contain numerals.
    ['東京都港区麻布十番2-3-4', '麻布十番二丁目', '3-4'],
    ['港区麻布10番二丁目3番4号', '麻布十番二丁目', '3-4'],
    ['宮城県仙台市青葉区一番町3-1-1', '一番町三丁目', '1-1'],
    ['青葉区一番町3-1-1', '一番町三丁目', '1-1'],
    ['東京都千代田区一番町10-1', '一番町', '10-1'],
    ['東京都千代田区三番町6', '三番町', '6'],
    ['東京都千代田区六番町六番地六', '六番町', '6-6'],
    ['東京都北区中十条1-5-6', '中十条一丁目', '5-6'],
    ['東京都北区十条仲原四丁目5-6', '十条仲原四丁目', '5-6'],
    ['大阪市西区九条2-6-2', '九条二丁目', '6-2'],
    ['大和郡山市九条町12', '九条町', '12'],
    ['港区三田四の一の二', '三田四丁目', '1-2'],
    ['和歌山市七番丁19', '七番丁', '19'],
    // 条, 線 and 地割.
    ['北海道札幌市中央区北1条西4-2-2', '北一条西四丁目', '2-2'],
    ['札幌市中央区北１条西４丁目２番地２', '北一条西四丁目', '2-2'],
    ['札幌市中央区北1西4-2-2', '北一条西四丁目', '2-2'],
    ['札幌市中央区南１２西１２ー２-２７', '南十二条西十二丁目', '2-27'],
    ['札幌市豊平区月寒東３-１８-１-７２', '月寒東三条十八丁目', '1-72'],
    ['札幌市北区東茨戸１-２-３１４－１５', '東茨戸一条二丁目', '314-15'],
    ['札幌市北区東茨戸20-5', '東茨戸', '20-5'],
    ['北海道南富良野町東2線12番地', '字東二線', '12'],
    ['北海道南富良野町字北三号5番地', '字北三号', '5'],
    ['盛岡市飯岡新田４地割１００１', '飯岡新田第四地割', '1001'],
    ['盛岡市飯岡新田第14地割5-2', '飯岡新田第十四地割', '5-2'],
    // 丁 and 丁目.
    ['大阪府堺市堺区南瓦町3丁1番20号', '南瓦町三丁', '1-20'],
    ['堺市堺区南瓦町3丁目1-20', '南瓦町三丁', '1-20'],
    ['堺市堺区南瓦町3-1-20', '南瓦町三丁', '1-20'],
    ['堺区南瓦町三丁一番二十号', '南瓦町三丁', '1-20'],
    ['千代田区丸の内1丁9-1', '丸の内一丁目', '9-1'],
    // Spaces, and text after a number.
    ['東京都 港区 麻布十番 2丁目 3番 4号', '麻布十番二丁目', '3-4'],
    ['港区三田1-10-15 201', '三田一丁目', '10-15'],
    ['港区三田2-29-1 109ビル', '三田二丁目', '29-1'],
    ['千代田区三番町2番地4 三番町KSビル', '三番町', '2-4'],
    ['港区三田4 14-10', '三田四丁目', '14-10'],
    ['港区三田4 201', '三田四丁目', ''],
    ['港区三田4', '三田四丁目', ''],
    ['千代田区丸の内3-1-1国際ビル', '丸の内三丁目', '1-1'],
    ['千代田区紀尾井町１ノ３', '紀尾井町', '1-3'],
    ['千代田区紀尾井町壱之３', '紀尾井町', '1-3'],
    ['千代田区紀尾井町1─3', '紀尾井町', '1-3'],
    ['千代田区紀尾井町十一番地の二', '紀尾井町', '11-2'],
    ['千代田区紀尾井町1-3(旧番地)', '紀尾井町', '1-3'],
    ['〒100−0005　千代田区丸ノ内１ー９ー１', '丸の内一丁目', '9-1'],
    ['日本、〒100-0005 東京都千代田区丸の内1-9-1', '丸の内一丁目', '9-1'],
    ['1000005千代田区丸の内1-9-1', '丸の内一丁目', '9-1'],
    // Kyoto's streets.
    ['京都市上京区竹屋町通千本東入主税町911', '主税町', '911'],
    ['京都市上京区竹屋町通千本東入ル主税町911番地', '主税町', '911'],
    ['上京区御前通一条下る東竪町132-1', '東竪町', '132-1'],
    ['京都市上京区竹屋町通千本西入西側町5', '西側町', '5'],
    ['京都市上京区竹屋町通千本東入西側主税町911', '主税町', '911'],
    ['京都市上京区西側町5', '西側町', '5'],
    ['京都市上京区役人町中立売通堀川西入２６０番', '役人町', '260'],
    ['京都市上京区主税町(竹屋町通千本東入)911', '主税町', '911'],
    ['京都市上京区今出川通烏丸東入上る二筋目東入下る相国寺門前町6', '相国寺門前町', '6'],
    ['京都市中京区河原町通二条下る一筋目東入一之船入町384', '一之船入町', '384'],
    ['京都市中京区河原町通四条上る二丁目東入二筋目下大阪町3', '下大阪町', '3'],
    // 大字 and 字, islands, and municipalities without neighbourhoods.
    ['和歌山県和歌山市大字小野123', '大字小野', '123'],
    ['和歌山市小野字三つ石45', '大字小野字三ツ石', '45'],
    ['和歌山市小野字某45', '大字小野', ''],
    ['東京都大島町元町1-1-14', '元町一丁目', '1-14'],
    ['東京都大島町岡田5', '岡田', '5'],
    ['東京都八丈島八丈町大賀郷2551-2', '大賀郷', '2551-2'],
    ['茨城県龍ｹ崎市3710番地', '龍ケ崎市', '3710'],
    ['龍ケ崎市藤が丘1-22-4', '藤ケ丘一丁目', '22-4'],
    ['奈良県高取町下子島405', '大字下子島', '405'],
    ['高市郡高取町大字下子島405', '大字下子島', '405'],
    ['大和郡山市本町\u{e0100}5', '本町', '5'],
    ['大和郡山市本町以下未定', '本町', ''],
    ['金沢市大崎五字12', '大崎五字', '12'],
    ['金沢市大崎五12', '大崎五', '12'],
    ['下関市乃木浜2-1-1', '乃木浜二丁目', '1-1'],
    ['下関市楠乃2丁目1-1', '楠乃二丁目', '1-1'],
    // Parts that the tree has or lacks, marked or not; a lot of a part is not a lot of the whole machi-aza.
    ['京都市上京区主税町小字某911', '主税町', ''],
    ['遠野市宮守町下宮守29地割77', '宮守町下宮守', ''],
    ['遠野市字紋別１９線５１－２０', '字紋別', ''],
    ['七尾市馬出町ハ部１番地の２', '馬出町ハ', '1-2'],
    ['七尾市馬出町ハ1-2', '馬出町ハ', '1-2'],
    ['七尾市馬出町ハの部15番', '馬出町ハ', '15'],
    ['七尾市藤橋町酉部２２－３', '藤橋町酉', '22-3'],
    ['盛岡市乙部１３地割１３５番地３', '乙部十三地割', '135-3'],
    ['新潟市中央区黒田九ノ通り95', '黒田九の通り', '95'],
    ['七尾市馬出町ロ部１番地の２', '馬出町', ''],
    ['七尾市藤橋町ム字45-1', '藤橋町', ''],
    ['七尾市藤橋町第８０号１番地', '藤橋町', ''],
    ['七尾市藤橋町15部49-2', '藤橋町', ''],
    ['大館市福谷町下地念古６７', '福谷町', ''],
    ['大館市大字本宮堤根272', '本宮', ''],
    ['七尾市馬出町堤根272', '馬出町', ''],
    ['大館市岩瀬字大柳上野28番1', '岩瀬', ''],
    ['新潟市中央区下大川前通４ノ町2230-12', '下大川前通四ノ町', '2230-12'],
    // Lots with a letter, and land without a number.
    ['七尾市里川町ナ２３', '里川町', 'ナ23'],
    ['七尾市里川町ナ－３－３', '里川町', 'ナ3-3'],
    ['七尾市里川町い80', '里川町', 'い80'],
    ['七尾市里川町レノ2番地', '里川町', 'レ2'],
    ['七尾市里川町第464番地の1', '里川町', '464-1'],
    ['七尾市里川町午10番地', '里川町', '午10'],
    ['七尾市里川町国有無番地', '里川町', ''],
    // What follows a chome.
    ['札幌市中央区北1条西2丁目札幌第一合同庁舎', '北一条西二丁目', ''],
    ['港区三田4丁目南6番16号', '三田四丁目', ''],
    ['札幌市白石区本通１丁目南８－１', '本通一丁目南', '8-1'],
    ['港区三田3丁目11住友三田ビル', '三田三丁目', '11'],
    ['港区三田3-13K 1F', '三田三丁目', ''],
    ['和歌山市本町2-4-15Mタワー', '本町二丁目', ''],
    // Lots of a machi-aza that also has chome.
    ['和歌山市本町2丁目1', '本町二丁目', '1'],
    ['和歌山市本町2-1-5', '本町二丁目', '1-5'],
    ['和歌山市本町12-3', '本町', '12-3'],
    ['和歌山市本町2番地3', '本町', '2-3'],
  ])('%s is in %s, number %s', (address, machiAza, numbers) => {
    expect(read(address)).toEqual([machiAza, numbers]);
  });

  it.each([
    ['a name that continues', '千代田区三番町通5-1'],
    ['a name that continues after its stem', '仙台市青葉区八幡台3-1'],
    ['a street named like a machi-aza, but no machi-aza', '京都市上京区竹屋町通千本東入911'],
    ['a street, a crossing and no machi-aza', '京都市上京区竹屋町千本通上る911'],
    ['a street without a turn', '京都市上京区竹屋町通千本911'],
    ['a chome that does not exist', '港区三田9丁目1-1'],
    ['a block without a chome', '港区三田4番14号'],
    ['either a lot of the whole or a chome', '和歌山市本町2-1'],
    ['either a lot of the whole or a row and a chome', '札幌市北区東茨戸1-2'],
    ['another row', '和歌山市本町2条3'],
    ['a number that may begin with the part of a machi-aza', '金沢市高柳町三十二番地'],
    ['no machi-aza', '千代田区1-2-3'],
    ['a side of a chome, although other chome have sides', '札幌市白石区本通2丁目南6番16号'],
    ['a part that does not exist, although others do', '盛岡市飯岡新田29地割77'],
    ['a koaza that may be a machi-aza of its own', '大館市本宮東原39'],
    ['a town within the name', '大館市本宮清水町643'],
    ['a koaza of a part that is in the tree', '大館市岩瀬大柳上野28番1'],
    ['either a chome or a koaza', '和歌山市本町字2-18-1'],
    ['a name that only looks like a chome', '千代田区紀尾井町一丁田3'],
  ])('is not resolved if it has %s: %s', (_, address) => {
    expect(read(address)).toEqual([undefined, '']);
  });

  it('has no house number if the tree lacks its chome', () => {
    expect(read('千代田区紀尾井町1丁目3番地')).toEqual(['紀尾井町', '']);
  });

  it('without a city means the ward of Tokyo', () => {
    expect(names.resolve('中央区日本橋1-1-1')?.ward).toBe('13102');
    expect(names.resolve('大阪市中央区日本橋1-1-1')?.ward).toBe('27128');
    expect(names.resolve('青葉区某町1-1')).toBeUndefined();
    expect(names.resolve('山市本町1')).toBeUndefined();
  });

  it('in every machi-aza resolves to it in any notation', () => {
    for (const { code, parent, nameJa } of VARIED.filter(({ level }) => level === 'machiAza')) {
      const ward = nameOf.get(parent as string) as string;
      // A machi-aza with the municipality's name is not repeated.
      for (const text of writingsOf(nameJa === ward ? '' : nameJa)) {
        const resolved = names.resolve(`${nameOf.get(code.slice(0, 2))}${ward}${text}`);
        expect([text, resolved?.machiAza]).toEqual([text, code]);
        expect([text, parseHouseNumbers(resolved?.rest ?? '')]).toEqual([text, ['12-3']]);
      }
    }
  });
});

describe.skipIf(!hasRealData)('the address registry', () => {
  it('has machi-aza that resolve to themselves in any notation', async () => {
    const files = realFiles('abr', (name) => /^mt_(pref|city)_all\.csv$|^mt_town_all/.test(name));
    const [zip] = realFiles('abr', (name) => name.startsWith('mt_town_pref30'));
    const items = await readAll(abr, [...files, ...(zip === undefined ? [] : await unzipped(zip))]);
    const areas = items.flatMap((item) => (item.kind === 'area' ? [item.area] : []));
    const names = new AddressResolver(areas);
    const nameOf = new Map(areas.map(({ code, nameJa }) => [code, nameJa]));
    let written = 0;
    const wrong: string[] = [];
    for (const { code, parent, nameJa } of areas.filter(({ level }) => level === 'machiAza')) {
      // If two have the same name, the first is meant.
      const meant = names.find(parent as string, nameJa);
      const ward = nameOf.get(parent as string) as string;
      for (const text of writingsOf(nameJa)) {
        const resolved = names.resolve(`${nameOf.get(code.slice(0, 2))}${ward}${text}`);
        written++;
        if (resolved?.machiAza !== meant || parseHouseNumbers(resolved?.rest ?? '').join() !== '12-3') {
          wrong.push(`${ward}${text}`);
        }
      }
    }
    expect(written).toBeGreaterThan(19_000);
    expect(wrong).toEqual([]);
  });
});

/** House 12-3 of a machi-aza, in every notation of addresses. */
function writingsOf(name: string): string[] {
  const wide = (text: string) => text.replace(/\d/g, (d) => String.fromCharCode(d.charCodeAt(0) + 0xfee0));
  const [, stem, kanji = '', unit] = /^(.+?)([一二三四五六七八九十]+)(丁目?)$/u.exec(name) ?? [];
  const number = parseKanjiNumber(kanji);
  const digits = stem === undefined ? name : `${stem}${number}${unit}`;
  return [
    `${name}12番3号`,
    `${wide(digits)}１２－３`,
    ` ${digits} 12-3 201`,
    `${name}12ノ3`,
    `${name}12番地3 三番町KSビル`,
    `${name === '' ? '' : '大字'}${name}12番地の3三番町KSビル`,
    `${name}12─3 109ビル`,
    `${name}1２番 3号(旧番地)`,
    ...(stem === undefined
      ? []
      : [`${stem}${number}-12-3`, wide(`${stem}${number}ー12ー3　201`), `${stem}${kanji}の一二の三`]),
  ];
}
