import type { SourceFile } from '../../src/files/source-file.ts';
import { readHistory } from '../../src/reit/extract/read-history.ts';
import { type BundleDraft, type HashedHistory, toBundle } from '../../src/reit/extract/to-bundle.ts';
import { FilingLists } from '../../src/sources/edinet/filing-lists.ts';
import { groupPackages } from '../../src/sources/edinet/packages.ts';
import { block, honbun, OTHER, table } from '../sources/edinet/filing.ts';
import { fileOf } from './source-files.ts';

export const DOC = 'S100RT01';
export const AMENDED = 'S100RT02';
const URL = 'https://disclosure2.edinet-fsa.go.jp/WZEK0040.aspx';

export interface FilingParts {
  docID?: string;
  /** 01 for the original, 02 for the first amendment. */
  times?: string;
  filedOn?: string;
  facts?: Record<string, string>;
  bodies: string[];
}

const FACTS = {
  'jpdei_cor:EDINETCodeDEI': 'E99999',
  'jpdei_cor:FundCodeDEI': 'G99999',
  'jpdei_cor:FilerNameInJapaneseDEI': '見本リート投資法人',
  'jpdei_cor:AmendmentFlagDEI': 'false',
  'jpsps_cor:DocumentTitleCoverPage': '【有価証券報告書】',
  'jpsps_cor:FiscalYearCoverPage': '第40期（自　2025年８月１日　至　2026年１月31日）',
};

/** The files of one package, by their paths below it. */
export function packageFiles(parts: FilingParts): Record<string, string> {
  const { times = '01', filedOn = '2026-04-28', facts = {}, bodies } = parts;
  const name = `jpsps070300-asr-001_G99999-000_2026-01-31_${times}_${filedOn}_ixbrl.htm`;
  const cover = Object.entries({ ...FACTS, ...facts })
    .map(
      ([fact, text]) => `<p><ix:nonNumeric contextRef="FilingDateInstant" name="${fact}">${text}</ix:nonNumeric></p>`,
    )
    .join('\n');
  const files: Record<string, string> = { [`XBRL/PublicDoc/0000000_header_${name}`]: honbun(cover) };
  bodies.forEach((body, index) => {
    files[`XBRL/PublicDoc/010${index + 1}010_honbun_${name}`] = honbun(body);
  });
  return files;
}

export function filesOf(parts: FilingParts): SourceFile[] {
  const docID = parts.docID ?? DOC;
  return Object.entries(packageFiles(parts)).map(([name, text]) => fileOf(`${docID}.zip/${name}`, text, 997));
}

/** Reads packages as the command does, oldest first. */
export async function historiesOf(...filings: FilingParts[]): Promise<HashedHistory[]> {
  const read: HashedHistory[] = [];
  for (const filing of groupPackages(filings.flatMap(filesOf)).reverse()) {
    const known = read.flatMap(({ periods }) => periods);
    const history = await readHistory(filing, filing.docID ?? DOC, new FilingLists(), known);
    read.push({ ...history, contentHash: `sha256:${history.docID}` });
  }
  return read;
}

export async function bundleOf(code: string, ...filings: FilingParts[]): Promise<BundleDraft> {
  return toBundle(await historiesOf(...filings), code, '2026-05-01T00:00:00Z');
}

/** One table in the block of the properties held. */
export const only = (body: string): FilingParts => ({ bodies: [block(body, OTHER)] });

export const MATCH = {
  holdingId: 'A-01',
  buildingId: 'ASSET-JP-13-00000001',
  coverage: 'whole',
  evidence: [{ kind: 'address', result: 'equal' }],
  reviewId: 'm1',
  reviewedAt: '2026-05-02T00:00:00Z',
};

/** The statements of a bundle by metric and period. */
export function stated(bundle: BundleDraft): Record<string, unknown> {
  const heads = bundle.sourceRevisions.at(-1)?.fields ?? [];
  return Object.fromEntries(heads.map(({ path, value }) => [path.split('/').slice(2).join('/'), value]));
}

export const viewer = (docID: string): string => `${URL}?${docID}`;

/** Portfolio table: a row per property, and two header rows with units. */
const PORTFOLIO = `<p>（イ）不動産等の概要</p><p>2026年１月31日現在</p>${table(
  [
    '物件番号',
    '物件名称',
    '資産の種類',
    '所有形態',
    '取得年月日',
    '取得価格<br/>（百万円）（注１）',
    '帳簿価額（百万円）',
  ],
  ['Ａ－０１', '見本館', '信託受益権', '準共有<br/>（持分割合75％）', '2019年３月28日', '12,340', '12,001'],
  ['Ａ－０２', '見本第二ビル（注２）', '不動産', '所有権', '平成30年12月３日', '3,210<sup>3</sup>', '3,105'],
  ['Ｂ－０１', '見本モール', '不動産', '区分所有権', '2021年４月１日', '非開示（注４）', '－'],
  ['合計', '', '', '', '', '15,550', '15,106'],
)}
<p>（注１）「取得価格」は、単位未満を切り捨てて記載しています。</p>
<p>（注２）2020年に名称を変更しています。</p>
<p>（注３）消費税を含みません。</p>
<p>（注４）売主の承諾が得られていないため開示していません。</p>
<p>（注５）「－」は該当がないことを示しています。</p>`;

/** Appraisal table, with the unit in a separate table above it. */
const APPRAISALS = `<p>（ロ）鑑定評価書の概要</p>
<p>価格時点：2026年１月31日</p>${table(['（単位：百万円）'])}${table(
  [
    '<td rowspan="2"><p>物件番号</p></td>',
    '<td rowspan="2"><p>物件名称</p></td>',
    '<td rowspan="2"><p>鑑定評価額</p></td>',
    '<td colspan="1"><p>直接還元法</p></td>',
    '<td colspan="2"><p>ＤＣＦ法</p></td>',
  ],
  ['還元利回り（％）', '割引率（％）', '最終還元利回り（％）'],
  ['A-01', '見本館', '14,500', '3.3', '3.0', '3.5'],
  ['A-02', '見本第二ビル', '3,980', '3.7', '3.4', '3.9'],
)}`;

/** Results: a column per property, with the period above; amounts are truncated and do not add up. */
const results = (
  period: string,
  days: [string, string, string],
  figures: string[][],
) => `<p>（ハ）個別物件の収益状況</p>
<p>${period}</p><p>（単位：千円）</p>${table(
  ['物件番号', 'A-01', 'A-02', 'B-01', '合計'],
  ['物件名称', '見本館', '見本第二ビル', '見本モール', ''],
  ['運用日数（日）', ...days, ''],
  ...figures,
)}
<p>（注）金額は単位未満を切り捨て、比率は小数第２位を四捨五入しています。</p>`;

const FIGURES = [
  ['①賃貸事業収入合計', '652', '１，２００', '開示していません（注６）', '1,852'],
  ['　賃貸事業収入', '600', '1,100', '', '1,700'],
  ['　その他賃貸事業収入', '52', '100', '', '152'],
  ['②賃貸事業費用合計', '700', '500', '同上', '1,200'],
  ['　減価償却費', '105', '90', '10', '205'],
  ['③賃貸事業損益（①－②）', '△48', '700', '', '652'],
  ['④NOI（③＋減価償却費）', '58', '790', '', '847'],
  ['⑤資本的支出', '0', '△12', '(3,334)', ''],
];

const LEASES = `<p>（ニ）賃貸借の状況</p>${table(
  ['物件番号', '物件名称', '賃貸可能面積（㎡）', '賃貸面積（m<sup>2</sup>）', '稼働率（％）', 'テナント数'],
  ['A-01', '見本館', '10,234.56', '10,080.11', '98.5', '12'],
  ['A-02', '見本第二ビル', '4,000.00坪', '4,000.00', '0.985', '1'],
)}<p>（注）面積は小数第３位を切り捨て、稼働率は小数第２位を四捨五入しています。</p>`;

export const REPORT: FilingParts = {
  bodies: [
    `<h3>投資不動産物件</h3>${block(PORTFOLIO)}`,
    `<h3>その他投資資産の主要なもの</h3>${block(
      APPRAISALS +
        results('第40期（自　2025年８月１日　至　2026年１月31日）', ['184', '152', '184'], FIGURES) +
        results(
          '第39期（自　2025年２月１日　至　2025年７月31日）',
          ['181', '181', '181'],
          [['NOI', '60', '800', '5', '865']],
        ) +
        LEASES,
      OTHER,
    )}`,
  ],
};

/** An amendment that restates one table and shows its former version. */
export const AMENDMENT: FilingParts = {
  docID: AMENDED,
  times: '02',
  filedOn: '2026-05-20',
  facts: {
    'jpdei_cor:AmendmentFlagDEI': 'true',
    'jpdei_cor:IdentificationOfDocumentSubjectToAmendmentDEI': DOC,
    'jpsps_cor:DocumentTitleCoverPage': '【訂正有価証券報告書】',
    'jpsps_cor:FiscalYearCoverPage': '第40期',
  },
  bodies: [
    `<h3>その他投資資産の主要なもの</h3>${block(
      `<p>（訂正前）</p>${table(['物件番号', '物件名称', 'NOI（千円）'], ['A-01', '見本館', '58'])}
<p>（訂正後）</p>${table(['物件番号', '物件名称', 'NOI（千円）'], ['A-01', '見本館', '57'])}`,
      OTHER,
    )}`,
  ],
};
