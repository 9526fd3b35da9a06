/** A call of a tool, with its arguments; those of a later call may come from the results of earlier ones. */
export interface Call {
  tool: string;
  args: Record<string, unknown>;
}

export interface Question {
  /** As an analyst asks it. */
  asks: string;
  calls: readonly Call[];
  /** What the results must say, as the files in sample/ have it. */
  facts: readonly (string | RegExp)[];
  /** What they must not say. */
  absent?: readonly string[];
}

const search = (args: Record<string, unknown>): Call => ({ tool: 'search_assets', args: { view: 'summary', ...args } });
const summary = (id: string): Call => ({ tool: 'get_asset', args: { id: `ASSET-JP-${id}`, view: 'summary' } });

const TOKYO_STATION = '35.6812,139.7671';

export const QUESTIONS: readonly Question[] = [
  {
    asks: 'Offices in Minato-ku over 200 m',
    calls: [search({ prefecture: 'tokyo', ward: 'minato-ku', type: 'office', heightMin: 200, sort: 'height' })],
    facts: ['麻布台ヒルズ森JPタワー', 'ミッドタウン・タワー', '虎ノ門ヒルズ 森タワー', '電通本社ビル'],
    absent: ['東京タワー', 'フジテレビ本社ビル'],
  },
  {
    asks: 'Hotels near Tokyo Station built before 1970',
    calls: [search({ near: TOKYO_STATION, radius: 1000, type: 'hotel', builtMax: 1969, sort: 'distance' })],
    facts: ['東京駅丸の内駅舎', /"yearBuilt":\{"value":1914/],
    absent: ['帝国ホテル'],
  },
  {
    asks: '丸の内1-9-2',
    calls: [search({ q: '丸の内一丁目9番2号' })],
    facts: ['グラントウキョウサウスタワー', '東京都千代田区丸の内一丁目9番2号'],
  },
  {
    asks: 'How tall is Tokyo Tower, and do the sources agree?',
    calls: [search({ q: '東京タワー' }), summary('13-00000002')],
    facts: [/"heightM":\{"value":333\b/, /"conflict":\{"value":332\.9,"source":"osm"\}/],
  },
  {
    asks: '六本木六丁目10番1号にある建物は',
    calls: [search({ q: '六本木六丁目10番1号' })],
    facts: ['六本木ヒルズ森タワー'],
  },
  {
    asks: 'Who owns the Kasumigaseki Building?',
    calls: [search({ q: 'Kasumigaseki Building' })],
    facts: ['三井不動産'],
  },
  {
    asks: '三菱地所が所有する建物',
    calls: [{ tool: 'get_owner_portfolio', args: { name: '三菱地所', view: 'summary' } }],
    facts: ['丸の内ビルディング', '横浜ランドマークタワー', '大名古屋ビルヂング'],
  },
  {
    asks: 'The tallest building in Osaka',
    calls: [search({ prefecture: 'osaka', sort: 'height' })],
    facts: [/"items":\[\{"id":"ASSET-JP-27-00000003"/, 'あべのハルカス'],
  },
  {
    asks: '横浜市西区のホテル',
    calls: [search({ prefecture: 'kanagawa', ward: 'yokohama-shi-nishi-ku', type: 'hotel' })],
    facts: ['横浜ランドマークタワー', 'ヨコハマ グランド インターコンチネンタル ホテル'],
  },
  {
    asks: 'Buildings in Kyoto older than 1700',
    calls: [search({ prefecture: 'kyoto', builtMax: 1699, sort: 'built' })],
    facts: ['三十三間堂', '金閣', '清水寺本堂', '二の丸御殿', '五重塔'],
    absent: ['京都タワー'],
  },
  {
    asks: 'Which museums are in Taito-ku?',
    calls: [search({ prefecture: 'tokyo', ward: 'taito-ku', type: 'museum' })],
    facts: ['国立西洋美術館', '東京国立博物館本館'],
  },
  {
    asks: 'How many buildings does the registry have in Minato-ku?',
    calls: [{ tool: 'get_area', args: { prefecture: 'tokyo', ward: 'minato-ku' } }],
    facts: ['港区', '"buildingCount":'],
  },
  {
    asks: 'GranTokyo South Tower: NOI and occupancy in the latest period',
    calls: [
      {
        tool: 'get_asset_reit',
        args: { id: 'ASSET-JP-13-00000054', metrics: ['noi', 'occupancyRate'], periods: 'latest' },
      },
    ],
    facts: ['"filtered":true', '見本オフィス投資法人', '"occupancyRate"'],
  },
  {
    asks: 'Which buildings have reviewed REIT figures?',
    calls: [search({ has: 'reit' })],
    facts: ['グラントウキョウサウスタワー', '横浜ランドマークタワー', '"total":2'],
  },
  { asks: '東京スカイツリーの高さ', calls: [search({ q: '東京スカイツリー' })], facts: [/"heightM":\{"value":63[24]/] },
  {
    asks: 'When was Nagoya Castle rebuilt?',
    calls: [search({ q: 'Nagoya Castle' })],
    facts: [/"yearBuilt":\{"value":1959/],
  },
  {
    asks: 'Sports venues in Tokyo',
    calls: [search({ prefecture: 'tokyo', type: 'sports' })],
    facts: ['国立競技場', '日本武道館', '国技館', '国立代々木競技場第一体育館'],
  },
  {
    asks: '新宿区の200m以上のビル',
    calls: [search({ prefecture: 'tokyo', ward: 'shinjuku-ku', heightMin: 200, sort: 'height' })],
    facts: ['東京都庁第一本庁舎', '新宿パークタワー', 'モード学園コクーンタワー'],
  },
  {
    asks: 'Is the Torch Tower finished?',
    calls: [search({ q: 'Torch Tower' }), summary('13-00000058')],
    facts: [/"yearBuilt":\{"value":2028/, 'planned, not built yet'],
  },
  {
    asks: 'What became of ASSET-JP-13-00000034?',
    calls: [summary('13-00000034')],
    facts: ['now leads to ASSET-JP-13-00000032', '新宿パークタワー'],
  },
  {
    asks: 'Railway stations near Kyoto Tower',
    calls: [search({ near: '34.9875,135.7594', radius: 500, type: 'transport' })],
    facts: ['京都駅ビル'],
  },
  {
    asks: 'Architect of the National Museum of Western Art',
    calls: [search({ q: '国立西洋美術館' }), summary('13-00000066')],
    facts: [/"architect":\{"value":"[^"]*コルビュジエ/],
  },
  {
    asks: 'Condominiums with a certified management plan',
    calls: [search({ q: '高島平' }), summary('13-00000070')],
    facts: ['managementPlanCertifiedOn', 'mankan'],
  },
  {
    asks: 'Which source records stand behind Tokyo Tower?',
    calls: [{ tool: 'get_asset_sources', args: { id: 'ASSET-JP-13-00000002' } }],
    facts: ['13103-bldg-sample-8', 'way/9000000013036'],
  },
  {
    asks: 'Department stores in Chuo-ku',
    calls: [search({ prefecture: 'tokyo', ward: 'chuo-ku', type: 'retail' })],
    facts: ['三越日本橋本店', 'GINZA SIX'],
  },
  {
    asks: '50階以上の建物',
    calls: [search({ floorsMin: 50, sort: 'floors' })],
    facts: ['横浜ランドマークタワー', 'サンシャイン60', 'あべのハルカス'],
  },
  {
    asks: 'Buildings between Tokyo Station and the Palace',
    calls: [search({ bbox: '139.758,35.678,139.768,35.685' })],
    facts: ['丸の内ビルディング', '新丸の内ビルディング'],
  },
  {
    asks: 'Temples and churches in Tokyo',
    calls: [search({ prefecture: 'tokyo', type: 'religious' })],
    facts: ['浅草寺本堂', '築地本願寺', '東京復活大聖堂', '増上寺大殿'],
  },
  {
    asks: '日本ビルファンド投資法人の保有物件',
    calls: [{ tool: 'get_owner_portfolio', args: { name: '日本ビルファンド投資法人', view: 'summary' } }],
    facts: ['新宿三井ビルディング', 'グラントウキョウサウスタワー'],
  },
  {
    asks: 'Warehouses turned into shops in Yokohama',
    calls: [search({ q: '赤レンガ倉庫', type: 'retail' })],
    facts: ['横浜赤レンガ倉庫1号館', '横浜赤レンガ倉庫2号館'],
  },
];
