import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinByName, machiAzaByName } from '../../src/registry/join-by-name.ts';

const named = (...names: string[]) => machiAzaByName(names.map((nameJa) => ({ code: nameJa, nameJa })));
/** Which machi-aza each piece joins, by the name of the piece. */
const join = (machiAza: string[], pieces: [key: string, nameJa: string][]) => {
  const all = pieces.map(([key, nameJa], i) => ({ id: String(i), key, nameJa }));
  const joined = joinByName(all, named(...machiAza));
  return all.map(({ id, nameJa }) => [nameJa, joined.get(id) ?? null]);
};
const HAMLET = '31201123001';
const OAZA = '312011230';

describe('a boundary of the census joins', () => {
  it.each([
    ['the machi-aza of its name', HAMLET, '用瀬町赤波', ['用瀬町赤波', '用瀬町'], '用瀬町赤波'],
    ['the one its name begins with', HAMLET, '用瀬町赤波馬路', ['用瀬町赤波', '用瀬町鷹狩'], '用瀬町赤波'],
    ['the longest of these', HAMLET, '用瀬町赤波馬路上', ['用瀬町赤波', '用瀬町赤波馬路'], '用瀬町赤波馬路'],
    ['one without oaza and aza', HAMLET, '大字三沢字広町', ['三沢'], '三沢'],
    ['one that has oaza in its own name', HAMLET, '三沢広町', ['大字三沢'], '大字三沢'],
    ['one of numbered wards', HAMLET, '淀江町西原一〇区', ['淀江町西原', '淀江町西原一区'], '淀江町西原'],
    ['one with a chome in digits', HAMLET, '新開一丁目北', ['新開１丁目', '新開'], '新開１丁目'],
    ['one that has no chome of its own', HAMLET, '新開二丁目', ['新開'], '新開'],
    ['one of a hamlet that repeats its name', HAMLET, '葛和田葛和田団地', ['葛和田'], '葛和田'],
    ['one of a hamlet called a town', HAMLET, '大字越生上町', ['大字越生'], '大字越生'],
    ['one without the remark in brackets', OAZA, '越ケ谷（番地）', ['越ヶ谷'], '越ヶ谷'],
    ['one without the exclave', OAZA, '福岡（飛地）', ['福岡'], '福岡'],
    ['one without a former village', HAMLET, '佐治村加瀬木', ['加瀬木'], '加瀬木'],
    ['one with a former village', HAMLET, '加瀬木', ['佐治町加瀬木', '用瀬町赤波'], '佐治町加瀬木'],
  ])('%s: %s %s', (_, key, piece, machiAza, expected) => {
    expect(join(machiAza, [[key, piece]])).toEqual([[piece, expected]]);
  });

  it.each([
    ['whose name is cut within a word', HAMLET, '松ケ丘', ['松']],
    ['that is not called a town', HAMLET, '尾高町', ['尾高']],
    ['cut within a number', HAMLET, '西１１区', ['西1']],
    ['cut within kana', HAMLET, 'ひばりが丘', ['ひば']],
    ['that has chome, but not this one', HAMLET, '新開八丁目', ['新開', '新開一丁目']],
    ['whose name begins the name of a town with chome', HAMLET, '観音寺新町一丁目', ['観音寺']],
    ['for an undivided town of its own', OAZA, '福岡新田', ['福岡']],
    ['of one character, for an undivided oaza', OAZA, '泉川', ['泉']],
    ['that stands for a whole former town', HAMLET, '淀江町高井谷', ['淀江町', '淀江町福岡']],
    ['for several oaza in one boundary', HAMLET, '上野田　下野田', ['上野田', '下野田']],
    ['that exists in several villages', HAMLET, '中山', ['佐治町中山', '用瀬町中山']],
    ['with a very common name', HAMLET, '本町', ['鹿野町本町']],
    ['in another village', HAMLET, '用瀬町加瀬木', ['加瀬木', '用瀬町赤波']],
    ['without a name', HAMLET, '（駐屯地）', ['泉']],
  ])('none %s: %s %s', (_, key, piece, machiAza) => {
    expect(join(machiAza, [[key, piece]])).toEqual([[piece, null]]);
  });

  it('none to which the census gives an unrelated number', () => {
    const pieces: [string, string][] = [
      ['312020520', '観音寺'],
      ['31202052001', '観音寺上'],
      ['31202116001', '観音寺新'],
    ];
    expect(join(['観音寺'], pieces)).toEqual([
      ['観音寺', '観音寺'],
      ['観音寺上', '観音寺'],
      ['観音寺新', null],
    ]);
  });

  it('the same machi-aza in any order of pieces and machi-aza, and always one that its name contains', () => {
    const name = fc.array(fc.constantFrom('上', '中', '原', '町', '村', '新', '田', 'ケ', '1', '丁目'), {
      minLength: 1,
      maxLength: 4,
    });
    const texts = fc.uniqueArray(
      name.map((parts) => parts.join('')),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(texts, texts, (machiAza, pieces) => {
        const keyed = pieces.map((piece, i): [string, string] => [`31201${String(i % 3).padStart(4, '0')}01`, piece]);
        const joined = join(machiAza, keyed);
        const turned = join([...machiAza].reverse(), [...keyed].reverse());
        expect(turned.reverse()).toEqual(joined);
        for (const [piece, code] of joined) {
          if (code === null || code === undefined) continue;
          expect((piece as string).includes(code) || code.endsWith(piece as string)).toBe(true);
        }
      }),
    );
  });
});
