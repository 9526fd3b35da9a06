import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradeDisagreement, relativeDifference, spellingKey } from '../../src/vocabulary/disagreement.ts';
import { SCALAR_FIELDS } from '../../src/vocabulary/fields.ts';

describe('UI-21 the size of a conflict', () => {
  it('UI-21 is slight below 1 % of the larger figure, and a share from there on', () => {
    expect(gradeDisagreement('heightM', 238, 239)).toEqual({ kind: 'slight' });
    expect(gradeDisagreement('heightM', 99, 100)).toEqual({ kind: 'share', share: 0.01 });
    expect(gradeDisagreement('gfaM2', 88, 100)).toEqual({ kind: 'share', share: 0.12 });
    expect(gradeDisagreement('floorsBelow', 0, 2)).toEqual({ kind: 'share', share: 1 });
    expect(gradeDisagreement('floorsBelow', 0, 0)).toEqual({ kind: 'slight' });
  });

  it('UI-21 of years is never a share: 15 years of 2000 are less than 1 %', () => {
    expect(gradeDisagreement('yearBuilt', 1990, 2005)).toEqual({ kind: 'years', years: 15 });
    expect(gradeDisagreement('yearBuilt', 1990, 1991)).toEqual({ kind: 'years', years: 1 });
  });

  it('UI-21 of texts is slight if only the spelling differs', () => {
    for (const [a, b] of [
      ['丸の内ビル', '丸の内 ビル'],
      ['Ｍａｒｕｎｏｕｃｈｉ Building', 'marunouchi-building'],
      ['三菱地所㈱', '三菱地所株式会社'],
      ['三菱地所', '株式会社三菱地所'],
      ['東京都千代田区丸の内1ー9ー2', '東京都千代田区丸の内1-9-2'],
      ['Kō Building', 'Ko Building'],
      ['鉄骨造・鉄筋コンクリート造', '鉄骨造、鉄筋コンクリート造'],
    ] as const) {
      expect(gradeDisagreement('nameJa', a, b), `${a} ${b}`).toEqual({ kind: 'slight' });
    }
    for (const [a, b] of [
      ['丸の内1-23', '丸の内12-3'],
      ['センター', 'センタ'],
      ['バビル', 'ハヒル'],
      ['学校法人甲', '宗教法人甲'],
      ['甲ビル', '乙ビル'],
      ['★', '☆'],
    ] as const) {
      expect(gradeDisagreement('nameJa', a, b), `${a} ${b}`).toEqual({ kind: 'different' });
    }
  });

  it('UI-21 of addresses is slight if only the form differs', () => {
    const forms = ['東京都千代田区丸の内一丁目9番2号', '東京都千代田区丸の内１丁目９－２', '東京都千代田区丸の内1-9-2'];
    for (const form of forms)
      expect(gradeDisagreement('addressJa', forms[0] as string, form)).toEqual({ kind: 'slight' });
    for (const other of [
      '東京都千代田区丸の内一丁目92号',
      '東京都千代田区丸の内二丁目9番2号',
      '東京都千代田区丸の内一丁目9番',
    ]) {
      expect(gradeDisagreement('addressJa', forms[0] as string, other)).toEqual({ kind: 'different' });
    }
  });

  it('UI-21 of dates is slight only if they are equal', () => {
    expect(gradeDisagreement('completionMonth', '2001-03', '2001-04')).toEqual({ kind: 'different' });
    expect(gradeDisagreement('tenure', 'sale', 'rental')).toEqual({ kind: 'different' });
  });

  it('UI-21 is the same in both directions, and slight for a value and itself', () => {
    const scalar = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), fc.string());
    fc.assert(
      fc.property(fc.constantFrom(...SCALAR_FIELDS), scalar, scalar, (field, a, b) => {
        expect(gradeDisagreement(field, a, b)).toEqual(gradeDisagreement(field, b, a));
        expect(gradeDisagreement(field, a, a)).toEqual({ kind: 'slight' });
      }),
    );
  });

  it('relative differences are from 0 to 1 for figures, which are not negative', () => {
    const figure = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
    fc.assert(
      fc.property(figure, figure, (a, b) => {
        const share = relativeDifference(a, b);
        expect(share >= 0 && share <= 1).toBe(true);
        expect(share === 0).toBe(a === b);
      }),
    );
  });

  it('spelling keys are empty only for an empty text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => spellingKey(text).length > 0 || text === ''));
  });
});
