import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBundle } from '../../../src/reit/publication/read-bundle.ts';
import { groupPackages } from '../../../src/sources/edinet/packages.ts';
import { table } from '../../sources/edinet/filing.ts';
import {
  AMENDED,
  AMENDMENT,
  bundleOf,
  DOC,
  filesOf,
  historiesOf,
  MATCH,
  only,
  REPORT,
  stated,
  viewer,
} from '../../support/reit-filing.ts';

const yen = (printed: string, scale: number, rounding = 'unknown') => ({
  printed,
  unit: 'JPY',
  scale,
  decimals: -scale,
  rounding,
});

/** The values of A-01 in one table with text around it. */
async function statedBy(body: string): Promise<Record<string, unknown>> {
  return stated(await bundleOf('A-01', only(body)));
}

describe('a report', () => {
  it('names issuer, periods, holding and interest', async () => {
    const { issuer, periods, holdings } = await bundleOf('A-01', REPORT);
    expect(issuer).toEqual({ id: 'G99999', nameJa: '見本リート投資法人', edinetCode: 'E99999' });
    expect(periods).toEqual([
      { id: 'p39', ordinal: 39, labelJa: '第39期', startDate: '2025-02-01', endDate: '2025-07-31', days: 181 },
      { id: 'p40', ordinal: 40, labelJa: '第40期', startDate: '2025-08-01', endDate: '2026-01-31', days: 184 },
    ]);
    expect(holdings).toEqual([
      {
        id: 'A-01',
        propertyCode: 'A-01',
        nameJa: '見本館',
        interest: { type: 'trustBeneficiary', tenure: 'quasiCoOwnership', share: { numerator: 3, denominator: 4 } },
        amountBasis: 'interest',
        heldFrom: '2019-03-28',
        heldTo: null,
      },
    ]);
    expect((await bundleOf('A-02', REPORT)).holdings[0]?.interest).toEqual({
      type: 'realProperty',
      tenure: 'whole',
      share: null,
    });
    expect((await bundleOf('B-01', REPORT)).holdings[0]?.interest).toMatchObject({ tenure: 'sectional' });
  });

  it('REIT-12 states figures as printed, with the scale, decimals and rounding of headers, captions and notes', async () => {
    expect(stated(await bundleOf('A-01', REPORT))).toEqual({
      'p40/acquisitionDate': { state: 'recorded', date: '2019-03-28', precision: 'day' },
      'p40/acquisitionPrice': yen('12,340', 6, 'truncate'),
      'p40/bookValue': yen('12,001', 6),
      'p40/appraisalValue': yen('14,500', 6),
      'p40/appraisalDate': { state: 'recorded', date: '2026-01-31', precision: 'day' },
      'p40/directCapRate': { printed: '3.3', unit: 'ratio', scale: -2, decimals: 3, rounding: 'unknown' },
      'p40/discountRate': { printed: '3.0', unit: 'ratio', scale: -2, decimals: 3, rounding: 'unknown' },
      'p40/terminalCapRate': { printed: '3.5', unit: 'ratio', scale: -2, decimals: 3, rounding: 'unknown' },
      'p40/operatingDays': { printed: '184', unit: 'day', scale: 0, decimals: 0, rounding: 'exact' },
      'p40/rentalRevenue': yen('652', 3, 'truncate'),
      'p40/rentalExpenses': yen('700', 3, 'truncate'),
      'p40/depreciation': yen('105', 3, 'truncate'),
      'p40/noi': yen('58', 3, 'truncate'),
      'p40/capex': yen('0', 3, 'truncate'),
      'p39/operatingDays': { printed: '181', unit: 'day', scale: 0, decimals: 0, rounding: 'exact' },
      'p39/noi': yen('60', 3, 'truncate'),
      'p40/leasableArea': { printed: '10,234.56', unit: 'm2', scale: 0, decimals: 2, rounding: 'truncate' },
      'p40/leasedArea': { printed: '10,080.11', unit: 'm2', scale: 0, decimals: 2, rounding: 'truncate' },
      'p40/occupancyRate': { printed: '98.5', unit: 'ratio', scale: -2, decimals: 3, rounding: 'halfUp' },
      'p40/tenantCount': { printed: '12', unit: 'count', scale: 0, decimals: 0, rounding: 'exact' },
    });
  });

  it('AGR-07 gives the reason for a missing figure, and never guesses', async () => {
    expect(stated(await bundleOf('B-01', REPORT))).toMatchObject({
      'p40/acquisitionPrice': { state: 'notDisclosed', reasonCode: 'counterpartyConsent' },
      'p40/bookValue': { state: 'notApplicable' },
      'p40/rentalRevenue': { state: 'notDisclosed', reasonCode: 'unstated' },
      'p40/capex': { printed: '(3,334)' },
    });
    expect(stated(await bundleOf('A-02', REPORT))).toMatchObject({
      'p40/leasableArea': { state: 'unresolved', reasonCode: 'otherUnit' },
      'p40/occupancyRate': { state: 'unresolved', reasonCode: 'looksLikeFraction' },
      'p40/acquisitionPrice': { printed: '3,210(注3)' },
    });
  });

  it('REIT-03 cites the public document and a place in it, and no file', async () => {
    const bundle = await bundleOf('A-01', REPORT);
    const [revision] = bundle.sourceRevisions;
    expect(revision).toMatchObject({ id: DOC, sourceUrl: viewer(DOC), publishedAt: '2026-04-27T15:00:00Z' });
    expect(revision?.fields.find(({ path }) => path === '/A-01/p39/noi')?.citations).toEqual([
      {
        sourceUrl: viewer(DOC),
        locator:
          'その他投資資産の主要なもの > （ハ）個別物件の収益状況 > 第39期（自 2025年２月１日 至 2025年７月31日） > 表5 > 行「NOI」 > 列「A-01 見本館」',
      },
    ]);
    expect(JSON.stringify(bundle)).not.toMatch(/\.zip|\.htm|PublicDoc/);
    for (const { citations } of revision?.fields ?? [])
      expect(citations[0]?.locator).toMatch(/表\d+ > 行「.+」 > 列「.+」$/u);
  });

  it('is read the same whatever the order of its files', async () => {
    const files = filesOf(REPORT);
    expect(groupPackages([...files].reverse()).map(({ files: own }) => own.map(({ name }) => name))).toEqual(
      groupPackages(files).map(({ files: own }) => own.map(({ name }) => name)),
    );
  });
});

describe('a correction', () => {
  it('is a new revision of the lineage and keeps what it does not repeat', async () => {
    const bundle = await bundleOf('A-01', AMENDMENT, REPORT);
    expect(bundle.sourceRevisions.map(({ id, lineageId, supersedes }) => [id, lineageId, supersedes])).toEqual([
      [DOC, 'G99999/2026-01-31', null],
      [AMENDED, 'G99999/2026-01-31', DOC],
    ]);
    const [first, second] = bundle.sourceRevisions.map(({ fields }) => new Map(fields.map((f) => [f.path, f])));
    expect(first?.get('/A-01/p40/noi')?.value).toMatchObject({ printed: '58' });
    expect(second?.get('/A-01/p40/noi')?.value).toMatchObject({ printed: '57' });
    expect(second?.get('/A-01/p40/noi')?.citations[0]?.sourceUrl).toBe(viewer(AMENDED));
    expect(second?.get('/A-01/p40/bookValue')?.citations[0]?.sourceUrl).toBe(viewer(DOC));
    expect(bundle.sourceRevisions[1]?.title).toBe('訂正有価証券報告書');
  });

  it('of a correction supersedes it, although both name the first report', async () => {
    const again = { ...AMENDMENT, docID: 'S100RT03', times: '03', filedOn: '2026-06-01' };
    const { sourceRevisions } = await bundleOf('A-01', REPORT, AMENDMENT, again);
    expect(sourceRevisions.map(({ supersedes }) => supersedes)).toEqual([null, DOC, AMENDED]);
  });

  it('without the corrected filing is used alone and names that filing', async () => {
    const [history] = await historiesOf(AMENDMENT);
    expect(history?.amends).toBe(DOC);
    expect((await bundleOf('A-01', AMENDMENT)).sourceRevisions[0]?.supersedes).toBeNull();
  });
});

describe('a table', () => {
  const row = (header: string, cell: string) => table(['物件番号', '物件名称', header], ['A-01', '見本館', cell]);
  const price = async (body: string) => (await statedBy(body))['p40/acquisitionPrice'];

  it.each([
    ['取得価格（百万円）', '12,340', '', yen('12,340', 6)],
    ['取得価格', '12,340', '（単位：千円）', yen('12,340', 3)],
    ['取得価格', '123.4億円', '（単位：千円）', { ...yen('123.4億円', 8), decimals: -7 }],
    ['取得価格', '12,340', '', { state: 'unresolved', reasonCode: 'noUnit' }],
    ['取得価格（百万円）', '－', '', { state: 'unresolved', reasonCode: 'dashWithoutLegend' }],
    ['取得価格', '非開示', '', { state: 'notDisclosed', reasonCode: 'unstated' }],
    ['取得価格', '該当なし', '', { state: 'notApplicable' }],
    ['取得価格', 'A-02に含む', '', { state: 'notDisclosed', reasonCode: 'bundled' }],
  ])('AGR-07 reads %s %s %s', async (header, cell, above, expected) => {
    expect(await price(`<p>概要</p><p>${above}</p>${row(header, cell)}`)).toEqual(expected);
  });

  it.each([
    ['「－」は該当がないことを示しています。', { state: 'notApplicable' }],
    ['「－」は、開示していないことを示します。', { state: 'notDisclosed', reasonCode: 'unstated' }],
    [
      '「－」はゼロを表します。',
      { state: 'zero', amount: '0', unit: 'JPY', scale: 6, decimals: -6, rounding: 'unknown' },
    ],
    ['「－」は期末に保有していないことを示します。', { state: 'outsideHoldingPeriod' }],
    ['「－」は横線です。', { state: 'unresolved', reasonCode: 'dashWithoutLegend' }],
  ])('reads a dash by its legend: %s', async (note, expected) => {
    expect(await price(`${row('取得価格（百万円）', '－')}<p>（注）${note}</p>`)).toEqual(expected);
  });

  it.each([
    ['賃借人の承諾が得られていないため、開示していません。', 'tenantConsent'],
    ['売主の同意を得られていないため非開示としています。', 'counterpartyConsent'],
    ['他の物件と一括して記載しています。', 'bundled'],
    ['やむを得ない事情により開示していません。', 'unstated'],
  ])('reads why a figure is not disclosed: %s', async (note, reasonCode) => {
    const body = `${row('取得価格（百万円）', '非開示（注２）')}<p>（注１）概算です。</p><p>（注２）${note}</p>`;
    expect(await price(body)).toEqual({ state: 'notDisclosed', reasonCode });
  });

  it.each([
    ['百万円未満を切り捨てて記載しています。', 'truncate'],
    ['金額は単位未満を四捨五入しています。', 'halfUp'],
    ['比率は小数第２位を四捨五入しています。', 'unknown'],
    ['「帳簿価額」は単位未満を切り捨てています。', 'unknown'],
    ['金額は切り捨て、ただし取得価格は四捨五入しています。', 'unknown'],
  ])('takes the rounding from its notes: %s', async (note, rounding) => {
    expect(await price(`${row('取得価格（百万円）', '12,340')}<p>（注）${note}</p>`)).toMatchObject({ rounding });
  });

  it('follows the general notes of the document if its own notes are silent', async () => {
    const general = '<p>本書において、特に記載のない限り、金額は単位未満を切り捨てています。</p><p>（1）概要</p>';
    expect(await price(`${general}${row('取得価格（百万円）', '1')}`)).toMatchObject({ rounding: 'truncate' });
  });

  it.each(['98.5①', '98.5<sup>2</sup>', '98.5（注１）', '98.5※1'])(
    'AGR-07 does not read a footnote mark as a digit: %s',
    async (cell) => {
      const occupancy = (await statedBy(row('稼働率（％）', cell)))['p40/occupancyRate'];
      expect(occupancy).toMatchObject({
        decimals: 3,
        printed: expect.stringMatching(/^98\.5(?:①|\(注2\)|（注１）|※1)$/u),
      });
    },
  );

  it('does not split a figure that spans several properties', async () => {
    const body = table(
      ['物件番号', '物件名称', '取得価格（百万円）', '帳簿価額（百万円）'],
      ['A-01', '見本館', '<td rowspan="2">5,000</td>', '10'],
      ['A-02', '見本別館', '20'],
    );
    expect(await statedBy(body)).toEqual({
      'p40/acquisitionPrice': { state: 'notDisclosed', reasonCode: 'bundled' },
      'p40/bookValue': yen('10', 6),
    });
  });

  it('applies a word that spans several properties to each of them', async () => {
    const body = `${table(
      ['物件番号', 'A-01', 'A-02'],
      ['物件名称', '見本館', '別館'],
      ['NOI（千円）', '<td colspan="2" rowspan="2">非開示（注1）</td>'],
      ['減価償却費（千円）'],
      ['資本的支出（千円）', '<td colspan="2">7</td>'],
    )}<p>（注1）賃借人の同意が得られないため開示していません。</p>`;
    const tenant = { state: 'notDisclosed', reasonCode: 'tenantConsent' };
    expect(await statedBy(body)).toEqual({
      'p40/noi': tenant,
      'p40/depreciation': tenant,
      'p40/capex': { state: 'notDisclosed', reasonCode: 'bundled' },
    });
  });

  it('with more figures than any real report makes the filing invalid', async () => {
    const wide = ['物件番号', '物件名称', ...Array.from({ length: 60 }, () => '取得価格（円）')];
    const rows = Array.from({ length: 1_000 }, () => ['A-01', '見本館', ...Array.from({ length: 60 }, () => '1')]);
    await expect(historiesOf(only(table(wide, ...rows)))).rejects.toThrow('more figures than any report');
  });

  it('with columns for two periods states both', async () => {
    const body = `<p>第39期（自2025年2月1日 至2025年7月31日）との比較</p>${table(
      ['物件番号', '物件名称', '第39期末帳簿価額（百万円）', '第40期末帳簿価額（百万円）', '第38期 NOI（百万円）'],
      ['A-01', '見本館', '10', '20', '30'],
    )}`;
    expect(await statedBy(body)).toEqual({ 'p39/bookValue': yen('10', 6), 'p40/bookValue': yen('20', 6) });
    const [history] = await historiesOf(only(body));
    expect(history?.notes).toEqual(['表1: figures of 第38期 are left out: the filing does not state its dates']);
  });

  it('that continues another has its period, unless it has its own title', async () => {
    const results = (noi: string, more: string[] = []) =>
      table(
        ['物件番号', 'A-01'],
        ['物件名称', '見本館'],
        ['NOI（千円）', noi],
        more.length > 0 ? more : ['運用日数', '1'],
      );
    const body = `<p>第39期（自2025年2月1日 至2025年7月31日）</p>${table(
      ['物件番号', 'A-02'],
      ['物件名称', '別館'],
      ['NOI（千円）', '7'],
      ['運用日数', '1'],
    )}${results('8')}<p>直近の状況</p>${results('9')}`;
    expect(await statedBy(body)).toMatchObject({ 'p39/noi': yen('8', 3), 'p40/noi': yen('9', 3) });
  });

  it('of expenses without depreciation has another basis and is omitted with a note', async () => {
    const body = table(
      ['物件番号', 'A-01', 'A-02'],
      ['物件名称', '見本館', '別館'],
      ['①賃貸事業収入（千円）', '652', '1'],
      ['②賃貸事業費用（千円）', '100', '1'],
      ['③NOI（①－②）（千円）', '552', '1'],
      ['④減価償却費（千円）', '105', '1'],
    );
    expect(Object.keys(await statedBy(body)).sort()).toEqual(['p40/depreciation', 'p40/noi', 'p40/rentalRevenue']);
    expect((await historiesOf(only(body)))[0]?.notes[0]).toMatch(/rentalExpenses is left out/);
  });

  it('of parts without their total leaves the total unresolved', async () => {
    const body = table(
      ['物件番号', 'A-01', 'A-02'],
      ['物件名称', '見本館', '別館'],
      ['賃貸事業収入（千円）', '600', '1'],
      ['その他賃貸事業収入（千円）', '52', '1'],
    );
    expect(await statedBy(body)).toEqual({ 'p40/rentalRevenue': { state: 'unresolved', reasonCode: 'noTotal' } });
  });

  it('of one property has labels beside its values', async () => {
    const body = table(
      ['物件番号', 'A-01', '物件名称', '見本館'],
      ['資産の種類', '不動産信託受益権', '取得年月日', '2019年3月28日、2021年4月1日'],
      ['取得価格', '1,234百万円', '鑑定評価額（百万円）', '1,500'],
    );
    const bundle = await bundleOf('A-01', only(body));
    expect(stated(bundle)).toEqual({
      'p40/acquisitionDate': { state: 'unresolved', reasonCode: 'severalDates' },
      'p40/acquisitionPrice': yen('1,234百万円', 6),
      'p40/appraisalValue': yen('1,500', 6),
    });
    expect(bundle.holdings[0]).toMatchObject({ heldFrom: '2019-03-28', interest: { type: 'trustBeneficiary' } });
  });

  it.each([
    ['信託受益権', '準共有持分50％', 'trustBeneficiary', 'quasiCoOwnership', { numerator: 1, denominator: 2 }],
    ['不動産', '共有（持分：３分の１）', 'realProperty', 'coOwnership', { numerator: 1, denominator: 3 }],
    ['不動産', '共有持分 2/4', 'realProperty', 'coOwnership', { numerator: 1, denominator: 2 }],
    ['信託受益権', '区分所有権', 'trustBeneficiary', 'sectional', null],
    ['匿名組合出資持分', '－', 'equityStake', null, null],
    ['不動産（底地）', '所有権', 'groundOnly', 'whole', null],
    ['', '', null, null, null],
  ])('reads the interest: %s, %s', async (kind, form, type, tenure, share) => {
    const body = table(
      ['物件番号', '物件名称', '資産の種類', '所有形態', '取得価格（円）'],
      ['A-01', '館', kind, form, '1'],
    );
    expect((await bundleOf('A-01', only(body))).holdings[0]?.interest).toEqual({ type, tenure, share });
  });

  it('has notes about the tenure, not the type', async () => {
    const body = `${table(['物件番号', '物件名称', '取得価格（円）'], ['A-01', '館（注1）', '1'])}
      <p>（注1）本物件は区分所有建物であり、持分割合は45.5％です。</p>`;
    expect((await bundleOf('A-01', only(body))).holdings[0]?.interest).toEqual({
      type: null,
      tenure: 'sectional',
      share: { numerator: 91, denominator: 200 },
    });
  });

  it('REIT-03 is not located by hidden text, such as the title of its file', async () => {
    const { sourceRevisions } = await bundleOf('A-01', only(row('取得価格（円）', '1')));
    expect(sourceRevisions[0]?.fields[0]?.citations[0]?.locator).toBe('表1 > 行「A-01 見本館」 > 列「取得価格（円）」');
  });

  it('of planned or sold properties is skipped', async () => {
    const [history] = await historiesOf(
      only(`<p>取得予定資産の概要</p>${row('取得価格（円）', '1')}<p>譲渡</p>${row('譲渡価格（円）', '1')}`),
    );
    expect(history?.properties).toEqual([]);
  });
});

describe('any filing', () => {
  const words = fc.constantFrom(
    ...[
      '物件番号',
      '物件名称',
      'A-01',
      '見本館',
      '合計',
      '取得価格（百万円）',
      'NOI',
      '第40期',
      '前期',
      '稼働率（％）',
      '－',
    ],
    ...[
      '1,234',
      '△1',
      '非開示（注1）',
      '98.5',
      '',
      '（注1）「－」は該当なし',
      '資産の種類',
      '準共有持分50%',
      '2019年3月28日',
      '99/0%',
      '■見本館',
      'A-01 見本館',
      '利回り',
      'ＤＣＦ法',
      '項目',
    ],
  );
  const rows = fc.array(fc.array(fc.oneof(words, fc.string({ maxLength: 8 })), { minLength: 1, maxLength: 6 }), {
    maxLength: 7,
  });
  const plain = (text: string) => text.replace(/[<>&]/gu, ' ');

  it('is read without an unexpected error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(words, rows), { maxLength: 4 }), fc.string(), async (tables, tail) => {
        const body = tables
          .map(([line, cells]) => `<p>${line}</p>${table(...cells.map((r) => r.map(plain)))}`)
          .join('');
        const histories = await historiesOf(only(`${body}<p>${plain(tail)}</p>`));
        for (const { code } of histories[0]?.properties ?? []) {
          const bundle = await bundleOf(code, only(`${body}<p>${plain(tail)}</p>`));
          const { holdings, sourceRevisions } = bundle;
          const [holding] = holdings;
          const interest = { ...holding?.interest, type: 'realProperty', tenure: 'whole' };
          const completed = {
            ...bundle,
            holdings: [{ ...holding, interest, heldFrom: '2020-01-01' }],
            matches: [{ ...MATCH, holdingId: code }],
          };
          expect(parseBundle(JSON.stringify(completed))).toMatchObject({ ok: true });
          for (const { path, citations } of sourceRevisions[0]?.fields ?? []) {
            expect(path.split('/')).toHaveLength(4);
            expect(citations).toHaveLength(1);
          }
        }
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });
});
