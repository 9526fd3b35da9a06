import { CATEGORIES, type Category } from '../../../vocabulary/categories.ts';
import { countsText } from './counts.ts';
import { CATEGORY_LABELS } from './labels.ts';
import type { Language } from './language.ts';

/** UI-87: the words of the client modules of maps, sent as a file. `{n}` is where a number goes. */
export interface MapWords {
  lang: Language;
  /** MapLibre's own words, by its names for them. */
  controls: Readonly<Record<string, string>>;
  mapOfBuilding: string;
  mapOfBuildings: string;
  /** Keys on the map itself. */
  keys: string;
  options: string;
  colourBy: string;
  schemes: Readonly<Record<'use' | 'year' | 'height', string>>;
  inThreeDimensions: string;
  legend: string;
  uses: Readonly<Record<UseGroup, string>>;
  useGroups: Readonly<Record<UseGroup, readonly Category[]>>;
  years: readonly string[];
  /** The first year of each class but the first. */
  yearClasses: readonly number[];
  heights: readonly string[];
  heightClasses: readonly number[];
  unknown: string;
  thisBuilding: string;
  inList: string;
  circle: string;
  buildings: { one: string; other: string };
  zoomIn: string;
  unnamed: string;
  builtIn: string;
  floors: { one: string; other: string };
  height: string;
  categories: Readonly<Record<Category, string>>;
  sources: string;
  outlines: string;
}

/** Uses that share a colour: more colours than these cannot be told apart. */
const USE_GROUPS = {
  residential: ['residential'],
  office: ['office'],
  retail: ['retail'],
  hotel: ['hotel'],
  industry: ['logistics', 'industrial', 'agriculture'],
  public: ['education', 'healthcare', 'public'],
  culture: ['religious', 'culture', 'sports'],
  transport: ['transport', 'parking', 'utility'],
} as const satisfies Record<string, readonly Category[]>;
type UseGroup = keyof typeof USE_GROUPS;

/** 1981 is the year of the current earthquake standard. */
const YEAR_CLASSES = [1950, 1981, 2000, 2015] as const;
/** In metres: 31 m was the limit of building law until the 1960s, and from 60 m on each design needs its own approval. */
const HEIGHT_CLASSES = [10, 20, 31, 60, 100] as const;

const CLASSES = { useGroups: USE_GROUPS, yearClasses: YEAR_CLASSES, heightClasses: HEIGHT_CLASSES };

const categoriesIn = (lang: Language) =>
  Object.fromEntries(CATEGORIES.map((category) => [category, CATEGORY_LABELS[category][lang]])) as Record<
    Category,
    string
  >;

const words: { en: MapWords; ja: MapWords } = {
  en: {
    lang: 'en',
    ...CLASSES,
    controls: {
      'AttributionControl.ToggleAttribution': 'Show or hide credits',
      'NavigationControl.ZoomIn': 'Zoom in',
      'NavigationControl.ZoomOut': 'Zoom out',
      'NavigationControl.ResetBearing': 'Turn north up',
      'Popup.Close': 'Close',
      'Map.Title': 'Map',
      'ScaleControl.Meters': 'm',
      'ScaleControl.Kilometers': 'km',
      'CooperativeGesturesHandler.WindowsHelpText': 'Hold Ctrl and scroll to zoom the map',
      'CooperativeGesturesHandler.MacHelpText': 'Hold ⌘ and scroll to zoom the map',
      'CooperativeGesturesHandler.MobileHelpText': 'Use two fingers to move the map',
    },
    mapOfBuilding: 'Map of the building and its surroundings',
    mapOfBuildings: 'Map of the buildings in this list',
    keys: 'Arrow keys move the map, + and − zoom, Enter opens the building at the cross',
    options: 'Legend and options',
    colourBy: 'Colour buildings by',
    schemes: { use: 'Use', year: 'Year built', height: 'Height' },
    inThreeDimensions: 'Show in 3D',
    legend: 'Legend',
    uses: {
      residential: 'Residential',
      office: 'Office',
      retail: 'Retail',
      hotel: 'Hotel',
      industry: 'Logistics, industrial, agriculture',
      public: 'Education, healthcare, public',
      culture: 'Culture, religious, sports',
      transport: 'Transport, parking, utility',
    },
    years: ['Before 1950', '1950–1980', '1981–1999', '2000–2014', '2015 or later'],
    heights: ['Under 10 m', '10–20 m', '20–31 m', '31–60 m', '60–100 m', '100 m or more'],
    unknown: 'Other or not known',
    thisBuilding: 'This building',
    inList: 'In this list',
    circle: 'Buildings in this part of the map, by number',
    buildings: { one: '1 building', other: '{n} buildings' },
    zoomIn: 'Zoom in to see them',
    unnamed: 'Building without a name',
    builtIn: 'built {n}',
    floors: { one: '1 floor', other: '{n} floors' },
    height: '{n} m',
    categories: categoriesIn('en'),
    sources: 'Data sources',
    outlines: 'Outlines: Natural Earth',
  },
  ja: {
    lang: 'ja',
    ...CLASSES,
    controls: {
      'AttributionControl.ToggleAttribution': '出典の表示を切り替える',
      'NavigationControl.ZoomIn': '拡大',
      'NavigationControl.ZoomOut': '縮小',
      'NavigationControl.ResetBearing': '北を上にする',
      'Popup.Close': '閉じる',
      'Map.Title': '地図',
      'ScaleControl.Meters': 'm',
      'ScaleControl.Kilometers': 'km',
      'CooperativeGesturesHandler.WindowsHelpText': 'Ctrlキーを押しながらスクロールすると拡大・縮小できます',
      'CooperativeGesturesHandler.MacHelpText': '⌘キーを押しながらスクロールすると拡大・縮小できます',
      'CooperativeGesturesHandler.MobileHelpText': '地図は2本の指で動かせます',
    },
    mapOfBuilding: '建物と周辺の地図',
    mapOfBuildings: '一覧の建物の地図',
    keys: '矢印キーで移動、＋と－で拡大・縮小、Enterキーで十字の位置の建物を開きます',
    options: '凡例と設定',
    colourBy: '建物の色分け',
    schemes: { use: '用途', year: '建築年', height: '高さ' },
    inThreeDimensions: '立体で表示',
    legend: '凡例',
    uses: {
      residential: '住宅',
      office: '事務所',
      retail: '商業',
      hotel: '宿泊',
      industry: '物流・工業・農業',
      public: '教育・医療福祉・公共',
      culture: '文化・宗教・運動',
      transport: '交通・駐車場・供給処理',
    },
    years: ['1949年以前', '1950～1980年', '1981～1999年', '2000～2014年', '2015年以降'],
    heights: ['10m未満', '10～20m', '20～31m', '31～60m', '60～100m', '100m以上'],
    unknown: 'その他・不明',
    thisBuilding: 'この建物',
    inList: '一覧の建物',
    circle: 'この付近の建物の数',
    buildings: { one: '1棟', other: '{n}棟' },
    zoomIn: '拡大すると表示されます',
    unnamed: '名称不明の建物',
    builtIn: '{n}年築',
    floors: { one: '地上1階', other: '地上{n}階' },
    height: '高さ{n}m',
    categories: categoriesIn('ja'),
    sources: 'データの出典',
    outlines: '境界：Natural Earth',
  },
};

const en = {
  words: words.en,
  noOutline: 'No outline available',
  /** The static drawings. */
  positions: 'Map of the buildings in this list, north up; larger circles stand for more buildings',
  outline: (width: number, depth: number) =>
    `Outline of the building from above, ${width} by ${depth} metres, north up`,
  metres: (length: number) => `${length} m`,
  kilometres: (length: number) => `${length} km`,
  north: 'N',
  elevation: (parts: readonly string[]) => `Drawing to scale: ${parts.join(', ')}`,
  high: (metres: number) => `${metres} m high`,
  heightAssumed: 'height assumed from its floors',
  floorsAbove: (floors: number) => `${countsText.en.floors(floors)} above ground`,
  floorsBelow: (floors: number) => `${floors} below`,
};

const ja: typeof en = {
  words: words.ja,
  noOutline: '外形のデータはありません',
  positions: '一覧の建物の位置図。上が北で、円が大きいほど建物の数が多いことを示します',
  outline: (width, depth) => `上から見た建物の外形。東西${width}m、南北${depth}m、上が北です`,
  metres: (length) => `${length}m`,
  kilometres: (length) => `${length}km`,
  north: '北',
  elevation: (parts) => `縮尺を合わせた立面図：${parts.join('、')}`,
  high: (metres) => `高さ${metres}m`,
  heightAssumed: '高さは階数からの仮定',
  floorsAbove: (floors) => `地上${floors}階`,
  floorsBelow: (floors) => `地下${floors}階`,
};

export const mapText = { en, ja };
