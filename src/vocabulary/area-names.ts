import { kanjiNumbersToDigits } from './japanese.ts';

/** First segments of a page's path that are no prefecture. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'api',
  'mcp',
  'areas',
  'id',
  'suggest',
  'tiles',
  'assets',
  'about',
]);

/** Characters written either way in one and the same name, as a text of pairs: the older or rarer, then the usual. */
const VARIANTS = new Map(
  (
    '壱一 壹一 弐二 貳二 貮二 拾十 澤沢 﨑崎 嵜崎 嶋島 嶌島 藪薮 濱浜 髙高 邊辺 邉辺 廣広 國国 櫻桜 龍竜 瀧滝 檜桧 籠篭 鷗鴎 麴麹 曾曽 ' +
    '槇槙 鹽塩 萬万 圓円 眞真 齋斎 齊斉 鐵鉄 壽寿 榮栄 會会 學学 總総 靜静 蘆芦 諫諌 靱靭 鄕郷 淵渕 條条 冨富 峯峰 嶽岳 栁柳 縣県 灣湾 ' +
    '瀨瀬 賴頼 藏蔵 驒騨 鰺鯵 頸頚 萊莱 檮梼 蟬蝉 祗祇 德徳 惠恵 驛駅 區区 號号 橫横 黑黒 淸清 靑青 增増 與与 豐豊 應応 禮礼'
  )
    .split(' ')
    .map(([from, to]) => [from as string, to as string]),
);

const VARIATION_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const NUMBER_OF_A_PLACE = /[〇零一二三四五六七八九十百千]+(?=丁|条|番|線|号|区|地割|町目)/gu;
/** A small kana that joins two words; only between kanji, where it is never part of a word. */
const JOINTS: readonly [RegExp, string][] = [
  [/(?<=[\p{Script=Han}\d])[ケヶがガヵカ](?=\p{Script=Han})/gu, 'ケ'],
  [/(?<=[\p{Script=Han}\d])[のノ之乃](?=\p{Script=Han})/gu, 'の'],
  [/(?<=[\p{Script=Han}\d])[ツッつっ](?=\p{Script=Han})/gu, 'ツ'],
];

/**
 * The key by which one neighbourhood's names agree, whoever wrote them: 白山一丁目, 白山１丁目 and 大字白山1丁目
 * are 白山1丁目. It is compared within one ward and never shown.
 */
export function normaliseAreaName(nameJa: string): string {
  let name = nameJa.normalize('NFKC').replace(VARIATION_SELECTORS, '').replace(/\s+/gu, '');
  name = name.replace(/\p{Script=Han}/gu, (kanji) => VARIANTS.get(kanji) ?? kanji);
  // 文字 is a word (十文字), elsewhere 字 before a name only says that it is one.
  name = name.replace(/(?<!文)大?字(?=.)/gu, '');
  name = name.replace(NUMBER_OF_A_PLACE, kanjiNumbersToDigits);
  for (const [joint, form] of JOINTS) name = name.replace(joint, form);
  return name;
}
