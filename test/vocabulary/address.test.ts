import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/files/read-csv.ts';
import { abr } from '../../src/sources/abr/adapter.ts';
import { parseHouseNumbers, parsePostcode } from '../../src/vocabulary/address.ts';
import { growthOf } from '../support/growth.ts';
import { hasRealData, readAll, realFiles } from '../support/source-files.ts';
import { randomRuns } from '../support/test-length.ts';
import { unzipped } from '../support/unzipped.ts';

describe('parseHouseNumbers', () => {
  it.each<[string, string[]]>([
    ['4番14号', ['4-14']],
    ['４番１４号', ['4-14']],
    ['四番十四号', ['4-14']],
    ['4 番 14 号', ['4-14']],
    ['04番014号', ['4-14']],
    ['4-14', ['4-14']],
    ['４－１４', ['4-14']],
    ['4‐14', ['4-14']],
    ['4–14', ['4-14']],
    ['4—14', ['4-14']],
    ['4−14', ['4-14']],
    ['4ー14', ['4-14']],
    ['-4-14', ['4-14']],
    ['4の14', ['4-14']],
    ['4番14', ['4-14']],
    ['4番地14', ['4-14']],
    ['4番地の14', ['4-14']],
    ['4番地14号', ['4-14']],
    ['544番地11', ['544-11']],
    ['甲544番地11', ['甲544-11']],
    ['4番', ['4']],
    ['4番地', ['4']],
    ['4', ['4']],
    ['10号', ['10']],
    ['3-49-1', ['3-49']],
    ['1番2-101号', ['1-2']],
    ['4番14号の2', ['4-14']],
    ['4ノ14', ['4-14']],
    ['４ﾉ１４', ['4-14']],
    ['4之14', ['4-14']],
    ['壱之3', ['1-3']],
    ['壱丿３', ['1-3']],
    ['壱番地弐', ['1-2']],
    ['参拾四番五号', ['34-5']],
    ['4─14', ['4-14']],
    ['4━14', ['4-14']],
    ['4一14', ['4-14']],
    ['十一番地の二', ['11-2']],
    ['乙11-109', ['乙11-109']],
    ['ナ23', ['ナ23']],
    ['ナ-3-3', ['ナ3-3']],
    ['ﾇ48番地の4', ['ヌ48-4']],
    ['戊267', ['戊267']],
    ['レの2番地', ['レ2']],
    ['第464番地の1', ['464-1']],
  ])('reads %s', (rest, keys) => {
    expect(parseHouseNumbers(rest)).toEqual(keys);
  });

  it.each<[string, string[]]>([
    ['21番3、4', ['21-3', '21-4']],
    ['二十一番三、四', ['21-3', '21-4']],
    ['14番1~5号', ['14-1', '14-2', '14-3', '14-4', '14-5']],
    ['14番1号〜3号', ['14-1', '14-2', '14-3']],
    ['21番3～21番5', ['21-3', '21-4', '21-5']],
    ['21番3~22番5', ['21-3']],
    ['5番~7番', ['5', '6', '7']],
    ['14番1・2号', ['14-1', '14-2']],
    ['14番1号、5号', ['14-1', '14-5']],
    ['14番1号、5', ['14-1']],
    ['4-14、16', ['4-14']],
    ['5、6番', ['5', '6']],
    ['5番及び6番', ['5', '6']],
    ['28番20、28番21、29番2、　29番25', ['28-20', '28-21', '29-2', '29-25']],
    ['41-69,63-7', ['41-69', '63-7']],
    ['1083-1,1083-2の一部,1073-41の一部', ['1083-1', '1083-2', '1073-41']],
    ['21番3、本町4番5', ['21-3']],
    ['21番3、2丁目5番', ['21-3']],
    ['3-2-107号、108号', ['3-2']],
    ['2番地16、502号', ['2-16']],
    ['7番17号、1-802', ['7-17']],
    ['80番地7、3-801', ['80-7']],
    ['17番地の1、2-306号', ['17-1']],
    ['4番地の14、210', ['4-14']],
    ['474番地の1・914', ['474-1']],
    ['26番地12、13、14芙蓉ビル', ['26-12', '26-13', '26-14']],
    ['116番地1・117番地', ['116-1', '117']],
    ['5番101、102', ['5-101', '5-102']],
  ])('reads the list %s', (rest, keys) => {
    expect(parseHouseNumbers(rest)).toEqual(keys);
  });

  it.each<[string, string, string[]]>([
    ['東水元二丁目', '１４－２（Ａ・Ｃ棟），２－１４－１（Ｂ・Ｄ棟）', ['14-2', '14-1']],
    ['', '東水元２丁目１４－２，２－１４－１', ['14-2', '14-1']],
    ['東水元二丁目', '14-2、2-14-1、2-15-3', ['14-2', '14-1', '15-3']],
    ['東水元二丁目', '14-2、2-14-1-101', ['14-2', '14-1']],
    ['東水元二丁目', '14-2、2-14-3~5号', ['14-2', '14-3', '14-4', '14-5']],
    ['堺二丁', '14-2、2-14-1', ['14-2', '14-1']],
    ['東水元二丁目', '14-2、14-3-101', ['14-2', '14-3']],
    ['東水元二丁目', '14-2、16-1', ['14-2', '16-1']],
    // Unclear: another chome or a room, the same number for chome and block, and another notation.
    ['東水元二丁目', '14-2、3-14-1', ['14-2']],
    ['東水元二丁目', '2-5、2-7-1', ['2-5']],
    ['東水元二丁目', '14番2号、2-14-1', ['14-2']],
    ['東水元二丁目', '14-2、2-14番1号', ['14-2']],
    ['東水元', '14-2、2-14番1号', ['14-2']],
    ['東水元', '14-2、2-14-1', ['14-2', '2-14']],
  ])('in %s reads the list %s, which may repeat the chome', (machiAza, rest, keys) => {
    expect(parseHouseNumbers(rest, machiAza)).toEqual(keys);
  });

  it.each<[string, string[]]>([
    ['4番地他', ['4']],
    ['4番2　他　　（地名地番）', ['4-2']],
    ['29番1の一部', ['29-1']],
    ['１番地２、他４筆', ['1-2']],
    ['丸の内1丁目9-1他', ['9-1']],
    ['一丁目15番27', ['15-27']],
    ['12番16号 ○○ビル5階', ['12-16']],
    ['12番16号○○ビル5階', ['12-16']],
    ['4-14三井ビル', ['4-14']],
    ['4番三井ビル', ['4']],
    ['4番三の丸ビル', ['4']],
    ['4番5階', ['4']],
    ['4番3号室', ['4']],
    ['4番5F', ['4']],
    ['4-14 5F', ['4-14']],
    ['4番14号、5階', ['4-14']],
    ['4番14号 101', ['4-14']],
    ['4番14(旧番地', ['4-14']],
    ['10-15 201', ['10-15']],
    ['10-15　201号室', ['10-15']],
    ['29-1 109ビル', ['29-1']],
    ['2番地4 三番町KSビル', ['2-4']],
    ['2番地4三番町KSビル', ['2-4']],
    ['2番地 三番町KSビル', ['2']],
    ['2番地 109ビル', ['2']],
    ['29-1 番町ハイム', ['29-1']],
    ['1-3一番館', ['1-3']],
    ['1-3JPタワー', ['1-3']],
    ['4番地以下未定', ['4']],
    ['11住友商事錦町ビル', ['11']],
    ['161三洋久留米ビル2F', ['161']],
    ['3インテージ秋葉原ビル', ['3']],
    ['34JR信濃町ビル5F', ['34']],
    ['9東京天理ビル', ['9']],
    ['151第2不動ビル4F', ['151']],
    ['2-14U-AXISビル', ['2-14']],
    ['(竹屋町通千本東入)911', ['911']],
  ])('ignores text that does not belong to the number in %s', (rest, keys) => {
    expect(parseHouseNumbers(rest)).toEqual(keys);
  });

  it.each([
    '',
    ' ',
    '番外地',
    '無番地',
    '字上4番',
    '2019BorenAvenue,Seattle',
    '0番0号',
    '12345678',
    '5街区',
    '100ビル',
    '（地名地番）',
    '4番 101',
    '4番地 1-5',
    '15 201',
    '4 14-10',
    '29-1109ビル',
    '29-145F',
    '5-301C',
    '5-2号室',
    '3号540-1',
    '十二十二番地',
    '21世紀ビル',
    '24時間営業',
    '3LDK',
    '9東',
    '7組-1',
    '8区60',
    '15部49-2',
    '23字水掛11-1',
    '9表中道1-1',
    '5ブロック',
    '12番地の1B67',
    '1番1H&Bプラザビル5階',
    '4471番地2マンション香月103',
    '2番43号棟101',
  ])('reads nothing in %j', (rest) => {
    expect(parseHouseNumbers(rest)).toEqual([]);
  });

  it('never throws on any text, and returns only keys', () => {
    const address = fc.string({ unit: fc.constantFrom(...'0149一二十百番地号の-－ー~、,・ 　他外階室丁目甲イ(（)A') });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), address), (rest) => {
        for (const key of parseHouseNumbers(rest)) expect(key).toMatch(/^[甲イ丁]?\d+(-[甲イ丁]?\d+)?$/u);
      }),
      { numRuns: randomRuns(2_000) },
    );
  });

  it('takes at most linear time', async () => {
    for (const part of ['一', '1', '1番1、', '1-', '十の', '(', '1~', '番 ']) {
      const growth = await growthOf((size) => parseHouseNumbers(part.repeat(size)), 10_000, 100_000);
      expect(growth, part).toBeLessThan(40);
    }
  });

  it('reads every notation of a block and a number the same way', () => {
    const number = fc.integer({ min: 1, max: 9_999 });
    const wide = (n: number) => String(n).replace(/\d/g, (d) => String.fromCharCode(d.charCodeAt(0) + 0xfee0));
    fc.assert(
      fc.property(number, number, (a, b) => {
        for (const rest of [
          `${a}番${b}号`,
          `${wide(a)}番${wide(b)}号`,
          `${a}-${b}`,
          `${wide(a)}－${b}`,
          `${a}番地の${b}`,
        ]) {
          expect(parseHouseNumbers(rest)).toEqual([`${a}-${b}`]);
        }
      }),
    );
  });
});

describe.skipIf(!hasRealData)('real addresses', () => {
  async function column(folder: string, header: string): Promise<string[]> {
    const rows = [];
    for (const file of realFiles(folder, (name) => /official|export/.test(name))) {
      for await (const some of readCsv(file)) rows.push(...some);
    }
    const head = rows.findIndex(({ cells }) => cells.includes(header));
    const index = rows[head]?.cells.indexOf(header) ?? -1;
    return rows.slice(head + 1).map(({ cells }) => cells[index] ?? '');
  }

  it('of portfolios and the Tokyo register all have numbers, except for one overseas', async () => {
    const addresses = [...(await column('jreit', 'address')), ...(await column('greenbuilding', '所在地'))];
    expect(addresses.length).toBe(41);
    const without = addresses.filter((address) => parseHouseNumbers(restOf(address)).length === 0);
    expect(without).toEqual(['2019BorenAvenue,Seattle,Washington']);
  });

  it('of five portfolio buildings in Bunkyo each match one residence of the registry', async () => {
    const zips = realFiles('abr', (name) => name.startsWith('mt_rsdtdsp') && name.endsWith('.zip'));
    const items = await readAll(abr, (await Promise.all(zips.map(unzipped))).flat());
    const residences = items.flatMap((item) =>
      item.kind === 'record' ? [String(item.record.observations[0]?.value)] : [],
    );
    expect(residences).toHaveLength(30_156);
    const keyOf = (address: string) => `${townOf(address)} ${parseHouseNumbers(restOf(address))[0]}`;
    const known = Map.groupBy(residences, keyOf);
    const asked = (await column('jreit', 'address')).filter((address) => address.includes('文京区'));
    expect(asked).toHaveLength(5);
    for (const address of asked) expect(known.get(keyOf(address))).toHaveLength(1);
  });

  const townOf = (address: string) => /^(.+?丁目)/u.exec(address)?.[1] ?? '';
  const restOf = (address: string) =>
    address.slice((/^.+?丁目|^[^\d]+?町/u.exec(address.normalize('NFKC'))?.[0] ?? '').length);
});

it.each([
  ['135-0064', '135-0064'],
  ['1350064', '135-0064'],
  ['〒135－0064', '135-0064'],
  ['〒１３５−００６４', '135-0064'],
  ['１３５‐００６４', '135-0064'],
  ['135 0064', '135-0064'],
  ['135-006', undefined],
  ['135-00640', undefined],
  ['Tokyo', undefined],
])('postcode %s is %s', (text, postcode) => expect(parsePostcode(text)).toBe(postcode));
