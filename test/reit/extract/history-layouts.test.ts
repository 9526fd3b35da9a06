import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryValue } from '../../../src/reit/extract/history.ts';
import { table } from '../../sources/edinet/filing.ts';
import { bundleOf, type FilingParts, historiesOf, only, stated } from '../../support/reit-filing.ts';

const yen = (printed: string, scale: number) => ({
  printed,
  unit: 'JPY',
  scale,
  decimals: -scale,
  rounding: 'unknown',
});
const rate = (printed: string) => ({ printed, unit: 'ratio', scale: -2, decimals: 3, rounding: 'unknown' });

/** The portfolio table names the properties; the figures are in tables without property names. */
const listed = (...properties: [code: string, name: string][]) =>
  `<p>（イ）不動産等の概要</p>${table(
    ['物件番号', '物件名称', '資産の種類'],
    ...properties.map(([code, name]) => [code, name, '信託受益権']),
  )}`;
const TWO = listed(['A-01', '見本館'], ['A-02', '見本館Ⅱ']);
const SPAN = (columns: number, text: string) => `<td colspan="${columns}"><p>${text}</p></td>`;

const figuresOf = async (code: string, body: string) => stated(await bundleOf(code, only(body)));
const unusedIn = async (parts: FilingParts) => (await historiesOf(parts))[0]?.tables.unused ?? [];
const reasonsIn = async (body: string) => (await unusedIn(only(body))).map(({ reason }) => reason);

const LABELLED = table(['鑑定評価額', '1,500百万円'], ['還元利回り', '3.3％']);
const VALUES = { 'p40/appraisalValue': yen('1,500百万円', 6), 'p40/directCapRate': rate('3.3％') };

describe('a table under a heading that names its property', () => {
  it.each([
    ['<p>見本館</p>'],
    ['<p><b>見本館</b></p>'],
    ['<p>［見本館］</p>'],
    ['<p>【見本館】</p>'],
    ['<p>＜見本館＞</p>'],
    ['<p>■見本館</p>'],
    ['<p>●　見本館</p>'],
    ['<p>（1）見本館</p>'],
    ['<p>①　見本館</p>'],
    ['<p>１．見本館</p>'],
    ['<p>1 見本館</p>'],
    ['<p>（ⅰ）見本館</p>'],
    ['<p>ア．見本館</p>'],
    ['<h4>見本館（注１）</h4>'],
    ['<p>A-01 見本館</p>'],
    ['<p>ａ－０１　見本館</p>'],
    ['<p>A‐01見本館</p>'],
    ['<p>［A-01］見本館</p>'],
    ['<p>見本館（A-01）</p>'],
    ['<p>物件番号 A-01 物件名 見本館</p>'],
    ['<p>物件番号：A-01　物件名称：見本館</p>'],
    ['<p>物件名称：見本館</p>'],
    ['<p>（3）A-01　見本館（準共有持分50％）</p>'],
    ['<p>No.1 見本館</p>'],
    ['<p>物件１：見本館</p>'],
    ['<p>見本館（以下「本物件」といいます）</p><p>東京都見本区１丁目</p><p>概要は次のとおりです</p>'],
    ['<p>A-01：見本館（単位：百万円）</p>'],
    ['<p>見本館の鑑定評価書の概要</p>'],
    ['<p>鑑定評価書の概要（見本館）</p>'],
    ['<p>（1）見本館</p><p>① 鑑定評価書の概要</p><p>2026年１月31日現在</p>'],
    ['<h4>見本館</h4><h5>鑑定評価書の概要</h5><p>交通：見本駅徒歩3分</p>'],
    ['<p>（1）見本館</p><p>本物件は駅に近く、賃貸需要が見込まれます。</p><p>（注）概要です。</p>'],
    [table(['見本館'])],
    [table(['A-01', '見本館'])],
    [table(['物件番号', 'A-01', '物件名称', '見本館'])],
    [table(['物件番号', 'A-01'], ['物件名称', '見本館'])],
    ['<p>（1）見本館</p><p>※1 参考です</p><p>③ 土壌汚染の状況</p><p>④ 鑑定評価書の概要</p><p>12</p>'],
  ])('is read: %s', async (heading) => {
    expect(await figuresOf('A-01', `${TWO}<p>（ロ）個別物件の概要</p>${heading}${LABELLED}`)).toEqual(VALUES);
  });

  it('may have the name in its caption, in its own row, beside its rows, or in the surrounding table', async () => {
    const rows = [
      ['鑑定評価額', '1,500百万円'],
      ['還元利回り', '3.3％'],
    ] as const;
    const caption = LABELLED.replace('<table>', '<table><caption>見本館</caption>');
    const inside = table([SPAN(2, 'A-01 見本館')], [SPAN(2, '鑑定評価書の概要')], ...rows.map((row) => [...row]));
    const beside = table(['<td rowspan="2">見本館</td>', ...rows[0]], [...rows[1]]);
    const above = table([SPAN(2, '見本館')], [`<td>${LABELLED}</td>`, 'x']);
    for (const body of [caption, inside, beside, above])
      expect(await figuresOf('A-01', `${TWO}<p>概要</p>${body}`)).toMatchObject(VALUES);
  });

  it('gives each part of a table to the property that its title names', async () => {
    const body = table(
      [SPAN(2, '見本館')],
      ['鑑定評価額', '1,500百万円'],
      [SPAN(2, '見本館Ⅱ')],
      ['鑑定評価額', '700百万円'],
      [SPAN(2, '見本新館')],
      ['鑑定評価額', '9百万円'],
    );
    expect(await figuresOf('A-01', TWO + body)).toEqual({ 'p40/appraisalValue': yen('1,500百万円', 6) });
    expect(await figuresOf('A-02', TWO + body)).toEqual({ 'p40/appraisalValue': yen('700百万円', 6) });
  });

  it('REIT-03 cites the heading, the table, the label and the property', async () => {
    const { sourceRevisions } = await bundleOf('A-01', only(`${TWO}<p>■見本館</p>${LABELLED}`));
    expect(sourceRevisions[0]?.fields[0]?.citations[0]?.locator).toBe(
      '（イ）不動産等の概要 > ■見本館 > 表2 > 行「鑑定評価額」 > 列「A-01 見本館」',
    );
  });

  it('applies to all tables up to the next heading of its style', async () => {
    const more = (name: string, noi: string) =>
      `<p>（1）${name}</p>${LABELLED}<p>（注）概算です。</p><p>② 収支状況</p>${table(['NOI（千円）', noi], ['運用日数（日）', '184'])}`;
    const body = `${TWO}${more('見本館', '58')}${more('見本館Ⅱ', '59')}`;
    expect(await figuresOf('A-01', body)).toMatchObject({ ...VALUES, 'p40/noi': yen('58', 3) });
    expect(await figuresOf('A-02', body)).toMatchObject({ ...VALUES, 'p40/noi': yen('59', 3) });
    expect(await reasonsIn(body)).toEqual([]);
  });

  it('needs no list if headings declare number and name', async () => {
    const body = `<p>（1）A-01 見本館</p>${LABELLED}<p>（2）A-02 見本館Ⅱ</p><p>B-1 階段</p>`;
    const [history] = await historiesOf(only(body));
    expect(history?.properties.map(({ code, nameJa }) => [code, nameJa])).toEqual([['A-01', '見本館']]);
    expect(await figuresOf('A-01', body)).toEqual(VALUES);
  });
});

describe('a table with an ambiguous property is not used', () => {
  it.each([
    ['no heading', '', 'noProperty'],
    ['only an aspect', '<p>（ロ）鑑定評価書の概要</p>', 'noProperty'],
    ['a name that is not listed', '<p>■見本新館</p>', 'unknownProperty'],
    ['the beginning of a listed name', '<p>■見本</p>', 'unknownProperty'],
    ['a listed name that goes on', '<p>■見本館Ⅲ</p>', 'unknownProperty'],
    ['a listed name and a number', '<p>見本館 2</p>', 'unknownProperty'],
    ['a listed name and a phase', '<p>見本館 2期</p>', 'unknownProperty'],
    ['a listed name and an annex', '<p>見本館（別館）</p>', 'unknownProperty'],
    ['all properties', '<p>（1）見本館</p><p>ポートフォリオ全体の収支</p>', 'unknownProperty'],
    ['a part that is left out', '<p>（1）見本館</p><p>（中略）</p>', 'unknownProperty'],
    ['another name below it', '<p>（1）見本館</p><p>見本新館</p><p>①概要</p>', 'unknownProperty'],
    ['another name with an aspect', '<p>（1）見本館</p><p>見本新館：概要</p>', 'unknownProperty'],
    ['an aspect of another name', '<p>（1）見本館</p><p>概要：見本新館</p>', 'unknownProperty'],
    ['another number', '<p>（1）見本館</p><p>A-03：見本新館（単位：円）</p>', 'unknownProperty'],
    ['two names', '<p>見本館及び見本館Ⅱ</p>', 'ambiguousProperty'],
    ['two names in a row', '<p>（1）見本館</p><p>（2）見本館Ⅱ</p>', 'ambiguousProperty'],
    ['a number and the name of another', '<p>A-02 見本館</p>', 'ambiguousProperty'],
    ['a number and a name that is not listed', '<p>A-01 見本新館</p>', 'ambiguousProperty'],
    [
      'one property inside another',
      `<p>（1）見本館</p>${table(['稼働率', '98.5％'], ['x', 'y'])}<p>見本館Ⅱ</p>`,
      'ambiguousProperty',
    ],
    [
      'a bullet of the same style',
      `<p>■見本館</p>${table(['稼働率', '98.5％'], ['x', 'y'])}<p>■収支状況</p>`,
      'ambiguousProperty',
    ],
    [
      'the next section',
      `<p>（1）見本館</p>${table(['稼働率', '98.5％'], ['x', 'y'])}<p>（2）収支状況</p>`,
      'noProperty',
    ],
  ])('%s', async (_, heading, reason) => {
    const body = `${TWO}<p>（ロ）個別の概要</p>${heading}${LABELLED}`;
    const figures = [await figuresOf('A-01', body), await figuresOf('A-02', body)];
    for (const one of figures) expect(Object.keys(one)).not.toContain('p40/appraisalValue');
    expect((await reasonsIn(body)).at(-1)).toBe(reason);
  });

  it('if it names another property than its heading', async () => {
    const body = `${TWO}<p>（1）見本館</p>${table(['稼働率', '98.5％', '物件名称', '見本館Ⅱ'], ['鑑定評価額', '1百万円'])}`;
    expect(Object.keys(await figuresOf('A-01', body))).not.toContain('p40/appraisalValue');
    expect(Object.keys(await figuresOf('A-02', body))).not.toContain('p40/occupancyRate');
  });

  it('if two properties share a name and the heading has only the name', async () => {
    const same = listed(['A-01', '見本館'], ['A-02', '見本館']);
    expect(await reasonsIn(`${same}<p>■見本館</p>${LABELLED}`)).toEqual(['ambiguousProperty']);
    expect(await figuresOf('A-02', `${same}<p>■A-02 見本館</p>${LABELLED}`)).toEqual(VALUES);
  });

  it('outside the file and the text block of its heading', async () => {
    const { bodies } = only(`${TWO}<p>■見本館</p>`);
    const split = { bodies: [...bodies, ...only(LABELLED).bodies] };
    expect((await unusedIn(split)).map(({ reason }) => reason)).toEqual(['noProperty']);
    const outside = { bodies: [`${bodies[0]}${table(['NOI（千円）', '5'], ['運用日数', '184'])}`] };
    expect((await unusedIn(outside)).map(({ reason }) => reason)).toEqual(['noProperty']);
  });
});

describe('a table of labels and values', () => {
  const headed = (...rows: string[][]) => `${TWO}<p>■見本館</p>${table(...rows)}`;
  const read = (...rows: string[][]) => figuresOf('A-01', headed(...rows));

  it('has two pairs in a row, empty cells, orders, units and remarks beside them', async () => {
    expect(
      await read(
        ['所在地', '東京都見本区１丁目', '取得年月日', '平成31年３月28日'],
        ['', '（1）取得価格', '１，２３４', '百万円'],
        ['１．還元利回り', '', '３．３％', '純収益を還元利回りで還元して査定しました'],
        ['テナントの総数', '12', '稼働率（％）', '98.5（注２）'],
      ),
    ).toEqual({
      'p40/acquisitionDate': { state: 'recorded', date: '2019-03-28', precision: 'day' },
      'p40/acquisitionPrice': yen('１，２３４', 6),
      'p40/directCapRate': rate('３．３％'),
      'p40/tenantCount': { printed: '12', unit: 'count', scale: 0, decimals: 0, rounding: 'exact' },
      'p40/occupancyRate': rate('98.5（注２）'),
    });
  });

  it('AGR-07 gives the reason for a missing figure', async () => {
    expect(
      await read(
        ['取得価格', '非開示'],
        ['帳簿価額（百万円）', '―'],
        ['賃貸面積', '該当事項はありません'],
        ['稼働率', '98.5'],
        ['鑑定評価額（百万円）', '1,500', '1,600'],
      ),
    ).toEqual({
      'p40/acquisitionPrice': { state: 'notDisclosed', reasonCode: 'unstated' },
      'p40/bookValue': { state: 'unresolved', reasonCode: 'dashWithoutLegend' },
      'p40/leasedArea': { state: 'notApplicable' },
      'p40/occupancyRate': { state: 'unresolved', reasonCode: 'noUnit' },
      'p40/appraisalValue': { state: 'unresolved', reasonCode: 'severalCells' },
    });
  });

  it('states both periods if its columns are periods, and not their difference', async () => {
    const body = headed(
      ['項目（単位：千円）', '第39期<br/>（自2025年2月1日 至2025年7月31日）', '第40期', '増減'],
      ['賃貸事業収入合計', '600', '652', '52'],
      ['減価償却費', '－', '105', '－'],
    );
    expect(await figuresOf('A-01', `${body}<p>（注）「－」は該当がないことを示します。</p>`)).toEqual({
      'p39/rentalRevenue': yen('600', 3),
      'p40/rentalRevenue': yen('652', 3),
      'p39/depreciation': { state: 'notApplicable' },
      'p40/depreciation': yen('105', 3),
    });
  });

  it('has headers in two rows, and sums with their parts', async () => {
    const body = headed(
      ['<td rowspan="2" colspan="2">項目</td>', '第39期', '第40期'],
      ['自2025年2月1日 至2025年7月31日', '金額（千円）'],
      ['<td rowspan="2">賃貸事業収益</td>', '賃貸料', '500', '550'],
      ['合計', '600', '652'],
      ['賃貸事業費用', '外注費', '10', '20'],
    );
    const text = `<p>第39期（自2025年2月1日 至2025年7月31日）</p>${body.replace('39期', '39期（千円）')}`;
    expect(await figuresOf('A-01', text)).toEqual({
      'p39/rentalRevenue': yen('600', 3),
      'p40/rentalRevenue': yen('652', 3),
      'p39/rentalExpenses': { state: 'unresolved', reasonCode: 'noTotal' },
      'p40/rentalExpenses': { state: 'unresolved', reasonCode: 'noTotal' },
    });
  });

  it('is also read across: headers above one row, or above a row for each period', async () => {
    expect(await read(['鑑定評価額（百万円）', '還元利回り（％）'], ['1,500', '3.3'])).toEqual({
      'p40/appraisalValue': yen('1,500', 6),
      'p40/directCapRate': rate('3.3'),
    });
    expect(await read(['期', '稼働率（％）'], ['第40期', '98.5'], ['前期', '97.0'])).toEqual({
      'p40/occupancyRate': rate('98.5'),
    });
    const tenants = headed(['テナント名', '賃貸面積（㎡）'], ['見本商事', '100.00']);
    expect(await figuresOf('A-01', tenants)).toEqual({});
    expect(await reasonsIn(headed(['稼働率（％）', '月'], ['98.5', 'x'], ['97.0', 'y']))).toEqual(['unknownLayout']);
  });

  it.each([
    ['<p>（単位：百万円）</p>', '鑑定評価額', '1,500', ''],
    ['', '鑑定評価額（百万円）', '1,500', ''],
    ['', '鑑定評価額', '1,500', '<p>（注）金額の単位は百万円です。</p>'],
    [table(['（単位：百万円）']), '鑑定評価額', '1,500', ''],
  ])('finds its unit: %s %s %s %s', async (above, label, value, below) => {
    const body = `${TWO}<p>■見本館</p>${above}${table([label, value], ['価格時点', '2026年１月31日'])}${below}`;
    expect((await figuresOf('A-01', body))['p40/appraisalValue']).toEqual(yen('1,500', 6));
  });

  it('of an appraisal has estimates of the appraiser, not results of a period', async () => {
    const body = headed(
      ['鑑定評価額', '1,500百万円', ''],
      ['項目', '内容', '概要等'],
      ['収益価格', '1,510百万円', '両価格を関連付けて試算'],
      ['直接還元法による価格', '1,520百万円', '純収益を還元利回りで還元'],
      ['（3）運営純収益（NOI）（（1）－（2））', '60百万円', ''],
      ['NOI', '60百万円', ''],
      ['資本的支出', '5百万円', '修繕費を参考'],
      ['還元利回り', '3.3％', '割引率と同水準'],
      ['DCF法による価格', '1,500百万円', ''],
      ['割引率', '3.0％', '還元利回りに年間のリスクを加味'],
      ['最終還元利回り', '3.5％', ''],
    );
    expect(await figuresOf('A-01', body)).toEqual({
      'p40/appraisalValue': yen('1,500百万円', 6),
      'p40/directCapRate': rate('3.3％'),
      'p40/discountRate': rate('3.0％'),
      'p40/terminalCapRate': rate('3.5％'),
    });
    expect((await historiesOf(only(body)))[0]?.notes).toEqual([
      "results in a table of appraisals are left out: they are the appraiser's estimates, not results of a period",
    ]);
  });
});

describe('a table of appraisals', () => {
  const RATES = {
    'p40/appraisalValue': yen('1,500', 6),
    'p40/directCapRate': rate('3.3'),
    'p40/discountRate': rate('3.0'),
    'p40/terminalCapRate': rate('3.5'),
  };
  const down = (text: string) => `<td rowspan="2"><p>${text}</p></td>`;
  const body = ['A-01', '見本館', '1,500', '1,520', '3.3', '1,490', '3.0', '3.5'];
  const flat = (...rates: string[]) => ['物件番号', '物件名称', '鑑定評価額', ...rates];
  const unit = '<p>（単位：百万円、％）</p>';

  it.each([
    [
      'methods over their columns',
      table(
        [down('物件番号'), down('物件名称'), down('鑑定評価額'), SPAN(2, '直接還元法'), SPAN(3, 'ＤＣＦ法')],
        ['価格', '還元利回り', '価格', '割引率', '最終還元利回り'],
        body,
      ),
    ],
    [
      '利回り below both',
      table(
        [down('物件番号'), down('物件名称'), down('鑑定評価額'), SPAN(2, '直接還元法'), SPAN(3, 'ＤＣＦ法')],
        ['価格', '利回り', '価格', '割引率', '利回り'],
        body,
      ),
    ],
    [
      'three rows of headers',
      table(
        [
          '<td rowspan="3">物件番号</td>',
          '<td rowspan="3">物件名称</td>',
          '<td rowspan="3">鑑定評価額</td>',
          SPAN(5, '収益価格'),
        ],
        [SPAN(2, '直接還元法'), SPAN(3, 'DCF法')],
        ['価格', '利回り', '価格', '割引率', '利回り'],
        body,
      ),
    ],
    ['利回り beside both', table(flat('直接還元法', '利回り', 'ＤＣＦ法', '割引率', '利回り'), body)],
    ['prices named', table(flat('直接還元価格', '還元利回り', 'DCF価格', '割引率', '最終還元利回り'), body)],
    [
      'a row for each',
      table(
        ['<td colspan="2">物件番号</td>', 'A-01', 'A-02'],
        ['<td colspan="2">物件名称</td>', '見本館', '見本館Ⅱ'],
        ['<td colspan="2">鑑定評価額</td>', '1,500', '1'],
        ['<td rowspan="2">直接還元法</td>', '価格', '1,520', '1'],
        ['利回り', '3.3', '1'],
        ['<td rowspan="3">DCF法</td>', '価格', '1,490', '1'],
        ['割引率', '3.0', '1'],
        ['利回り', '3.5', '1'],
      ),
    ],
    [
      'labels below a heading',
      `<p>■見本館</p>${unit}${table(
        ['鑑定評価額', '<td colspan="2">1,500</td>'],
        ['<td rowspan="2">直接還元法</td>', '価格', '1,520'],
        ['利回り', '3.3'],
        ['<td rowspan="3">ＤＣＦ法</td>', '価格', '1,490'],
        ['割引率', '3.0'],
        ['利回り', '3.5'],
      )}`,
    ],
  ])('is read by its methods: %s', async (_, tables) => {
    expect(await figuresOf('A-01', `${TWO}<p>（ロ）鑑定評価書の概要</p>${unit}${tables}`)).toEqual(RATES);
  });

  it('leaves a 利回り of the DCF method unresolved unless a note explains it', async () => {
    const unclear = table(flat('直接還元法', '利回り', 'ＤＣＦ法', '利回り'), body.toSpliced(6, 1));
    const rates = async (note: string) =>
      (await figuresOf('A-01', `${TWO}${unit}${unclear}${note}`))['p40/terminalCapRate'];
    expect(await rates('')).toEqual({ state: 'unresolved', reasonCode: 'unclearYield' });
    expect(await rates('<p>（注）ＤＣＦ法における「利回り」の欄には、最終還元利回りを記載しています。</p>')).toEqual(
      rate('3.5'),
    );
  });

  it('does not take another yield for a cap rate', async () => {
    const tables = table(
      ['物件番号', '物件名称', '直接還元法', 'NOI利回り（％）', '利回り（％）'],
      ['A-01', '見本館', '1', '4.0', '5.0'],
    );
    expect(await figuresOf('A-01', TWO + tables)).toEqual({});
  });
});

describe('the report of tables', () => {
  it('lists each unused table with its place and the reason', async () => {
    const parts = only(`${TWO}<p>（ロ）借入れの状況</p>${table(['借入先', '残高'], ['見本銀行', '1'])}
      <p>（ハ）稼働率</p>${table(['稼働率（％）', '98.5'], ['賃貸面積（㎡）', '10.00'])}
      <p>取得予定資産の概要</p>${table(['物件番号', '物件名称', '取得価格（円）'], ['A-09', '予定館', '1'])}
      <p>（ニ）第38期の推移</p>${table(['物件番号', '物件名称', '稼働率（％）'], ['A-01', '見本館', '1.5'])}`);
    const [history] = await historiesOf(parts);
    expect(history?.tables).toMatchObject({ seen: 5, used: 1, asText: 0 });
    expect(history?.tables.unused).toEqual([
      {
        file: expect.stringMatching(/^0101010_honbun_/),
        number: 2,
        heading: '（ロ）借入れの状況',
        reason: 'noFigures',
      },
      { file: expect.any(String), number: 3, heading: '（ハ）稼働率', reason: 'noProperty' },
      { file: expect.any(String), number: 4, heading: '取得予定資産の概要', reason: 'notHeld' },
      { file: expect.any(String), number: 5, heading: '（ニ）第38期の推移', reason: 'noPeriod' },
    ]);
  });

  it('counts tables that are too deep, not closed, too wide, contain other tables, or were corrected', async () => {
    const deep = (depth: number): string => `<table><tr><td>${depth > 1 ? deep(depth - 1) : 'x'}</td></tr></table>`;
    const wide = table(
      Array.from({ length: 300 }, () => '稼働率'),
      ['1'],
    );
    const tall = table(...Array.from({ length: 250 }, () => ['稼働率', '98.5％', '']));
    const held = table(['x', LABELLED], ['y', 'z'], ['v', 'w']);
    const reasons = async (body: string) => (await unusedIn(only(TWO + body))).map(({ reason }) => reason);
    expect(await reasons(deep(14))).toEqual(['tooDeep', 'tooDeep']);
    expect(await reasons(wide)).toEqual(['tooLarge']);
    expect(await reasons(`<p>■見本館</p>${tall}`)).toEqual(['tooLarge']);
    expect(await reasons(held)).toEqual(['unknownProperty', 'holdsTables']);
    expect(await reasons(`<p>（訂正前）</p>${LABELLED}<p>（訂正後）</p><p>■見本館</p>${LABELLED}`)).toEqual([
      'beforeCorrection',
    ]);
    expect(await reasons('<table><tr><td>稼働率</td><td>1</td></tr>')).toEqual(['notClosed']);
  });

  it('says that only results are read outside the property sections', async () => {
    const { bodies } = only(TWO);
    const body = table(['物件番号', '物件名称', '取得価格（円）'], ['A-01', '見本館', '1']);
    const other = table(['物件番号', '物件名称', 'NOI（円）'], ['Z-01', '他社館', '1']);
    expect((await unusedIn({ bodies: [`${bodies[0]}${body}${other}`] })).map(({ reason }) => reason)).toEqual([
      'outsideSections',
      'notListed',
    ]);
  });
});

describe('any layout', () => {
  const figure = fc.integer({ min: 1, max: 99_999 }).map((n) => n.toLocaleString('en'));
  const percent = fc.integer({ min: 11, max: 99 }).map((n) => `${(n / 10).toFixed(1)}`);
  const cell = (value: fc.Arbitrary<string>) =>
    fc.oneof(
      { weight: 4, arbitrary: value },
      value.map((text) => text.replace(/\d/gu, (digit) => String.fromCharCode(0xff10 + Number(digit)))),
      value.map((text) => `${text}（注1）`),
      fc.constantFrom('非開示', '該当なし', '－', '―'),
    );
  const COLUMNS: [label: string, value: fc.Arbitrary<string>][] = [
    ['取得価格（百万円）', figure],
    ['帳簿価額（百万円）', figure],
    ['鑑定評価額（百万円）', figure],
    ['還元利回り（％）', percent],
    ['割引率（％）', percent],
    ['最終還元利回り（％）', percent],
    ['賃貸可能面積（㎡）', figure],
    ['稼働率（％）', percent],
  ];
  const property = fc.tuple(...COLUMNS.map(([, value]) => cell(value)));
  const NAMES = ['見本館', '見本館Ⅱ', '見本館Ⅲ別館'];
  const labels = COLUMNS.map(([label]) => label);
  const list = listed(['A-1', '見本館'], ['A-2', '見本館Ⅱ'], ['A-10', '見本館Ⅲ別館']);
  const codes = ['A-1', 'A-2', 'A-10'];

  type Layout = (properties: readonly string[][]) => string;
  const each =
    (layout: (values: readonly string[], index: number) => string): Layout =>
    (properties) =>
      properties.map(layout).join('');
  const pairs = (values: readonly string[]) => labels.map((label, at) => [label, values[at] as string]);
  const two = (values: readonly string[]) => {
    const all = pairs(values);
    return all.flatMap((pair, at) => (at % 2 === 0 ? [[...pair, ...(all[at + 1] ?? [])]] : []));
  };
  const LAYOUTS: Record<string, Layout> = {
    'a row for each': (all) =>
      table(
        ['物件番号', '物件名称', ...labels],
        ...all.map((values, at) => [codes[at] as string, NAMES[at] as string, ...values]),
      ),
    'a column for each': (all) =>
      table(
        ['物件番号', ...codes],
        ['物件名称', ...NAMES],
        ...labels.map((label, at) => [label, ...all.map((values) => values[at] as string)]),
      ),
    'labels with the name': each((values, at) =>
      table(['物件番号', codes[at] as string], ['物件名称', NAMES[at] as string], ...pairs(values)),
    ),
    'below a numbered heading': each((values, at) => `<p>（${at + 1}）${NAMES[at]}</p>${table(...pairs(values))}`),
    'below a bracketed heading': each((values, at) => `<p>［${NAMES[at]}］</p>${table(...two(values))}`),
    'below a number and a name': each(
      (values, at) => `<p>■${codes[at]} ${NAMES[at]}</p><p>① 物件の概要</p>${table(...pairs(values))}`,
    ),
    'below a heading element': each(
      (values, at) =>
        `<h5>${NAMES[at]}</h5>${table(['項目', '内容', '備考'], ...pairs(values).map((pair) => [...pair, '説明です。']))}`,
    ),
    'in a caption': each((values, at) =>
      table(...pairs(values)).replace('<table>', `<table><caption>${NAMES[at]}</caption>`),
    ),
    'below a title row': each((values, at) => table([SPAN(4, `${codes[at]} ${NAMES[at]}`)], ...two(values))),
    'in one table with titles': (all) =>
      table(...all.flatMap((values, at) => [[SPAN(2, NAMES[at] as string)], ...pairs(values)])),
    'across below a heading': each((values, at) => `<p>■${NAMES[at]}</p>${table(labels, [...values])}`),
    'in a table around it': each((values, at) =>
      table([SPAN(2, NAMES[at] as string)], [`<td>${table(...pairs(values))}</td>`, '']),
    ),
  };

  it('AGR-07 REIT-12 gives the same figures', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(property, property, property), async (properties) => {
        const results = new Map<string, (Record<string, unknown> | undefined)[]>();
        for (const [name, layout] of Object.entries(LAYOUTS)) {
          const [history] = await historiesOf(only(`${list}<p>（ロ）個別物件の概要</p>${layout(properties)}`));
          results.set(
            name,
            codes.map((code) => {
              const fields = history?.properties.find((one) => one.code === code)?.fields ?? [];
              return Object.fromEntries(
                fields
                  .map(({ metric, value }): [string, HistoryValue] => [metric, value])
                  .sort(([a], [b]) => (a < b ? -1 : 1)),
              );
            }),
          );
        }
        const [first, ...others] = [...results];
        expect(Object.keys(first?.[1][0] ?? {})).toHaveLength(labels.length);
        for (const [name, figures] of others) expect([name, figures]).toEqual([name, first?.[1]]);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
