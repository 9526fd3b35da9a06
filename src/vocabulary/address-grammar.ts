import { NUMERALS } from './japanese.ts';

/** The kana of the iroha without の, which joins numbers, and the signs of the calendar without 子, which ends names. */
export const LOT_LETTERS =
  'ア-ネハ-モヤユヨラ-ロワヰヱヲいろはにほへとちりぬるをわかよたれそつねならむうゐおくやまけふこえてあさきゆめみしゑひもせす' +
  '甲乙丙丁戊己庚辛壬癸丑寅卯辰巳午未申酉戌亥';

/**
 * The grammar of what an address writes after a machi-aza, as regular expressions. Each production may use those above
 * it, in braces. It holds for texts as `tidy` leaves them: one kind of hyphen, one の, no blank within a number.
 */
const GRAMMAR = {
  digits: '\\d{1,6}',
  kanji: `[${NUMERALS}]{1,9}`,
  figure: '\\d|{kanji}',
  // A lot may have a letter, of which Ishikawa uses all there are: 甲544番地11, イ12, ナ-3, レの2, 午10. 砂子10 is a name.
  letter: `[${LOT_LETTERS}]`,
  // What makes the number before it that of a floor, a room, a wing or another place, or part of a building's name
  // (109ビル): no house number ends there.
  otherUnit:
    '番館|番街|番町|番丁|号館|号棟|号室|号線|階|棟|室|街区|区画|画地|期|丁|条|線|筆|地割|' +
    'ビル|タワー|マンション|ハイツ|コーポ|プラザ|館|部|字|組|[A-Za-z](?![A-Za-z]|-[A-Za-z]{2})',
  // What may follow a list of house numbers.
  end: '(?=[、,・]\\s*(?:{figure}|他|外|ほか)|及び|および|並びに|ならびに|他|外|ほか|の?各?一部|の内|以下|\\s|$)',
  // A number in kanji is one only where an address goes on after it: 4番三井ビル is in 4番.
  goesOn: '(?=番|号|-|~|の{figure})|{end}',
  number: '(?:{letter}[-のノ]?)?{digits}(?!\\d|{otherUnit})|{kanji}(?!{otherUnit}){goesOn}',
  // 番 and 番地 say "block" or "lot", 号 says "residence".
  lotUnit: '番地|番(?!地)',
  // 4-14, 4の14, 4番14, 4番地の14.
  under: '{lotUnit}(?:の|-)?|-|の',
  // Of 4-14-201 and 4番14号の2 what is under the residence goes.
  subNumber: '[-の]{number}',
  firstUnder: '[-の](?<under>{number})',
  // 4番1~5号 and 21番3~21番5.
  rangeUnder: '号?~(?:(?<endBlock>{number})(?:{lotUnit}の?|-))?(?<end>{number})',
  // 4番14号, 4番地の14, 4-14, 14番1~5号.
  nested:
    '(?<block>{number})(?:(?<unit>{lotUnit})(?:の|-)?|-|の)(?<number>{number})(?<room>{subNumber}+)?{rangeUnder}?' +
    '(?<go>号)?{subNumber}*',
  // 4番, 4番地, 10号, 5番~7番.
  lone: '(?<number>{number})(?:(?<unit>{lotUnit})|(?<go>号))?(?:~(?<end>{number})(?:{lotUnit}|(?<go2>号))?)?',
  // What counts something, or tells where, so that the number before it need not be that of a house: 21世紀, 24時間, 9東.
  counter:
    '[区班番号丁町街条線階世時年月日周割坪畳帖本戸社店人名件台回級型式面左右上下前後中内外円満位里反校枚度機軒段列角口間箇次代目点種工系合十百千万]|' +
    '[東西南北](?!京)|[LSDK]{1,4}(?![A-Za-z])|FL|フロア|ブロック|エリア|ゲート|ホール|ゾーン|ルーム|ユニット|メートル|キロ|バース|コート|[カケヵヶ]所',
  // 11住友ビル, 3インテージ秋葉原ビル, 2JA共済ビル: a building's name stuck to a lone number, and no further number of a lot.
  building: '(?<=\\d)(?=[A-Z]{2}|[ァ-ヺ][ァ-ヺー]|\\p{Script=Han})(?!{counter}|[^\\d\\s]*\\d+(?:番|-\\d|の\\d))',
  // Of 4番 101 and 4 14-10 nobody knows whether the second is a house number or a room; 3号540 is a lot of 第3号, and of
  // 4番1Hビル and 4番2マンション nobody knows whose the second number is. 4番5階 and 4番3号室 are 4番.
  clear: '(?!\\s+{number}|(?<=号)\\d|(?<=[番地])の?\\d)|(?=\\d+(?:階|号?室|F(?![A-Za-z])))',
  item: '{nested}|{lone}(?:(?<=[番地号])|{end}|{building}){clear}',
  separator: '(?:の?各?一部|の内)?\\s*(?:[、,・]|及び|および|並びに|ならびに)\\s*',
  // 四丁目, 4丁 (Sakai), 4町目 (Tohoku).
  chome: '\\s*(?<chome>\\d{1,3}|{kanji})\\s*(?:丁目|町目|丁(?=[-の\\s]|{letter}?{figure}|$))',
  // 4-14-10 and 4の14: the unit of a chome is left out, and another number follows.
  bareChome: '\\s*(?<chome>\\d{1,3}|{kanji})[-の](?={number}|\\d)',
  // 4, with nothing or a blank after it.
  loneChome: '\\s*(?<chome>\\d{1,3}|{kanji})(?=\\s|$)',
  // 4-14-10, 4-14番10号: at least the first is above block and number.
  threeNumbers: '\\s*{figure}+[-の]{number}(?:{under}(?:{number}|\\d)|{lotUnit})',
  // 4丁目, 1条西4, 3番町: the number is that of a place, not of a house.
  placeNumber: '\\s*(?:第?\\d+|第?{kanji})(?:丁目?|町目|条|線|番町|番丁|地割|区(?!画)|の?通り?)',
  // The number of a part that some prefectures have and address tables often lack: 29地割77, 19線51, ハ部1, 第80号1番地.
  partNumber: '\\s*(?:第?(?:\\d+|{kanji})(?<unit>地割|線)|第(?:\\d+|{kanji})号|{letter}の?[部字])',
  // What an address may write after the whole name of a machi-aza. A name that goes on (本町 and 本町通) is another.
  afterName:
    '\\s*$|\\s+|[-の]?{number}|{letter}?\\d|{letter}[-ーのノ]\\d|第\\d+番|[A-Za-z]|[-~、,・.;:()「【〔]|[大小]?字|の?部(?=\\d)|番外地|番地|無番地|[国官公]有|' +
    '(?:地内|地先|他|外|ほか|の?各?一部|の内)(?=[\\s\\d、,()]|{kanji}?筆|$)|以下|及び|および',
} as const;

type Production = keyof typeof GRAMMAR;

const EXPANDED = new Map<string, string>();
for (const [name, production] of Object.entries(GRAMMAR)) {
  EXPANDED.set(
    name,
    `(?:${production.replace(/\{([a-z]\w+)\}/giu, (all, used: string) => EXPANDED.get(used) ?? all)})`,
  );
}

/** A production, to be matched where a text is read on. */
export const compile = (name: Production, flags = 'uy') => new RegExp(EXPANDED.get(name) as string, flags);
