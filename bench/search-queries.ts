/** The fixed mix of bench/search.ts: two hundred searches of the generated city, grouped by difficulty. */
export interface SearchQuery {
  q?: string;
  prefecture?: string;
  ward?: string;
  machiAza?: string;
  type?: string;
  page?: number;
}

const words = (...list: string[]): SearchQuery[] => list.map((q) => ({ q }));

export const QUERY_CLASSES: Readonly<Record<string, readonly SearchQuery[]>> = {
  'one character, common': words('東', '1', '市', '町', 'ン', '大', '-', '２'),
  'one character, middling': words('栄', '港', '泉', '鶴', '桜', '荘', '会', '駅'),
  'one character, rare': words('躑', '纐', '麒', '凰', '靱', '鼇'),
  'one character, katakana': words('パ', 'ヴ', 'ﾙ', 'ォ', 'ー', 'ザ'),
  'one character, Latin': words('a', 'E', 'ｋ', 'z', 'q', '&'),
  'two characters': words(
    ...['東京', '大阪', '中央', '栄町', '丸の', 'ビル', '田中', '第一', '駅前', '本町', '緑区', '纐纈'],
    ...['21', 'ヴィ', 'タワ', 'ﾊﾟｰ', 'mi', 'Ⅱ'],
  ),
  'katakana words': words(
    ...['マンション', 'グランド', 'パーク', 'タワー', 'ハイツ', 'メゾン', 'レジデンス', 'プリマヴェーラ'],
    ...['カサブランカ', 'ﾊﾟｰｸ', 'ｸﾞﾗﾝﾄﾞ', 'モンテヴェルデ', 'グランドメゾン本町'],
  ),
  'kanji words': words(
    ...['丸の内', '小学校', '東京都千代田区', '東京都千代田区丸の内一丁目', '大阪市北区', '会館', '勅使河原'],
    ...['第二', '郵便局', '札幌市中央区', '博多駅前', '聖蹟桜ヶ丘'],
  ),
  'Latin words': words(
    ...['building', 'tower', 'Tanaka', 'GRAND', 'maison', 'ｐａｒｋ', 'Elementary', 'No.5'],
    ...['teshigawara', 'zwei', 'tanakaso'],
  ),
  'digits and hyphens': words(
    ...[
      '1-2-3',
      '4-1',
      '12-3-',
      '3丁目',
      '1-1',
      '10-10',
      '一丁目4番1号',
      '2-5-12',
      '１－４－１',
      '番地',
      '24番',
      '-28',
    ],
    ...['31-19', '1番1号', '99-99', '三丁目1番'],
  ),
  'whole and partial IDs': words(
    ...[
      'ASSET-JP-13-00001234',
      'asset-jp-27-00000001',
      'ＡＳＳＥＴ－ＪＰ－０１－０００００５００',
      'ASSET-JP-13-99999999',
    ],
    ...['asset-jp-13', 'asset-jp-', '13-0000', '00001234', '001234', '-40-', 'jp-26-000', '1234'],
    ...['asset-jp-13-000012', '777'],
  ),
  'terms of one value': words(
    ...['丸の内 ビル', 'グランド メゾン', '東京都 丁目', '田中 マンション', '千代田区 1番'],
    ...['tanaka mansion', '栄町 小学校', '東京都 千代田区 丸の内', '大阪府 北区 梅田', 'パーク サン 本町', '東 京 都'],
    ...['1 2 3', 'grand　park', 'asset 13 00001'],
  ),
  'terms of several values': words(
    ...[
      'マンション 東京都',
      'ビル 丁目',

      'tower 区',
      '田中 号',
      'パーク 大阪府',
      '小学校 市',
      'グランド 1-1',
    ],
    ...[
      'mansion 荘',
      'asset 東京',
      'asset-jp-13 丁目',
      'メゾン 県 番',
      'building 丁目 号',

      '邸 番地',
      'ン 丁',
    ],
  ),
  'no hit': words(...['存在しない建物', 'zzzz', 'qx', 'ぱーく', '丸之内', 'まるのうち', '%', '_', '\\', '100%']),
  'filters alone': [
    {},
    { prefecture: 'tokyo' },
    { prefecture: 'miyagi' },
    { prefecture: 'tokyo', ward: 'chiyoda-ku' },
    { prefecture: 'hokkaido', ward: 'bibai-shi' },
    { ward: 'osaka-shi-kita-ku' },
    { prefecture: 'tokyo', ward: 'chiyoda-ku', machiAza: 'marunouchi-1-chome' },
    { prefecture: 'osaka', ward: 'takaishi-shi', machiAza: 'otemachi-3-chome' },
    { type: 'office' },
    { type: 'apartments' },
    { type: 'hotel' },
    { type: 'agriculture' },
    { prefecture: 'kyoto', type: 'religious' },
    { prefecture: 'tokyo', ward: 'chuo-ku', machiAza: 'nihombashi-2-chome', type: 'office' },
    { prefecture: 'atlantis' },
    { prefecture: 'tokyo', ward: 'osaka-shi-kita-ku' },
  ],
  'filters and words': [
    { q: 'ビル', prefecture: 'tokyo' },
    { q: 'マンション', prefecture: 'miyagi' },
    { q: '東', prefecture: 'hokkaido' },
    { q: '丸の内', prefecture: 'tokyo', ward: 'chiyoda-ku' },
    { q: '1', prefecture: 'tokyo', ward: 'chiyoda-ku', machiAza: 'marunouchi-1-chome' },
    { q: 'ハイツ', prefecture: 'osaka', ward: 'takaishi-shi', machiAza: 'otemachi-3-chome' },
    { q: '千代田区', prefecture: 'osaka' },
    { q: '大阪府', prefecture: 'tokyo' },
    { q: '田中', type: 'office' },
    { q: 'パーク', type: 'residential' },
    { q: '小学校', type: 'school' },
    { q: 'ン', type: 'religious' },
    { q: '東京都', type: 'hotel' },
    { q: '丁目 号', prefecture: 'kyoto', type: 'healthcare' },
    { q: 'asset-jp-13', type: 'transport' },
    { q: '勅使河原', prefecture: 'hyogo' },
    { q: 'zzzz', prefecture: 'tokyo', type: 'office' },
  ],
  'deep pages': [
    { page: 50 },
    { page: 51 },
    { prefecture: 'tokyo', page: 50 },
    { type: 'hotel', page: 50 },
    { prefecture: 'tokyo', ward: 'chiyoda-ku', page: 10 },
    { q: '東', page: 10 },
    { q: '東', page: 50 },
    { q: 'マンション', page: 50 },
    { q: 'building', page: 10 },
    { q: 'マンション 東京都', page: 10 },
    { q: '1-1', prefecture: 'tokyo', page: 50 },
  ],
};

export interface MixedQuery {
  class: string;
  query: SearchQuery;
  path: string;
}

export const SEARCH_PATH = '/japan/api/v1/assets';

export const QUERIES: readonly MixedQuery[] = Object.entries(QUERY_CLASSES).flatMap(([name, list]) =>
  list.map((query) => ({ class: name, query, path: pathOf(query) })),
);

function pathOf(query: SearchQuery): string {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return parameters.size === 0 ? SEARCH_PATH : `${SEARCH_PATH}?${parameters}`;
}
