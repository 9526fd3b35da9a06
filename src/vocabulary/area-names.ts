import { kanjiNumbersToDigits, NUMERALS, plainNumerals } from './japanese.ts';

/** First path segments that are not prefectures. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'api',
  'mcp',
  'areas',
  'id',
  'suggest',
  'tiles',
  'map-points',
  'assets',
  'about',
  'reconcile',
]);

/** Character variants as pairs: the older or rarer form, then the usual one. */
const VARIANTS = new Map(
  (
    '壱一 壹一 弐二 貳二 貮二 拾十 澤沢 﨑崎 嵜崎 嶋島 嶌島 藪薮 濱浜 髙高 邊辺 邉辺 廣広 國国 櫻桜 龍竜 瀧滝 檜桧 籠篭 鷗鴎 麴麹 曾曽 ' +
    '槇槙 鹽塩 萬万 圓円 眞真 齋斎 齊斉 鐵鉄 壽寿 榮栄 會会 學学 總総 靜静 蘆芦 諫諌 靱靭 鄕郷 淵渕 條条 冨富 峯峰 嶽岳 栁柳 縣県 灣湾 ' +
    '瀨瀬 賴頼 藏蔵 驒騨 鰺鯵 頸頚 萊莱 檮梼 蟬蝉 祗祇 德徳 惠恵 驛駅 區区 號号 橫横 黑黒 淸清 靑青 增増 與与 豐豊 應応 禮礼 ' +
    '彌弥 菟莵 巿市 桒桑 濵浜 舘館 讚讃 龜亀 關関 鶯鴬 竈竃 禰祢 蠣蛎 礪砺 來来 佛仏 臺台 溪渓 穗穂 礒磯 綠緑 黃黄 麥麦 當当 劍剣 劔剣 ' +
    '籔薮 娄婁 螢蛍 釡釜 遙遥 邇迩 鷏鷆 炮砲'
  )
    .split(' ')
    .map(([from, to]) => [from as string, to as string]),
);

const PLACE_UNIT = '\\s*(?:丁|条|條|番|線|号|號|区|區|地割|町目|[のノ之][通町])';
const PLACE_NUMERAL = `[${NUMERALS}壱壹弐貳貮参參拾]`;
const PLACE_NUMERALS = `${PLACE_NUMERAL}+`;

const NUMBER_AHEAD = `\\s*${PLACE_NUMERALS}(?:${PLACE_UNIT}|\\s*[-のノ之]\\s*[\\d${NUMERALS}])`;

// Not after 大字 and 字, where a name begins (大字乃木浜).
const joint = (kana: string) =>
  new RegExp(
    `(?=[${kana}])(?<=[\\p{L}\\d]\\s*)(?<!(?<!文)字\\s*)[${kana}](?=\\s*\\p{Script=Han})(?!${NUMBER_AHEAD})`,
    'u',
  );

/** Folding rules, applied in order: a pattern and its replacement. Spaces may occur anywhere. */
const FOLDS: readonly [RegExp, (matched: string) => string][] = [
  [/(?:\s|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])+/u, () => ''],
  // 文字 is a word (十文字); elsewhere 字 before a name carries no information.
  [/(?<!文)[大小]?字(?=\s*\S)/u, () => ''],
  // ハ部, ハの部 and ハ: parts of towns in Ishikawa.
  [/(?=の?部)(?<=[ァ-ヺぁ-ゖ]\s*|町\s*[甲乙丙丁戊己庚辛壬癸丑寅卯辰巳午未申酉戌亥]\s*)の?部(?=\s*(?:\d|$))/u, () => ''],
  // 第4地割 and 4地割.
  [/第(?=\s*[\d〇零一二三四五六七八九十百千壱弐参拾]+\s*地割)/u, () => ''],
  // Numbers of areas: 四丁目, 一条, 三番町.
  [
    new RegExp(`(?<!${PLACE_NUMERAL})${PLACE_NUMERALS}(?=${PLACE_UNIT})`, 'u'),
    (kanji) => kanjiNumbersToDigits(plainNumerals(kanji)),
  ],
  // A small kana that joins two words, only before a kanji. The number of an area is a new word: 楠乃二丁目 and 楠乃2丁目.
  [joint('ケヶがガヵカ'), () => 'ケ'],
  [joint('のノ之乃'), () => 'の'],
  [joint('ツッつっ'), () => 'ツ'],
  [/\p{Script=Han}/u, (kanji) => VARIANTS.get(kanji) ?? kanji],
  [/./su, (other) => other],
];
const FOLD = new RegExp(FOLDS.map(([{ source }]) => `(${source})`).join('|'), 'suy');

/** With what a match of any rule but the last two begins; the others need no pattern, which takes much longer. */
const BEGINS_FOLD = new RegExp(
  `[\\s\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}大小字の部第${NUMERALS}壱壹弐貳貮参參拾ケヶがガヵカノ之乃ツッつっ]`,
  'u',
);
const foldsOfCharacters = new Map<string, string | undefined>();
/** More than addresses use. */
const MOST_CHARACTERS = 10_000;

/** What a character becomes wherever it is; undefined if that depends on the text around it. */
function foldCharacter(character: string): string | undefined {
  if (foldsOfCharacters.has(character)) return foldsOfCharacters.get(character);
  const plain = /\p{Script=Han}/u.test(character) ? (VARIANTS.get(character) ?? character) : character;
  const folded = BEGINS_FOLD.test(character) ? undefined : plain;
  if (foldsOfCharacters.size < MOST_CHARACTERS) foldsOfCharacters.set(character, folded);
  return folded;
}

export interface FoldedName {
  text: string;
  /** The end in the original of each prefix of the text. */
  ends: readonly number[];
}

/** A name, or the start of an address, in comparable form. */
export function foldAreaName(original: string): FoldedName {
  let text = '';
  const ends = [0];
  for (let at = 0; at < original.length; ) {
    const character = String.fromCodePoint(original.codePointAt(at) as number);
    let folded = foldCharacter(character);
    if (folded === undefined) {
      FOLD.lastIndex = at;
      const found = FOLD.exec(original) as RegExpExecArray;
      const which = found.findIndex((group, i) => i > 0 && group !== undefined);
      folded = FOLDS[which - 1]?.[1](found[0]) ?? '';
      at += found[0].length;
    } else at += character.length;
    text += folded;
    for (let i = 0; i < folded.length; i++) ends.push(at);
  }
  return { text, ends };
}

/**
 * The key under which different spellings of a name agree: 白山一丁目, 白山１丁目 and 大字白山1丁目 are 白山1丁目. Compared within one ward
 * and never shown.
 */
export function normaliseAreaName(nameJa: string): string {
  return foldAreaName(nameJa.normalize('NFKC')).text;
}
