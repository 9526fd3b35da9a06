import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../src/files/source-file.ts';
import type { Item } from '../../../src/sources/adapter.ts';
import { edinet } from '../../../src/sources/edinet/adapter.ts';
import { FIELDS } from '../../../src/vocabulary/fields.ts';
import { fileOf, hasRealData, readAll, realFiles } from '../../support/source-files.ts';
import { block, FOLDER, FORM, filing, honbun, OTHER, table } from './filing.ts';

const rowspan = (text: string, rows = 2) => `<td rowspan="${rows}"><p>${text}</p></td>`;
const colspan = (text: string, columns: number) => `<td colspan="${columns}"><p>${text}</p></td>`;

async function read(...files: SourceFile[]): Promise<Item[]> {
  return readAll(edinet, files);
}

function records(items: Item[]): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    items.flatMap((item) => {
      if (item.kind !== 'record') return [];
      const values: Record<string, unknown> = {};
      for (const { field, value } of item.record.observations) {
        if (FIELDS[field].repeated) values[field] = [...((values[field] as unknown[]) ?? []), value];
        else values[field] = value;
      }
      return [[item.record.sourceRecordId, values]];
    }),
  );
}

const reasons = (items: Item[], kind: Item['kind']) =>
  items.flatMap((item) => (item.kind === kind && 'reason' in item ? [item.reason] : []));

const SIMPLE = block(
  table(
    ['物件番号', '物件名称', '所在地', '取得価格（百万円）'],
    ['O-1', '青葉ビル', '東京都港区芝五丁目1番1号', '1,234.5'],
  ),
);

describe('a filing', () => {
  it('has superscript numbers that are footnotes or units', async () => {
    const rows = table(
      ['物件番号', '物件名称', '延床面積（m<sup>2</sup>）', '稼働率（％）'],
      ['O-1', '青葉ビル', '12.5', '98.5<sup>2</sup>'],
    );
    expect(records(await read(filing(block(rows))))['G03338/O-1']).toMatchObject({ gfaM2: 12.5, occupancyRate: 98.5 });
  });

  it('REC-10 yields a record per property that cites the document', async () => {
    const items = await read(filing(SIMPLE));
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      kind: 'record',
      at: { file: `${FOLDER}/0101010_honbun_${FORM}`, line: 2 },
      record: {
        sourceRecordId: 'G03338/O-1',
        sourceUrl: 'https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx?S100ABCD',
        extractionMethod: 'disclosure-table',
        whole: false,
      },
    });
    expect(records(items)['G03338/O-1']).toEqual({
      nameJa: '青葉ビル',
      addressJa: '東京都港区芝五丁目1番1号',
      acquisitionPriceJpy: 1_234_500_000,
    });
  });

  it('reads two header rows, spans, footnotes, full-width figures and totals', async () => {
    const body = block(
      table(
        [
          rowspan('物件<br />番号'),
          rowspan('不動産等の名称（注1）'),
          rowspan('用途'),
          colspan('取得価格', 2),
          colspan('期末評価額（注2）', 2),
          rowspan('稼働率<br />（％）'),
          rowspan('資産の種類'),
        ],
        ['価格（百万円）', '投資比率（％）', '評価額（千円）', '投資比率（％）'],
        [
          'Ｏ－１',
          '青葉<br />ビル（注3）',
          '事務所・店舗',
          '１，２３４．５',
          '10.0',
          '2,000,000',
          '9.9',
          '98.5（注4）',
          '不動産信託受益権',
        ],
        ['Ｏ－２', '若葉ビル※1', '共同住宅', '－', '－', '非開示（注1）', '－', '100.0', '所有権'],
        [colspan('小計', 3), '1,234.5', '10.0', '2,000,000', '9.9', '99.0', ''],
        [colspan('東京23区', 9)],
        ['<td></td>', '合計', '', '9,999', '100', '9', '1', '99', ''],
      ),
    );
    const items = await read(filing(body));
    expect(records(items)).toEqual({
      'G03338/O-1': {
        nameJa: '青葉ビル',
        assetTypes: ['事務所', '店舗'],
        acquisitionPriceJpy: 1_234_500_000,
        appraisalValueJpy: 2_000_000_000,
        occupancyRate: 98.5,
      },
      'G03338/O-2': { nameJa: '若葉ビル', assetTypes: ['共同住宅'], occupancyRate: 100 },
    });
    expect(reasons(items, 'note')).toEqual([]);
  });

  it('reads four header rows', async () => {
    const body = block(
      table(
        [rowspan('物件名称', 4), colspan('不動産鑑定評価概要', 3)],
        [rowspan('鑑定評価額（千円）', 3), colspan('収益価格', 2)],
        [colspan('直接還元法', 2)],
        ['価格（千円）', '還元利回り（％）'],
        ['青葉ビル', '5,000', '4,900', '4.1'],
      ),
    );
    expect(records(await read(filing(body)))).toEqual({
      'G03338/青葉ビル': { nameJa: '青葉ビル', appraisalValueJpy: 5_000_000 },
    });
  });

  it('joins tables, blocks and files by name or number, in the order of file names', async () => {
    const first = table(
      ['物件番号', '物件名称', '所在地', '取得価格（百万円）'],
      ['O-1', '青葉ビル', '東京都港区', '100'],
    );
    const second = table(
      ['物件番号', '物件名称', '所在地', '取得価格（百万円）', '延床面積（㎡）', '賃貸可能面積（㎡）'],
      ['O-1', 'Ａｏｂａ（青葉）', '－', '999', '1,000.50', '800'],
      ['O-2', '若葉ビル', '東京都北区赤羽一丁目', '5', '1', '1'],
    );
    const third = table(
      ['物件名', '所在地', '構造・階数'],
      ['青葉ビル（注1）', '東京都港区芝五丁目1番1号', 'ＳＲＣ造<br />Ｂ１／12Ｆ'],
    );
    const fourth = table(['物件番号', '稼働率'], ['O-1', '97.0％'], ['X-9', '1％']);
    const files = [
      filing(block(second), `${FOLDER}/0102010_honbun_${FORM}`),
      filing(block(first), `${FOLDER}/0101010_honbun_${FORM}`),
      filing(block(third + fourth, OTHER), `${FOLDER}/0103010_honbun_${FORM}`),
    ];
    const found = records(await read(...files));
    expect(Object.keys(found)).toEqual(['G03338/O-1', 'G03338/O-2']);
    expect(found['G03338/O-1']).toEqual({
      nameJa: '青葉ビル',
      addressJa: '東京都港区芝五丁目1番1号',
      acquisitionPriceJpy: 100_000_000,
      gfaM2: 1000.5,
      leasableAreaM2: 800,
      structure: 'SRC造',
      floorsAbove: 12,
      floorsBelow: 1,
      occupancyRate: 97,
    });
  });

  it('keeps rows of one table separate', async () => {
    const body = table(
      ['物件番号', '物件名称', '取得価格（百万円）'],
      ['R-1', '青葉', '1'],
      ['R-2', '青葉', '2'],
      ['R-1', '若葉', '3'],
    );
    expect(records(await read(filing(block(body))))).toMatchObject({
      'G03338/R-1': { nameJa: '青葉', acquisitionPriceJpy: 1_000_000 },
      'G03338/R-2': { nameJa: '青葉', acquisitionPriceJpy: 2_000_000 },
      'G03338/若葉': { nameJa: '若葉', acquisitionPriceJpy: 3_000_000 },
    });
  });

  it('uses the name as ID if the number is an ordinal', async () => {
    const body = table(['番号', '名称', '取得価格（億円）'], ['1', '青葉　ビル', '12.3']);
    expect(records(await read(filing(block(body))))).toEqual({
      'G03338/青葉ビル': { nameJa: '青葉 ビル', acquisitionPriceJpy: 1_230_000_000 },
    });
  });

  it('leaves out a figure of several properties or of a part', async () => {
    const body = table(
      ['物件名称', '取得価格（百万円）', '賃貸可能面積（㎡）'],
      ['一号館', rowspan('500'), '10'],
      ['二号館', '20'],
      [rowspan('三号館'), '70', rowspan('30')],
      ['80'],
    );
    const items = await read(filing(block(body)));
    expect(records(items)).toEqual({
      'G03338/一号館': { nameJa: '一号館', leasableAreaM2: 10 },
      'G03338/二号館': { nameJa: '二号館', leasableAreaM2: 20 },
      'G03338/三号館': { nameJa: '三号館', leasableAreaM2: 30 },
    });
    expect(reasons(items, 'note').map((reason) => /shared|different values/.exec(reason)?.[0])).toEqual([
      'shared',
      'shared',
      'different values',
    ]);
  });

  it.each([
    ['a line above', '<p style="text-align:right">（単位：千円）</p>', ''],
    ['the caption', '', '<caption>保有資産（単位：千円）</caption>'],
  ])('takes the unit from %s', async (_, line, caption) => {
    const tables = table(['物件名称', '帳簿価額'], ['青葉ビル', '1,000']).replace('<table>', `<table>${caption}`);
    expect(records(await read(filing(block(line + tables))))['G03338/青葉ビル']).toMatchObject({
      bookValueJpy: 1_000_000,
    });
  });

  it('yields no amount without a unit, ignoring units of other tables and columns', async () => {
    const body =
      '<p>（単位：百万円）</p>' +
      table(['科目', '金額'], ['現金', '1']) +
      table(['物件名称', '帳簿価額', '敷地面積', '稼働率', '総賃料（千円）'], ['青葉ビル', '1,000', '20', '0.98', '5']);
    const items = await read(filing(block(body)));
    expect(records(items)).toEqual({ 'G03338/青葉ビル': { nameJa: '青葉ビル' } });
    expect(reasons(items, 'note')).toHaveLength(3);
  });

  it('reads a table of one property with labels beside their values', async () => {
    const body = table(
      ['物件番号', 'O-7', '物件名称', '若葉ビル（注1）'],
      [rowspan('所在地'), '地番', colspan('東京都渋谷区代々木三丁目28番6', 2)],
      ['住居表示', colspan('東京都渋谷区代々木三丁目28番６号', 2)],
      ['取得価格', '3,278百万円', '取得年月日', '平成18年３月１日'],
      ['土地', '面積', colspan('512.30㎡', 2)],
      ['建物', '構造・階数', colspan('鉄骨鉄筋コンクリート造陸屋根地下１階付９階建', 2)],
      ['', '建築時期', colspan('昭和63年11月', 2)],
      ['', '延床面積', colspan('4,800.10㎡', 2)],
      ['用途', '事務所', '用途地域', '商業地域'],
    );
    expect(records(await read(filing(block(body))))).toEqual({
      'G03338/O-7': {
        nameJa: '若葉ビル',
        addressJa: '東京都渋谷区代々木三丁目28番６号',
        acquisitionPriceJpy: 3_278_000_000,
        acquisitionDate: '2006-03-01',
        landAreaM2: 512.3,
        structure: '鉄骨鉄筋コンクリート造陸屋根',
        floorsAbove: 9,
        floorsBelow: 1,
        completionMonth: '1988-11',
        yearBuilt: 1988,
        gfaM2: 4800.1,
        assetTypes: ['事務所'],
      },
    });
  });

  it('does not read a label as a property', async () => {
    const pairs = table(
      ['物件名称', '若葉ビル', '所在地', '東京都北区'],
      ['取得価格', '3百万円', '取得日', '2020年1月1日'],
    );
    expect(records(await read(filing(block(pairs))))).toEqual({});
    const repeated = table(
      ['物件名称', '所在地'],
      ['青葉ビル', '東京都港区'],
      ['物件名称', '所在地'],
      ['若葉ビル', '東京都北区'],
    );
    expect(Object.keys(records(await read(filing(block(repeated)))))).toEqual(['G03338/青葉ビル', 'G03338/若葉ビル']);
  });

  it('reads nested tables as cells and as tables', async () => {
    const inner = '<td><table><tr><td>O-1</td></tr></table></td>';
    const nested = table(['物件番号', '物件名称', '所在地'], [inner, '青葉ビル', '東京都港区芝五丁目1番1号']);
    const wrapped = `<table><tr><td>${nested}</td></tr></table>`;
    for (const body of [nested, wrapped]) {
      expect(records(await read(filing(block(body))))).toEqual({
        'G03338/O-1': { nameJa: '青葉ビル', addressJa: '東京都港区芝五丁目1番1号' },
      });
    }
  });

  it('CON-10 uses a day of valuation only if labelled so, together with its amount', async () => {
    const amount = (header: string, ...more: string[]) =>
      table(['物件名称', header, ...more], ['青葉ビル', '100', ...more.map(() => '2026年１月31日')]);
    const dateOf = async (body: string) => records(await read(filing(block(body))))['G03338/青葉ビル']?.appraisalDate;
    expect(await dateOf(amount('鑑定評価額（百万円）', '価格時点'))).toBe('2026-01-31');
    expect(await dateOf(amount('鑑定評価額（百万円）（価格時点：2026年1月31日）'))).toBe('2026-01-31');
    expect(await dateOf(`<p>価格時点：令和８年１月31日</p>${amount('鑑定評価額（百万円）')}`)).toBe('2026-01-31');
    expect(await dateOf(`<p>2026年1月31日現在</p>${amount('鑑定評価額（百万円）')}`)).toBeUndefined();
    expect(await dateOf(amount('取得価格（百万円）', '価格時点'))).toBeUndefined();
    expect(await dateOf(amount('鑑定評価額（百万円）') + amount('鑑定評価額（百万円）', '価格時点'))).toBeUndefined();
  });

  it('counts units and rooms', async () => {
    const body = table(['物件名称', '賃貸可能戸数', '客室数（室）'], ['青葉荘', '120戸', '１２']);
    expect(records(await read(filing(block(body))))['G03338/青葉荘']).toMatchObject({ unitCount: 120, roomCount: 12 });
  });

  it('leaves out properties not held or abroad, and other tables', async () => {
    const planned = table(['物件名称', '所在地', '取得予定価格（百万円）'], ['予定ビル', '東京都港区', '1']);
    const titled = `<p>取得予定資産の概要</p>${table(['物件名称', '所在地'], ['予定ビル', '東京都港区'])}`;
    const sold = table(
      ['物件名称', '譲渡日', '譲渡価格（百万円）', '帳簿価額（百万円）'],
      ['売却ビル', '2025年8月7日', '2', '1'],
    );
    const tenants = table(['テナント名', '物件名称', '賃貸面積（㎡）'], ['株式会社甲', '青葉ビル', '1']);
    const abroad = table(['物件名称', '所在地'], ['ボーレン', '米国シアトル']);
    const items = await read(filing(block(planned + titled + sold + tenants + abroad)));
    expect(records(items)).toEqual({});
    expect(reasons(items, 'note')).toEqual(['not in Japan; left out']);
  });

  it('uses the tables of the whole filing if the blocks have none', async () => {
    const held = table(['物件名称', '所在地'], ['青葉ビル', '東京都港区芝五丁目1番1号']);
    const other = table(['物件名称', '所在地'], ['若葉ビル', '東京都北区赤羽一丁目']);
    expect(Object.keys(records(await read(filing(held))))).toEqual(['G03338/青葉ビル']);
    expect(Object.keys(records(await read(filing(held + block(other)))))).toEqual(['G03338/若葉ビル']);
    expect(Object.keys(records(await read(filing(held + block('<p>該当事項はありません。</p>')))))).toHaveLength(1);
    expect(reasons(await read(filing('<p>x</p>')), 'note')).toEqual(['no property table in S100ABCD']);
  });

  it('follows a block that continues elsewhere', async () => {
    const open =
      '<ix:nonNumeric name="x:ComponentsOfRealEstateInvestmentsTextBlock" continuedAt="c1"><p>a</p></ix:nonNumeric>';
    const held = table(['物件名称', '所在地'], ['青葉ビル', '東京都港区']);
    const other = table(['物件名称', '所在地'], ['若葉ビル', '東京都北区']);
    const body = `${open}${other}<ix:continuation id="c1">${held}</ix:continuation>`;
    expect(Object.keys(records(await read(filing(body))))).toEqual(['G03338/青葉ビル']);
  });
});

describe('the document ID of a package', () => {
  const loose = (name = `0101010_honbun_${FORM}`) => filing(SIMPLE, name);
  const list = `\ufeffseqNumber,docID,edinetCode,secCode,JCN,filerName,fundCode,ordinanceCode,formCode,docTypeCode,periodStart,periodEnd,submitDateTime,docDescription,withdrawalStatus
1,S100WXYZ,E14000,,1,青葉リート投資法人,G03338,030,07B000,120,2025-08-01,2026-01-31,2026-04-28 15:30,有価証券報告書,0
2,S100QQQQ,E12460,,1,若葉アセットマネジメント株式会社,G08201,030,04A001,040,,,2026-04-28 09:00,訂正有価証券届出書,0
`;

  it.each([
    `S100ABCD.zip/XBRL/PublicDoc/0101010_honbun_${FORM}`,
    `filings/S100ABCD/XBRL/PublicDoc/0101010_honbun_${FORM}`,
    `filings\\S100ABCD\\XBRL\\PublicDoc\\0101010_honbun_${FORM}`,
    `2026-04-28_S100ABCD/0101010_honbun_${FORM}`,
  ])('is in its path: %s', async (name) => {
    expect((await read(loose(name)))[0]).toMatchObject({ record: { sourceUrl: expect.stringMatching(/\?S100ABCD$/) } });
  });

  it('is found in a document list, as CSV or JSON', async () => {
    const json = JSON.stringify({
      metadata: { status: '200' },
      results: [
        {
          docID: 'S100WXYZ',
          fundCode: 'G03338',
          periodEnd: '2026-01-31',
          submitDateTime: '2026-04-28 15:30',
          filerName: '青葉リート投資法人',
          withdrawalStatus: '0',
        },
        null,
        { docID: 5 },
      ],
    });
    for (const file of [fileOf('documents_2026-04-28.csv', list), fileOf('2026-04-28.json', json)]) {
      const items = await read(loose(), file);
      expect(items).toMatchObject([{ kind: 'record', record: { sourceUrl: expect.stringMatching(/\?S100WXYZ$/) } }]);
      expect(records(items)['G03338/O-1']).toMatchObject({ ownerPublic: '青葉リート投資法人' });
    }
  });

  it('is reported as missing, with what to do', async () => {
    expect(await read(loose())).toEqual([
      { kind: 'broken', file: `0101010_honbun_${FORM}`, reason: expect.stringMatching(/document ID.*document list/) },
    ]);
    const twice = list.replace(
      'S100QQQQ,E12460,,1,若葉アセットマネジメント株式会社,G08201,030,04A001,040,,',
      'S100QQQQ,E1,,1,x,G03338,030,07B000,120,,2026-01-31',
    );
    expect(reasons(await read(loose(), fileOf('d.csv', twice)), 'broken')).toHaveLength(1);
  });

  it('is skipped if withdrawn', async () => {
    const withdrawn = list.replace('有価証券報告書,0', '有価証券報告書,1');
    const items = await read(loose(), fileOf('d.csv', withdrawn));
    expect(reasons(items, 'note')).toEqual([expect.stringContaining('withdrawn')]);
  });

  it('has its fund name from the list of fund codes, else from its header', async () => {
    const funds = `ダウンロード実行日,2026年05月12日現在,件数,6371件\r\nファンドコード,証券コード,ファンド名,ファンド名（ヨミ）\r\n"G03338","89990","青葉リート投資法人","アオバ"\r\n`;
    const named = await read(filing(SIMPLE), fileOf('FundcodeDlInfo.csv', funds));
    expect(records(named)['G03338/O-1']).toMatchObject({ ownerPublic: '青葉リート投資法人' });
    const fact = (name: string, text: string) => `<ix:nonNumeric name="jpdei_cor:${name}">${text}</ix:nonNumeric>`;
    const header = honbun(
      `<ix:nonNumeric name="jpdei_cor:FundNameInJapaneseDEI" xsi:nil="true" />${fact('FilerNameInJapaneseDEI', '若葉&#160;投資法人')}`,
    );
    const own = await read(filing(SIMPLE), fileOf(`${FOLDER}/0000000_header_${FORM}`, header));
    expect(records(own)['G03338/O-1']).toMatchObject({ ownerPublic: '若葉 投資法人' });
  });

  it('yields only a note for anything but an annual report of a REIT', async () => {
    const name =
      'S100TMMG/XBRL/PublicDoc/0103010_honbun_jpcrp030000-asr-001_E02367-000_2024-03-31_01_2024-06-28_ixbrl.htm';
    const items = await read(filing(SIMPLE, name));
    expect(items).toMatchObject([
      { kind: 'note', at: { file: 'S100TMMG' }, reason: expect.stringContaining('jpcrp030000') },
    ]);
  });

  it('yields each property once, from the newest filing', async () => {
    const older = FORM.replace('2026-01-31_01_2026-04-28', '2025-07-31_01_2025-10-28');
    const gone = block(
      table(['物件番号', '物件名称', '取得価格（百万円）'], ['O-1', '青葉ビル', '1'], ['O-9', '旧館', '9']),
    );
    const items = await read(filing(gone, `S100OLD0/0101010_honbun_${older}`), filing(SIMPLE));
    expect(records(items)).toMatchObject({
      'G03338/O-1': { acquisitionPriceJpy: 1_234_500_000 },
      'G03338/O-9': { acquisitionPriceJpy: 9_000_000 },
    });
    expect(reasons(items, 'note')).toEqual(['1 properties of S100OLD0 are in a newer filing of this ingest']);
  });

  it('reads files by name', () => {
    expect(edinet.reads(`${FOLDER}/0101010_honbun_${FORM}`)).toBe(true);
    expect(edinet.reads('documents_2026-05-28.csv')).toBe(true);
    expect(edinet.reads('2026-05-28.json')).toBe(true);
    expect(edinet.reads('S100ABCD/XBRL/PublicDoc/manifest_PublicDoc.xml')).toBe(false);
    expect(edinet.reads('S100ABCD/XBRL/AuditDoc/jpaud-aai.htm')).toBe(false);
  });
});

describe('bad input', () => {
  it('reports a file that is cut off and reads the others', async () => {
    const cut = honbun(SIMPLE + block(table(['物件名称', '所在地'], ['若葉ビル', '東京都北区'])));
    const items = await read(
      fileOf(`${FOLDER}/0101010_honbun_${FORM}`, cut.slice(0, cut.indexOf('若葉'))),
      filing(block(table(['物件名称', '所在地'], ['三葉ビル', '東京都北区'])), `${FOLDER}/0102010_honbun_${FORM}`),
    );
    expect(Object.keys(records(items))).toEqual(['G03338/O-1', 'G03338/三葉ビル']);
    expect(items).toContainEqual({
      kind: 'broken',
      file: `${FOLDER}/0101010_honbun_${FORM}`,
      reason: expect.stringContaining('cut off'),
    });
  });

  it('reports what is wrong with a list', async () => {
    expect(reasons(await read(fileOf('a.json', '{"results":')), 'broken')).toEqual([
      expect.stringContaining('not valid JSON'),
    ]);
    expect(reasons(await read(fileOf('a.json', '{"statusCode":401}')), 'broken')).toEqual([
      expect.stringContaining('results'),
    ]);
    expect(reasons(await read(fileOf('a.csv', 'a,"b')), 'broken')).toHaveLength(1);
    const csvOfType5 = Buffer.from('\ufeff"要素ID"\t"項目名"\r\n"jpsps"\t"x"\r\n', 'utf16le');
    expect(
      reasons(
        await read(fileOf('XBRL_TO_CSV/jpsps070300-asr-001_G03338-000_2026-01-31_01_2026-04-28.csv', csvOfType5)),
        'foreign',
      ),
    ).toEqual([expect.stringContaining('type 1')]);
  });

  it('is not slowed down by absurd spans, depth or length', async () => {
    const spans = `<table><tr><td rowspan="1000000000" colspan="1000000000">物件名称</td></tr>${'<tr><td colspan="999999999">x</td></tr>'.repeat(2_000)}</table>`;
    const deep = `${'<table><tr><td>'.repeat(100)}物件名称${'</td></tr></table>'.repeat(100)}`;
    const facts = '<ix:nonNumeric name="a:b">'.repeat(500) + '</ix:nonNumeric>'.repeat(500);
    const long = table(['物件名称', '所在地'], ['あ'.repeat(100_000), '東京都'.repeat(50_000)]);
    const wide = table(Array(5_000).fill('物件名称'), Array(5_000).fill('1'));
    const items = await read(filing(block(spans + deep + facts + wide + long) + SIMPLE, undefined, 65_536));
    expect(items.every((item) => item.kind !== 'broken')).toBe(true);
    const deeper = await read(filing(SIMPLE + '<table><tr><td>'.repeat(100_000), undefined, 65_536));
    expect(reasons(deeper, 'broken')).toEqual([expect.stringContaining('nested')]);
    expect(Object.keys(records(deeper))).toEqual(['G03338/O-1']);
  });

  it('yields complete records or a broken item for any cut, and the same for any chunks', async () => {
    const whole = honbun(SIMPLE + block(table(['物件名称', '所在地'], ['若葉ビル', '東京都北区'])));
    const all = records(await read(fileOf(`${FOLDER}/0101010_honbun_${FORM}`, whole)));
    await fc.assert(
      fc.asyncProperty(fc.nat(Buffer.byteLength(whole)), fc.integer({ min: 1, max: 400 }), async (at, chunk) => {
        const file = fileOf(`${FOLDER}/0101010_honbun_${FORM}`, Buffer.from(whole).subarray(0, at), chunk);
        const items = await read(file);
        for (const [id, values] of Object.entries(records(items))) expect(values).toEqual(all[id]);
        expect(items.some(({ kind }) => kind === 'broken') || Object.keys(records(items)).length === 2).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe.skipIf(!hasRealData)('the real files', () => {
  it('give no records: lists, and a package of an ordinary company', async () => {
    const items = await readAll(edinet, realFiles('edinet'));
    expect(items.map(({ kind }) => kind)).toEqual(['foreign', 'foreign', 'foreign', 'foreign', 'note']);
    expect(items.at(-1)).toMatchObject({ at: { file: expect.stringMatching(/S100TMMG$/) } });
  });

  it('name the fund and the document of a filing', async () => {
    const lists = realFiles('edinet', (name) => /^(documents|Fundcode)/.test(name));
    const text = `0101010_honbun_jpsps070300-asr-001_G02956-000_2026-06-30_01_2026-09-28_ixbrl.htm`;
    const items = await readAll(edinet, [...lists, filing(SIMPLE, `S100XVBK/${text}`)]);
    expect(records(items)['G02956/O-1']).toMatchObject({ ownerPublic: '日本ビルファンド投資法人' });
  });
});
