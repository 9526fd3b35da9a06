import type { Holding, Period } from '../../../reit/publication/bundle.ts';
import { AMOUNT_BASIS, describeShare } from '../../../reit/publication/describe-interest.ts';
import type { AgreementStatus } from '../../../reit/publication/document.ts';
import { type Html, html } from '../html.ts';
import { formatCount } from './counts.ts';

type Interest = Holding['interest'];
type Fraction = NonNullable<Interest['share']>;

const fraction = ({ numerator, denominator }: Fraction): string => `${numerator}/${denominator}`;

const MONTHS = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const sign = (value: number): string => (value < 0 ? '-' : '');
const short = (value: number): string => {
  const size = Math.abs(value);
  return size >= 100 ? formatCount(size) : String(Math.round(size * 100) / 100);
};

const en = {
  title: 'REIT history',
  noneAccepted: 'No accepted REIT publications for this building',
  unavailable: 'REIT history is temporarily unavailable. The rest of this page is not affected.',
  noAudit:
    'Figures cover the interest that the REIT holds, as it discloses them. Agreement means that sources state the same value; it does not imply an independent audit.',
  publication: (id: Html, computed: Html): Html => html`Publication ${id}, computed ${computed}`,
  publicationId: 'Publication',
  computed: 'Computed',
  edinetCode: 'EDINET code',
  downloads: 'Download',
  forms: { json: 'JSON', csv: 'CSV', jsonLd: 'JSON-LD' },
  interest: (coverage: string, interest: Interest): string => describeShare(coverage, interest),
  held: (interest: Html, from: Html, to: Html | undefined): Html =>
    html`${interest}, held from ${from}${to && html` to ${to}`}.`,
  amounts: (basis: Holding['amountBasis']): string => `Amounts are for ${AMOUNT_BASIS[basis]}.`,
  latest: (period: Html, dates: Html): Html => html`Latest figures, ${period} ${dates}`,
  latestLine: (period: string, dates: string) => `Latest figures: ${period} (${dates}).`,
  dates: (start: Html, end: Html): Html => html`${start} to ${end}`,
  noFigures: 'No figures published',
  charts: {
    values: 'Appraisal value, book value and acquisition price',
    income: 'Net operating income and operating days',
    occupancy: 'Occupancy rate',
    share: 'Share held',
  },
  chartLabel: (title: string) => `${title}, by period; figures in the table below`,
  shareLabel: (from: string, to: string) => `Share held from ${from} to ${to}; details in the ownership table`,
  seeOwnership: 'See the ownership table below',
  table: 'Table',
  figures: (title: string) => `Figures: ${title}`,
  period: 'Period',
  metric: 'Metric',
  value: 'Value',
  state: 'State',
  agreement: 'Agreement',
  sources: 'Sources',
  sourceAgreement: 'Source agreement',
  agreementTable: 'Source agreement by metric and period',
  allFigures: 'All figures for all periods',
  allFiguresTable: 'All figures',
  transactions: 'Transactions',
  ownership: 'Ownership',
  noneRecorded: 'None recorded',
  type: 'Type',
  contractDate: 'Contract date',
  deliveryDate: 'Delivery date',
  share: 'Share',
  price: 'Price',
  counterparty: 'Counterparty',
  from: 'From',
  to: 'To',
  trustee: 'Trustee',
  propertyManager: 'Property manager',
  citations: 'Citations',
  attribution: 'Attribution',
  ownCredit: 'Computed by this service from the sources cited',
  notStated: 'not stated',
  ongoing: 'ongoing',
  shareOf: (share: Fraction) => fraction(share),
  days: (amount: string) => `${amount} days`,
  daysShort: (amount: string) => `${amount} d`,
  /** UI-95: `¥9.9 bn` on an axis that ends at `highest`. */
  yenTick: (value: number, highest: number): string => {
    if (value === 0) return '¥0';
    if (highest >= 1e9) return `${sign(value)}¥${short(value / 1e9)} bn`;
    return highest >= 1e6 ? `${sign(value)}¥${short(value / 1e6)} m` : `${sign(value)}¥${short(value)}`;
  },
  /** Below a chart: Japanese filings number their periods, English readers know them by month. */
  periodTick: (period: Pick<Period, 'labelJa' | 'endDate'>): string => MONTHS.format(Date.parse(period.endDate)),
  /** Bundles may use other words. */
  transactionTypes: { acquisition: 'acquisition', disposition: 'disposition', sale: 'sale' } as Readonly<
    Record<string, string>
  >,
  /** Shown in place of an amount, or beside it. */
  states: {
    recorded: 'recorded',
    zero: 'zero',
    derived: 'derived',
    notRecorded: 'not recorded',
    notDisclosed: 'not disclosed',
    notApplicable: 'not applicable',
    outsideHoldingPeriod: 'not held',
    missing: 'missing',
    conflict: 'conflict',
    unresolved: 'unresolved',
  } as Readonly<Record<string, string>>,
  agreements: {
    agreed: 'agreed',
    singleSource: 'single source',
    missing: 'missing',
    conflict: 'conflict',
    unresolved: 'unresolved',
  } satisfies Record<AgreementStatus, string>,
  separator: ', ',
};

const COVERAGES_JA: Readonly<Record<string, string>> = { whole: '建物の全部', part: '建物の一部' };
const TYPES_JA: Record<Interest['type'], string> = {
  realProperty: '不動産',
  trustBeneficiary: '信託受益権',
  equityStake: '出資持分',
  groundOnly: '底地のみ',
};
const TENURES_JA: Record<Interest['tenure'], string> = {
  whole: '単独保有',
  coOwnership: '共有',
  quasiCoOwnership: '準共有',
  sectional: '区分所有',
};

function interestJa(coverage: string, { type, tenure, share }: Interest): string {
  const covered = COVERAGES_JA[coverage];
  const isShared = share !== null && share.numerator !== share.denominator;
  const isWhole = tenure === 'whole' && !isShared && (type === 'realProperty' || type === 'trustBeneficiary');
  return [
    covered === undefined
      ? `この公表データは、建物に対する対象範囲を「${coverage}」としています。`
      : `この公表データの対象は${covered}です。`,
    `投資法人の保有分は${TYPES_JA[type]}（${TENURES_JA[tenure]}${isShared ? `、持分${fraction(share)}` : ''}）で`,
    isWhole ? 'す' : '、建物全体ではありません',
  ].join('');
}

const ja: typeof en = {
  title: '投資法人による開示',
  noneAccepted: 'この建物について承認済みの投資法人開示データはありません',
  unavailable: '投資法人による開示を一時的に表示できません。ページのほかの部分には影響ありません。',
  noAudit:
    '数値は、投資法人が保有分について開示したものです。「一致」は複数の出典が同じ値を示していることを意味し、独立した監査を受けたことを意味しません。',
  publication: (id, computed) => html`公表データ ${id}、算出日 ${computed}`,
  publicationId: '公表データ',
  computed: '算出日時',
  edinetCode: 'EDINETコード',
  downloads: 'ダウンロード',
  forms: { json: 'JSON', csv: 'CSV', jsonLd: 'JSON-LD' },
  interest: interestJa,
  held: (interest, from, to) => html`${interest}。保有開始日は${from}${to && html`、保有終了日は${to}`}です。`,
  amounts: (basis) => `金額は${basis === 'interest' ? '保有分' : '物件全体'}に対するものです。`,
  latest: (period, dates) => html`最新の数値（${period}） ${dates}`,
  latestLine: (period, dates) => `最新の数値：${period}（${dates}）`,
  dates: (start, end) => html`${start}～${end}`,
  noFigures: '公表された数値はありません',
  charts: {
    values: '鑑定評価額・帳簿価額・取得価格',
    income: 'NOIと運用日数',
    occupancy: '稼働率',
    share: '保有持分',
  },
  chartLabel: (title) => `${title}の期別推移。数値は下の表にあります`,
  shareLabel: (from, to) => `${from}から${to}までの保有持分。詳細は保有履歴の表にあります`,
  seeOwnership: '下の保有履歴の表を参照',
  table: '表',
  figures: (title) => `数値：${title}`,
  period: '期',
  metric: '指標',
  value: '値',
  state: '状態',
  agreement: '出典の一致',
  sources: '出典',
  sourceAgreement: '出典の一致状況',
  agreementTable: '指標・期別の出典の一致状況',
  allFigures: 'すべての期の数値',
  allFiguresTable: 'すべての数値',
  transactions: '取引',
  ownership: '保有履歴',
  noneRecorded: '記録なし',
  type: '種別',
  contractDate: '契約日',
  deliveryDate: '引渡日',
  share: '持分',
  price: '価格',
  counterparty: '相手先',
  from: '開始日',
  to: '終了日',
  trustee: '信託受託者',
  propertyManager: 'PM会社',
  citations: '引用箇所',
  attribution: '出典表示',
  ownCredit: '引用した出典からこのサービスが算出',
  notStated: '記載なし',
  ongoing: '継続中',
  shareOf: (share) => fraction(share),
  days: (amount) => `${amount}日`,
  daysShort: (amount) => `${amount}日`,
  yenTick: (value, highest) => {
    if (value === 0) return '0円';
    if (highest >= 1e8) return `${sign(value)}${short(value / 1e8)}億円`;
    return highest >= 1e4 ? `${sign(value)}${short(value / 1e4)}万円` : `${sign(value)}${short(value)}円`;
  },
  periodTick: ({ labelJa }) => labelJa.slice(0, 8),
  transactionTypes: { acquisition: '取得', disposition: '譲渡', sale: '譲渡' },
  states: {
    recorded: '記載あり',
    zero: 'ゼロ',
    derived: '算出値',
    notRecorded: '記載なし',
    notDisclosed: '非開示',
    notApplicable: '該当なし',
    outsideHoldingPeriod: '保有期間外',
    missing: '欠測',
    conflict: '相違あり',
    unresolved: '未確定',
  },
  agreements: {
    agreed: '一致',
    singleSource: '単一の出典',
    missing: '欠測',
    conflict: '相違あり',
    unresolved: '未確定',
  },
  separator: '、',
};

export const reitText = { en, ja };
