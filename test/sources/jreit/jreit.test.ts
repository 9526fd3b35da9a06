import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../src/files/source-file.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import { jreit } from '../../../src/sources/jreit/adapter.ts';
import { formatOf, showNumber } from '../../../src/sources/jreit/read-workbook.ts';
import { fileOf, hasRealData, READING, readAll, realFiles } from '../../support/source-files.ts';
import { workbook, zipOf } from './workbook.ts';

const URL = 'https://www.aoba-reit.example/ja/portfolio/';

async function read(...files: SourceFile[]): Promise<Item[]> {
  return readAll(jreit, files, { ...READING, url: URL });
}

function records(items: Item[]): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    items.flatMap((item) => {
      if (item.kind !== 'record') return [];
      const values = item.record.observations.map(({ field, value }) => [field, value]);
      return [[item.record.sourceRecordId, Object.fromEntries(values)]];
    }),
  );
}

const urls = (items: Item[]) => items.flatMap((item) => (item.kind === 'record' ? [item.record.sourceUrl] : []));
const reasons = (items: Item[], kind: Item['kind']) =>
  items.flatMap((item) => (item.kind === kind && 'reason' in item ? [item.reason] : []));

const HEADER =
  '投資法人,物件番号,物件名称,所在地,用途,延床面積(㎡),敷地面積(㎡),賃貸可能面積(㎡),構造・階数,竣工年月,取得価格(百万円),取得年月日,鑑定評価額(百万円),価格時点,帳簿価額(千円),稼働率(%),総戸数,客室数,物件ページ,ポートフォリオページ';
const ROW =
  'ＡＢＣ投資法人,O-1,青葉ビル,東京都港区芝五丁目1番1号,事務所,"12,345.67",2000,"8,000.5",SRC造B2F/25F,1999年3月,"1,234.5",2007/12/3,1500,2026年1月31日,"1,200,345",98.5,,－,https://abc.example/p/1,https://abc.example/list';

describe('our own CSV', () => {
  it('yields the rows before the one that breaks the file', async () => {
    const items = await read(fileOf('a.csv', `${HEADER}\n${ROW}\n甲,"x"y,z\n`));
    expect(items.map((item) => item.kind)).toEqual(['record', 'broken']);
  });

  it('REC-10 has every field, and cites the page of the property', async () => {
    const items = await read(fileOf('a.csv', `${HEADER}\n${ROW}\n`));
    expect(items).toMatchObject([{ kind: 'record', at: { file: 'a.csv', line: 2 }, record: { whole: false } }]);
    expect(urls(items)).toEqual(['https://abc.example/p/1']);
    expect(records(items)).toEqual({
      'ABC投資法人/O-1': {
        nameJa: '青葉ビル',
        addressJa: '東京都港区芝五丁目1番1号',
        assetTypes: '事務所',
        gfaM2: 12345.67,
        landAreaM2: 2000,
        leasableAreaM2: 8000.5,
        structure: 'SRC造',
        floorsAbove: 25,
        floorsBelow: 2,
        completionMonth: '1999-03',
        yearBuilt: 1999,
        acquisitionPriceJpy: 1_234_500_000,
        acquisitionDate: '2007-12-03',
        appraisalValueJpy: 1_500_000_000,
        appraisalDate: '2026-01-31',
        bookValueJpy: 1_200_345_000,
        occupancyRate: 98.5,
        ownerPublic: 'ＡＢＣ投資法人',
      },
    });
  });

  it('REC-10 cites the portfolio page or the given URL if a property has no page of its own', async () => {
    const text = '物件名称,所在地,ポートフォリオページ\n青葉,東京都港区,https://abc.example/list\n若葉,東京都北区,\n';
    const items = await read(fileOf('a.csv', text));
    expect(urls(items)).toEqual(['https://abc.example/list', URL]);
    expect(Object.keys(records(items))).toEqual(['abc.example/青葉', 'www.aoba-reit.example/若葉']);
  });

  it('rejects a row without any page to cite', async () => {
    const items = await readAll(jreit, [
      fileOf('a.csv', '物件名称,所在地,物件ページ\n青葉,東京都港区,javascript:alert(1)\n'),
    ]);
    expect(items).toEqual([
      { kind: 'rejected', at: { file: 'a.csv', line: 2 }, record: '青葉', reason: expect.stringContaining('--url') },
    ]);
  });

  it('has its header in the first thirty rows, in one or two rows', async () => {
    const lines = [
      '青葉リート投資法人',
      '',
      'ポートフォリオ一覧（単位：百万円）',
      '物件名称,取得価格,稼働率',
      ',,(%)',
      '青葉,100,99.0',
      '合計,100,99.0',
    ];
    const items = await read(fileOf('a.csv', lines.join('\r\n')));
    expect(records(items)).toEqual({
      '青葉リート投資法人/青葉': {
        nameJa: '青葉',
        acquisitionPriceJpy: 100_000_000,
        occupancyRate: 99,
        ownerPublic: '青葉リート投資法人',
      },
    });
    const late = `${'x\n'.repeat(30)}物件名称,所在地\n青葉,東京都港区\n`;
    expect(await read(fileOf('b.csv', late))).toEqual([
      { kind: 'broken', file: 'b.csv', reason: expect.stringContaining('物件名称') },
    ]);
  });

  it('may be in CP932', async () => {
    // 物件名,所在地 / 青葉,東京都港区
    const bytes = Buffer.from('95a88c8f96bc2c8f8a8ddd926e0d0a90c297742c938c8b9e93738d608be60d0a', 'hex');
    expect(records(await read(fileOf('a.csv', bytes)))).toEqual({
      'www.aoba-reit.example/青葉': { nameJa: '青葉', addressJa: '東京都港区' },
    });
  });

  it('yields a property once, and none that is sold, planned or abroad', async () => {
    const text = `物件名称,所在地,取得予定日,譲渡日
青葉,東京都港区,既存保有,
青葉,東京都港区芝,,
予定,東京都港区,2027年3月1日,
取得済,東京都港区,2020. 4,
売却,東京都港区,,2020年1月1日
海外,"2019BorenAvenue,Seattle,Washington",,
`;
    const items = await read(fileOf('a.csv', text));
    expect(Object.values(records(items)).map(({ nameJa }) => nameJa)).toEqual(['青葉', '取得済']);
    expect(reasons(items, 'note').map((reason) => /repeated|not acquired|sold|Japan/.exec(reason)?.[0])).toEqual([
      'repeated',
      'not acquired',
      'sold',
      'Japan',
    ]);
  });

  it('rejects cells that a scraper ran together', async () => {
    const text =
      '物件名,所在地,取得価格_億円\n新塔ビル東京都新宿区都心５区,2新塔ビル東京都新宿区,1700.0\n旧塔ビル,東京都新宿区,815.55\n';
    const items = await read(fileOf('a.csv', text));
    expect(reasons(items, 'rejected')).toEqual([expect.stringContaining('run together')]);
    expect(records(items)['www.aoba-reit.example/旧塔ビル']).toMatchObject({ acquisitionPriceJpy: 81_555_000_000 });
  });

  it('streams a file of any length', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `青葉${i},東京都港区${i}`).join('\n');
    const items = await read(fileOf('a.csv', `物件名称,所在地\n${rows}`, 4_096));
    expect(items).toHaveLength(3_000);
    expect(items.at(-1)).toMatchObject({ at: { line: 3_001 } });
  });

  it('reports a file that is not a property table', async () => {
    for (const text of ['', 'a,b\n1,2\n', '\n\n\n', 'a,"b']) {
      expect((await read(fileOf('a.csv', text))).map(({ kind }) => kind)).toEqual(['broken']);
    }
  });

  it('never throws', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('物件名称', '所在地', '取得価格（円）', '1,234', '－'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 }), async (rows) => {
        const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\n');
        await read(fileOf('a.csv', text));
      }),
      { numRuns: 150 },
    );
  });
});

describe('workbooks', () => {
  it('in the layout of NBF: one sheet, amounts in yen, footnotes after names', async () => {
    const bytes = await workbook({
      name: 'データシート',
      rows: {
        1: ['青葉ビルファンド投資法人'],
        3: [
          '地域',
          '物件名称',
          '所在地',
          '取得価格',
          '期末帳簿価額',
          '期末評価額',
          '賃貸可能面積',
          '賃貸面積',
          'テナント数',
          '入居率',
          '利回り',
        ],
        4: [
          1,
          '青葉ビルディング *1',
          '東京都港区芝五丁目1番1号',
          57281060000,
          47525115000,
          72000000000,
          41880,
          41718,
          80,
          99.6,
          0.035,
        ],
        5: [2, '若葉ビル', '愛知県名古屋市中区栄一丁目1番', '－', '非開示（注1）', 1, 10, 10, 1, 100, 0.04],
        6: [undefined, '合計', undefined, 1, 1, 1, 1, 1, 1, 99],
      },
    });
    const items = await read(fileOf('nbf.xlsx', bytes));
    expect(records(items)).toEqual({
      '青葉ビルファンド投資法人/青葉ビルディング': {
        nameJa: '青葉ビルディング',
        addressJa: '東京都港区芝五丁目1番1号',
        acquisitionPriceJpy: 57_281_060_000,
        bookValueJpy: 47_525_115_000,
        appraisalValueJpy: 72_000_000_000,
        leasableAreaM2: 41880,
        occupancyRate: 99.6,
        ownerPublic: '青葉ビルファンド投資法人',
      },
      '青葉ビルファンド投資法人/若葉ビル': {
        nameJa: '若葉ビル',
        addressJa: '愛知県名古屋市中区栄一丁目1番',
        appraisalValueJpy: 1,
        leasableAreaM2: 10,
        occupancyRate: 100,
        ownerPublic: '青葉ビルファンド投資法人',
      },
    });
    expect(items[0]).toMatchObject({ at: { file: 'nbf.xlsx', line: 4 }, record: { sourceUrl: URL } });
  });

  it('in the layout of JRE: a sheet per metric, the last period counts, rates as fractions', async () => {
    const base = [undefined, '青葉ビル', '東京都千代田区丸の内一丁目'];
    const bytes = await workbook(
      {
        name: '期末簿価',
        rows: {
          2: ['（単位：百万円）'],
          4: [undefined, '物件名', 48, 49],
          6: [1, '青葉ビル', 100, 90],
          7: [2, '若葉ビル', 7, '－'],
        },
      },
      {
        name: '基礎データ',
        rows: { 4: [undefined, '物件名称', '所在地'], 6: base, 7: [undefined, '若葉ビル', '大阪府大阪市'] },
      },
      {
        name: '鑑定機関による期末算定価格',
        rows: { 4: [undefined, undefined, '第48期', '第49期'], 6: [undefined, undefined, 5, 6] },
      },
      {
        name: '期末入居率',
        rows: {
          4: [undefined, undefined, 48, 49],
          6: [undefined, undefined, 0.9, 0.985],
          7: [undefined, undefined, 1, { style: 1, value: 0.5 }],
        },
      },
      { name: 'ＮＯＩ', rows: { 4: [undefined, undefined, 48, 49], 6: [undefined, undefined, 1, 2] } },
    );
    const items = await read(fileOf('jre.xlsx', bytes));
    expect(records(items)).toEqual({
      'www.aoba-reit.example/青葉ビル': {
        nameJa: '青葉ビル',
        addressJa: '東京都千代田区丸の内一丁目',
        bookValueJpy: 90_000_000,
        occupancyRate: 98.5,
      },
      'www.aoba-reit.example/若葉ビル': { nameJa: '若葉ビル', addressJa: '大阪府大阪市', occupancyRate: 50 },
    });
    expect(reasons(items, 'note')).toEqual([expect.stringMatching(/^appraisalValueJpy.*unit/)]);
  });

  it('in the layout of GLP: two sheets joined by number, amounts in million yen', async () => {
    const bytes = await workbook(
      {
        name: 'ポートフォリオ一覧',
        rows: {
          4: ['物件番号', '物件名称', '所在地', '取得日', '取得価格', '比率', '賃貸可能面積', '賃貸面積', '稼働率'],
          6: [
            '関東圏-1',
            'ＧＬＰ 青葉',
            '千葉県船橋市浜町',
            { style: 2, value: 40909 },
            15500,
            0.02,
            101210.5,
            101210.5,
            100,
          ],
        },
      },
      { name: '鑑定評価額一覧', rows: { 5: ['物件番号', '鑑定機関', '鑑定評価額'], 7: ['関東圏-1', '甲', 24100] } },
    );
    expect(records(await read(fileOf('glp.xlsx', bytes)))).toEqual({
      'www.aoba-reit.example/関東圏-1': {
        nameJa: 'ＧＬＰ 青葉',
        addressJa: '千葉県船橋市浜町',
        acquisitionDate: '2012-01-01',
        acquisitionPriceJpy: 15_500_000_000,
        leasableAreaM2: 101210.5,
        occupancyRate: 100,
        appraisalValueJpy: 24_100_000_000,
      },
    });
  });

  it('have merged headers, and numbers as displayed', async () => {
    const bytes = await workbook({
      name: '一覧',
      rows: {
        1: ['物件名称', '取得価格', undefined, '稼働率', '竣工'],
        2: [undefined, '金額（億円）', '比率（％）'],
        3: ['青葉', 815.55, 3, { style: 1, value: 0.9955 }, { style: 3, value: 36220 }],
      },
      merged: ['A1:A2', 'B1:C1', 'D1:D2', 'E1:E2'],
    });
    expect(records(await read(fileOf('a.xlsx', bytes)))).toEqual({
      'www.aoba-reit.example/青葉': {
        nameJa: '青葉',
        acquisitionPriceJpy: 81_555_000_000,
        occupancyRate: 99.55,
        completionMonth: '1999-03',
        yearBuilt: 1999,
      },
    });
  });

  it('show numbers without binary rounding noise', () => {
    expect(showNumber('815.54999999999995', 'number', 1900)).toBe('815.55');
    expect(showNumber('1.2345E+10', 'number', 1900)).toBe('12345000000');
    expect(showNumber('0.99550000000000005', 'percent', 1900)).toBe('99.55%');
    expect(showNumber('0', 'number', 1904)).toBe('0');
    expect(showNumber('1e400', 'number', 1900)).toBe('1e400');
    expect(showNumber('1e15', 'day', 1900)).toBe('1e15');
    expect(showNumber('39447', 'day', 1904)).toBe('2012-01-01');
    expect(
      ['General', '0.0%', 'yyyy/m/d', '#,##0"円"', '[$-411]ge.m.d', '0.00E+00'].map((code) => formatOf(180, code)),
    ).toEqual(['number', 'percent', 'day', 'number', 'day', 'number']);
  });

  it('are refused if invalid or too large', async () => {
    const huge = await zipOf({ 'xl/workbook.xml': 'x' });
    huge.writeUInt32LE(210 << 20, huge.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    const sheet = await workbook({ name: 'a', rows: { 1: ['物件名称', '所在地'], 2: ['青葉', '東京都港区'] } });
    const cases: [Buffer, RegExp][] = [
      [Buffer.from(''), /not a workbook/],
      [Buffer.from('物件名称,所在地'), /not a workbook/],
      [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save it as .xlsx/],
      [sheet.subarray(0, sheet.length - 40), /not a workbook/],
      [await zipOf({ 'a.txt': 'x' }), /xl\/workbook.xml/],
      [await zipOf({ 'xl/workbook.xml': '<workbook><sheet' }), /well-formed|cut off/],
      [await zipOf({ 'xl/workbook.xml': '<!DOCTYPE a><workbook/>' }), /document type/],
      [huge, /200 MB/],
      [await workbook({ name: 'a', rows: { 1: ['x'] } }), /物件名称/],
    ];
    for (const [bytes, reason] of cases) {
      const items = await read(fileOf('a.xlsx', bytes, 1 << 20));
      expect(items).toEqual([{ kind: 'broken', file: 'a.xlsx', reason: expect.stringMatching(reason) }]);
    }
  });

  it('are not slowed down by absurd references', async () => {
    const rels = '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>';
    const inline = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = `<row r="1">${inline('A1', '物件名称')}${inline('B1', '所在地')}${inline('ZZZZZZZ1', 'x')}</row><row r="999999999999">${inline('A9', '青葉')}${inline('B9', '東京都港区')}</row><row r="-1"><c r=""/></row>`;
    const bytes = await zipOf({
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': rels,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>`,
    });
    expect(Object.values(records(await read(fileOf('a.xlsx', bytes))))).toMatchObject([{ nameJa: '青葉' }]);
  });

  it('give complete records or a broken item for any changed byte', async () => {
    const bytes = await workbook({ name: 'a', rows: { 1: ['物件名称', '所在地'], 2: ['青葉', '東京都港区'] } });
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        await read(fileOf('a.xlsx', changed, 1_000));
      }),
      { numRuns: 100 },
    );
  });

  it('are read by name', () => {
    expect(['a.csv', 'a.XLSX', 'x/~$a.xlsx', 'a.xls', 'a.pdf'].map((name) => jreit.reads(name))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe.skipIf(!hasRealData)('the real files', () => {
  it('official_addresses_sample.csv is read completely, with its quirks', async () => {
    const items = await readAll(
      jreit,
      realFiles('jreit', (name) => name.startsWith('official')),
    );
    const found = records(items);
    expect(Object.keys(found)).toHaveLength(19);
    expect(found['積水ハウス・リート投資法人/エスティメゾン恵比寿ll']).toMatchObject({
      nameJa: 'エスティメゾン恵比寿ll',
    });
    expect(found['積水ハウス・リート投資法人/プライムメゾン江古田の杜']?.addressJa).toBe(
      '東京都中野区江古田三丁目14番1~5号',
    );
    expect(found['積水ハウス・リート投資法人/プライムメゾン横濱日本大通']?.addressJa).toBe(
      '神奈川県横浜市中区本町一丁目4番地他',
    );
    expect(found['KDX不動産投資法人/kdx日本橋216ビル']).toMatchObject({
      nameJa: 'KDX日本橋216ビル',
      ownerPublic: 'ＫＤＸ不動産投資法人',
    });
    expect(reasons(items, 'note')).toEqual(['not in Japan; left out']);
    expect(new Set(urls(items)).size).toBe(2);
  });

  it('the scraped excerpt yields rows with a page and none that ran together', async () => {
    const items = await readAll(
      jreit,
      realFiles('jreit', (name) => name.startsWith('jreit-map')),
    );
    expect(Object.keys(records(items))).toHaveLength(58);
    expect(records(items)['大和証券オフィス投資法人/daiwa銀座ビル']).toMatchObject({
      acquisitionPriceJpy: 14_100_000_000,
    });
    expect(items.every((item) => item.kind !== 'record' || item.record.geometry === null)).toBe(true);
    expect(reasons(items, 'rejected').filter((reason) => reason.includes('run together'))).toHaveLength(5);
    expect(reasons(items, 'rejected').filter((reason) => reason.includes('--url'))).toHaveLength(77);
  });
});
