import type { Category } from '../../../vocabulary/categories.ts';
import type { Field, ScalarField } from '../../../vocabulary/fields.ts';
import type { Metric } from '../../../vocabulary/reit-metrics.ts';
import type { ExtractionMethod, Source } from '../../../vocabulary/sources.ts';
import type { Language } from './language.ts';

/** The same term in both languages. */
export type Label = Readonly<Record<Language, string>>;

export const FIELD_LABELS: Readonly<Record<Field, Label>> = {
  nameJa: { en: 'Japanese name', ja: '名称' },
  nameEn: { en: 'English name', ja: '英語名称' },
  aliases: { en: 'Other names', ja: '別名' },
  addressJa: { en: 'Address', ja: '所在地' },
  postcode: { en: 'Postcode', ja: '郵便番号' },
  assetTypes: { en: 'Uses', ja: '用途' },
  footprintM2: { en: 'Footprint', ja: '建築面積' },
  gfaM2: { en: 'Gross floor area', ja: '延床面積' },
  completionMonth: { en: 'Completion', ja: '竣工' },
  structure: { en: 'Structure', ja: '構造' },
  landAreaM2: { en: 'Land area', ja: '敷地面積' },
  leasableAreaM2: { en: 'Leasable area', ja: '賃貸可能面積' },
  acquisitionPriceJpy: { en: 'Acquisition price', ja: '取得価格' },
  acquisitionDate: { en: 'Acquisition date', ja: '取得日' },
  appraisalValueJpy: { en: 'Appraisal value', ja: '鑑定評価額' },
  appraisalDate: { en: 'Appraisal date', ja: '価格時点' },
  bookValueJpy: { en: 'Book value', ja: '帳簿価額' },
  occupancyRate: { en: 'Occupancy rate', ja: '稼働率' },
  unitCount: { en: 'Units', ja: '戸数' },
  roomCount: { en: 'Rooms', ja: '客室数' },
  floorsAbove: { en: 'Floors above ground', ja: '地上階数' },
  floorsBelow: { en: 'Floors below ground', ja: '地下階数' },
  heightM: { en: 'Height', ja: '高さ' },
  yearBuilt: { en: 'Year built', ja: '建築年' },
  ownerPublic: { en: 'Owner', ja: '所有者' },
  architect: { en: 'Architect', ja: '設計者' },
  developer: { en: 'Developer', ja: '建築主' },
  tenure: { en: 'Tenure', ja: '分譲・賃貸' },
  managementPlanCertifiedOn: { en: 'Management plan certified on', ja: '管理計画認定日' },
};

/** The groups of a building page, and the order of fields in them. */
export const FIELD_GROUPS: readonly { id: string; title: Label; fields: readonly ScalarField[] }[] = [
  {
    id: 'name-and-place',
    title: { en: 'Name and address', ja: '名称と所在' },
    fields: ['nameJa', 'nameEn', 'addressJa', 'postcode'],
  },
  {
    id: 'size',
    title: { en: 'Size', ja: '規模' },
    fields: [
      'heightM',
      'floorsAbove',
      'floorsBelow',
      'footprintM2',
      'gfaM2',
      'landAreaM2',
      'leasableAreaM2',
      'unitCount',
      'roomCount',
    ],
  },
  {
    id: 'construction',
    title: { en: 'Construction', ja: '建築' },
    fields: ['yearBuilt', 'completionMonth', 'structure', 'architect', 'developer', 'tenure'],
  },
  {
    id: 'ownership-and-finance',
    title: { en: 'Ownership and finance', ja: '所有と財務' },
    fields: [
      'ownerPublic',
      'acquisitionPriceJpy',
      'acquisitionDate',
      'appraisalValueJpy',
      'appraisalDate',
      'bookValueJpy',
      'occupancyRate',
      'managementPlanCertifiedOn',
    ],
  },
];

/** What a version may change besides fields. */
export const OTHER_CHANGES: Readonly<Record<'geometry' | 'venues', Label>> = {
  geometry: { en: 'Outline', ja: '外形' },
  venues: { en: 'Venues', ja: '施設' },
};

export const CATEGORY_LABELS: Readonly<Record<Category, Label>> = {
  residential: { en: 'Residential', ja: '住宅' },
  office: { en: 'Office', ja: '事務所' },
  retail: { en: 'Retail', ja: '商業' },
  hotel: { en: 'Hotel', ja: '宿泊' },
  logistics: { en: 'Logistics', ja: '物流' },
  industrial: { en: 'Industrial', ja: '工業' },
  education: { en: 'Education', ja: '教育' },
  healthcare: { en: 'Healthcare', ja: '医療・福祉' },
  public: { en: 'Public', ja: '公共' },
  religious: { en: 'Religious', ja: '宗教' },
  culture: { en: 'Culture', ja: '文化' },
  sports: { en: 'Sports', ja: '運動' },
  transport: { en: 'Transport', ja: '交通' },
  parking: { en: 'Parking', ja: '駐車場' },
  agriculture: { en: 'Agriculture', ja: '農業' },
  utility: { en: 'Utility', ja: '供給処理' },
  other: { en: 'Other', ja: 'その他' },
  unspecified: { en: 'Unspecified', ja: '不明' },
};

export const TENURE_LABELS: Readonly<Record<string, Label>> = {
  sale: { en: 'for sale', ja: '分譲' },
  rental: { en: 'for rent', ja: '賃貸' },
  mixed: { en: 'for sale and rent', ja: '分譲・賃貸' },
};

export const SOURCE_NAMES: Readonly<Record<Source, Label>> = {
  osm: { en: 'OpenStreetMap', ja: 'OpenStreetMap' },
  plateau: { en: 'PLATEAU', ja: 'PLATEAU' },
  abr: { en: 'Address Base Registry', ja: 'アドレス・ベース・レジストリ' },
  estat: { en: 'e-Stat', ja: 'e-Stat' },
  wikidata: { en: 'Wikidata', ja: 'ウィキデータ' },
  nominatim: { en: 'Nominatim', ja: 'Nominatim' },
  edinet: { en: 'EDINET', ja: 'EDINET' },
  jreit: { en: 'J-REIT disclosure', ja: 'J-REIT開示資料' },
  greenarchive: { en: 'Green archive', ja: '建築物環境計画書（旧制度）' },
  greenbuilding: { en: 'Green building', ja: '建築物環境計画書' },
  mankan: { en: 'Condominium register', ja: 'マンション管理計画認定制度' },
  dnk: { en: 'Computed', ja: '計算値' },
};

export const METHOD_LABELS: Readonly<Record<ExtractionMethod, Label>> = {
  'osm-tag': { en: 'OSM tag', ja: 'OSMタグ' },
  'osm-business-tag': { en: 'OSM tag of a business in the building', ja: '建物内の店舗・事業所のOSMタグ' },
  'wikidata-claim': { en: 'Wikidata claim', ja: 'ウィキデータの文' },
  'geocode-reverse': { en: 'reverse geocoding', ja: '逆ジオコーディング' },
  'area-lookup': { en: 'address register', ja: '住所台帳' },
  'poi-join': { en: 'point of interest inside the outline', ja: '外形内の地点情報' },
  citygml: { en: 'CityGML 3D city model', ja: 'CityGML 3D都市モデル' },
  'disclosure-table': { en: 'table in a disclosure document', ja: '開示資料の表' },
  'commons-imageinfo': { en: 'Wikimedia Commons image metadata', ja: 'ウィキメディア・コモンズの画像情報' },
  'inherited-complex': { en: 'inherited from the complex', ja: '複合施設から継承' },
  computed: { en: 'computed from other fields', ja: 'ほかの項目から計算' },
};

/** What REITs disclose, in display order. */
export const METRIC_LABELS: Readonly<Record<Metric, Label>> = {
  acquisitionPrice: { en: 'Acquisition price', ja: '取得価格' },
  acquisitionDate: { en: 'Acquisition date', ja: '取得日' },
  appraisalValue: { en: 'Appraisal value', ja: '鑑定評価額' },
  appraisalDate: { en: 'Appraisal date', ja: '価格時点' },
  bookValue: { en: 'Book value', ja: '帳簿価額' },
  unrealizedGain: { en: 'Unrealised gain', ja: '含み損益' },
  unrealizedGainRatio: { en: 'Unrealised gain ratio', ja: '含み損益率' },
  rentalRevenue: { en: 'Rental revenue', ja: '賃貸事業収益' },
  rentalExpenses: { en: 'Rental expenses', ja: '賃貸事業費用' },
  depreciation: { en: 'Depreciation', ja: '減価償却費' },
  noi: { en: 'NOI', ja: '賃貸NOI' },
  noiDerived: { en: 'NOI (derived)', ja: 'NOI（算出）' },
  noiYieldAcquisition: { en: 'NOI yield (acquisition price)', ja: 'NOI利回り（取得価格）' },
  noiYieldAppraisal: { en: 'NOI yield (appraisal value)', ja: 'NOI利回り（鑑定評価額）' },
  afterDepreciationYield: { en: 'Yield after depreciation', ja: '償却後利回り' },
  expenseRatio: { en: 'Expense ratio', ja: '経費率' },
  capex: { en: 'Capital expenditure', ja: '資本的支出' },
  operatingDays: { en: 'Operating days', ja: '運用日数' },
  occupancyRate: { en: 'Occupancy rate', ja: '稼働率' },
  leasableArea: { en: 'Leasable area', ja: '賃貸可能面積' },
  leasedArea: { en: 'Leased area', ja: '賃貸面積' },
  tenantCount: { en: 'Tenants', ja: 'テナント数' },
  directCapRate: { en: 'Direct cap rate', ja: '直接還元利回り' },
  discountRate: { en: 'Discount rate', ja: '割引率' },
  terminalCapRate: { en: 'Terminal cap rate', ja: '最終還元利回り' },
};
