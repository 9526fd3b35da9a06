import type { Field } from '../../vocabulary/fields.ts';
import { stripFootnoteMarks } from './figures.ts';

/** How the cells of a column of a property table are read. */
export type ColumnKind =
  | 'text'
  | 'money'
  | 'area'
  | 'rate'
  | 'count'
  | 'day'
  | 'month'
  | 'use'
  | 'structure'
  | 'floors';

export interface ColumnDefinition {
  kind: ColumnKind;
  field?: Field;
  /** The header contains one of these. */
  words: readonly string[];
  /** The header is one of these. */
  exact?: readonly string[];
  /** Headers that match this are excluded. */
  not?: RegExp;
}

const NOT_NOW = '前期|前回|期首|増減|差額|差異|変動|推移';
const NOT_AMOUNT = new RegExp(`${NOT_NOW}|比率|割合|構成比|利回り|割引率|単価|予定|対する|損益|譲渡|売却|担保`, 'u');

/**
 * The headers of property tables, narrow definitions before wide ones: the first match wins. Compared in lower-case NFKC
 * without white space.
 */
export const COLUMNS = {
  planned: { kind: 'text', words: ['取得予定', '譲渡予定', '売却予定', '処分予定'] },
  sold: { kind: 'text', words: ['譲渡価', '譲渡日', '譲渡年月', '譲渡先', '売却価', '売却日', '処分価'] },
  propertyUrl: { kind: 'text', words: ['物件ページ', '物件url', 'propertyurl', 'property_url'] },
  listUrl: { kind: 'text', words: ['ポートフォリオページ', 'listurl', 'list_url'], exact: ['source', '出典', 'url'] },
  reit: {
    kind: 'text',
    words: ['投資法人', 'reit名', 'reit_name', 'reitname'],
    exact: ['reit', '保有者', 'ownerpublic'],
  },
  number: {
    kind: 'text',
    words: ['物件番号', '物件no', '物件コード', '資産番号', '不動産番号', 'property_no', 'propertyno'],
    exact: ['番号', 'no', 'no.', '№', 'number'],
    not: /証券|電話|法人|地番/u,
  },
  holding: {
    kind: 'text',
    words: ['資産の種類', '資産種別', '所有形態', '保有形態', '特定資産', '不動産等の種類', '所有・それ以外'],
  },
  appraisedOn: {
    kind: 'day',
    field: 'appraisalDate',
    words: ['価格時点', '評価時点', 'appraisaldate'],
    not: /\d|前期/u,
  },
  name: {
    kind: 'text',
    field: 'nameJa',
    words: [
      '物件名',
      '物件の名称',
      '不動産等の名称',
      '不動産等名称',
      '不動産の名称',
      '信託不動産の名称',
      '資産の名称',
      '資産名称',
      '施設名',
      '投資資産の名称',
      'property_name',
      'propertyname',
    ],
    exact: ['名称', '資産名', '建物名', '建物名称', 'ビル名', 'ビル名称', '不動産等名', 'name', 'nameja', '物件'],
    not: /テナント|賃借人|旧|鑑定|会社|ローマ字|英語|英文/u,
  },
  residence: { kind: 'text', field: 'addressJa', words: ['住居表示'] },
  address: {
    kind: 'text',
    field: 'addressJa',
    words: ['所在地', '所在場所', '住所', 'addressja'],
    exact: ['所在', 'address'],
    not: /会社|本店|地番/u,
  },
  lot: { kind: 'text', field: 'addressJa', words: ['地番'] },
  appraisal: {
    kind: 'money',
    field: 'appraisalValueJpy',
    words: [
      '鑑定評価額',
      '期末評価額',
      '期末算定価額',
      '期末算定価格',
      '鑑定評価価格',
      '鑑定価格',
      '調査価格',
      '調査価額',
      '評価額',
      'appraisal_value',
      'appraisalvalue',
    ],
    not: new RegExp(
      `${NOT_AMOUNT.source}|直接還元|dcf|積算|収益価格|原価法|機関(?!による)|会社|業者|帳簿|簿価|固定資産|取得時|年月日|時点$`,
      'u',
    ),
  },
  book: {
    kind: 'money',
    field: 'bookValueJpy',
    words: ['帳簿価額', '貸借対照表計上額', '簿価', 'book_value', 'bookvalue'],
    not: new RegExp(`${NOT_AMOUNT.source}|評価額|償却`, 'u'),
  },
  price: {
    kind: 'money',
    field: 'acquisitionPriceJpy',
    words: ['取得価格', '取得価額', '取得金額', 'acquisition_price', 'acquisitionprice'],
    not: new RegExp(`${NOT_AMOUNT.source}|評価額`, 'u'),
  },
  acquired: {
    kind: 'day',
    field: 'acquisitionDate',
    words: ['取得年月', '取得日', '取得時期', '取得の時期', 'acquisition_date', 'acquisitiondate'],
    not: /予定|許可|認証/u,
  },
  completed: {
    kind: 'month',
    words: [
      '建築時期',
      '竣工年月',
      '竣工日',
      '竣工時期',
      '築年月',
      '建築年月',
      '完成年月',
      '新築年月',
      '建築竣工',
      'completionmonth',
    ],
    exact: ['竣工', '竣工年', '建築年', 'yearbuilt'],
    not: /予定|改修|増築/u,
  },
  gfa: {
    kind: 'area',
    field: 'gfaM2',
    words: ['延床面積', '延べ床面積', '延べ面積', '延面積', '建物延床', 'gross_floor_area', 'gfam2'],
    not: new RegExp(`${NOT_NOW}|専有|比率|割合`, 'u'),
  },
  land: {
    kind: 'area',
    field: 'landAreaM2',
    words: ['敷地面積', '土地面積', '土地地積', 'land_area', 'landaream2'],
    exact: ['地積'],
    not: new RegExp(`${NOT_NOW}|比率|割合|借地`, 'u'),
  },
  leasable: {
    kind: 'area',
    field: 'leasableAreaM2',
    words: ['賃貸可能面積', '賃貸可能床面積', 'leasable_area', 'leasablearea'],
    not: new RegExp(`${NOT_NOW}|比率|割合`, 'u'),
  },
  occupancy: {
    kind: 'rate',
    field: 'occupancyRate',
    words: ['稼働率', '入居率', 'occupancy'],
    not: new RegExp(`${NOT_NOW}|平均|賃料|予想|想定`, 'u'),
  },
  structure: { kind: 'structure', words: ['構造'], exact: ['structure'], not: /計算|耐震|評価/u },
  floors: { kind: 'floors', words: ['階数'], not: /賃貸|入居/u },
  units: {
    kind: 'count',
    field: 'unitCount',
    words: ['賃貸可能戸数', '総戸数', '住戸数', 'unitcount'],
    exact: ['戸数'],
    not: new RegExp(`${NOT_NOW}|比率|割合|駐車`, 'u'),
  },
  rooms: {
    kind: 'count',
    field: 'roomCount',
    words: ['客室数', 'roomcount'],
    exact: ['室数', '総室数'],
    not: new RegExp(`${NOT_NOW}|販売|比率|割合`, 'u'),
  },
  use: {
    kind: 'use',
    words: [
      '用途',
      'アセットタイプ',
      'アセットカテゴリ',
      'アセット区分',
      'アセットクラス',
      '施設タイプ',
      'assettype',
      'use_type',
    ],
    not: /用途地域|防火/u,
  },
} as const satisfies Record<string, ColumnDefinition>;

export type PropertyColumn = keyof typeof COLUMNS;
const DEFINITIONS = Object.entries(COLUMNS) as [PropertyColumn, ColumnDefinition][];

/** A table with names and one of these columns is a property table. */
export const PROPERTY_EVIDENCE: ReadonlySet<PropertyColumn> = new Set([
  'residence',
  'address',
  'lot',
  'appraisal',
  'book',
  'price',
  'acquired',
  'completed',
  'gfa',
  'land',
  'leasable',
  'occupancy',
  'structure',
  'units',
  'rooms',
] as const);

/** The column that a header means; text in brackets counts only if the rest has no meaning. */
export function findColumn(header: string): PropertyColumn | undefined {
  const plain = plainHeader(header);
  const bare = withoutBrackets(plain);
  return match(bare) ?? (bare === plain ? undefined : match(plain));
}

function match(text: string): PropertyColumn | undefined {
  if (text === '') return undefined;
  return DEFINITIONS.find(([, { words, exact, not }]) => {
    if (exact?.includes(text) !== true && !words.some((word) => text.includes(word))) return false;
    return not === undefined || !not.test(text);
  })?.[0];
}

/** The column that a label beside its value means. It must match almost entirely, since values surround it. */
export function findLabel(label: string): PropertyColumn | undefined {
  if (label.length > 60) return undefined;
  const text = withoutBrackets(plainHeader(label)).replace(/^[・●■○◆]|[::]$/gu, '');
  if (text === '') return undefined;
  return DEFINITIONS.find(([, { words, exact, not }]) => {
    const matches =
      exact?.includes(text) === true || words.some((word) => text.includes(word) && text.length <= word.length + 4);
    return matches && (not === undefined || !not.test(text));
  })?.[0];
}

export function plainHeader(header: string): string {
  return stripFootnoteMarks(header.slice(0, 500)).normalize('NFKC').toLowerCase().replace(/\s+/gu, '');
}

function withoutBrackets(text: string): string {
  return text.replace(/[(「【[][^()「」【】[\]]*[)」】\]]/gu, '');
}
