import { describe, expect, it } from 'vitest';
import { footnoteMark, footnoteNumbers, plainFigure, withoutFootnotes } from '../../src/vocabulary/footnotes.ts';
import { isDash, withHyphens } from '../../src/vocabulary/text.ts';

describe('footnote marks', () => {
  it.each([
    ['見本館（注1）', '見本館'],
    ['見本館※1、2', '見本館'],
    ['見本館 ※1 新館', '見本館 新館'],
    ['見本館※1, 新館', '見本館, 新館'],
    ['見本館 注3)', '見本館'],
    ['見本館＊', '見本館'],
    ['見本館②', '見本館②'],
    ['発注1号館', '発注1号館'],
  ])('the name %s becomes %s', (name, bare) => {
    expect(withoutFootnotes(name)).toBe(bare);
  });

  it.each([
    ['1①234', '1 234'],
    ['1,234²', '1,234'],
    ['100m²', '100m2'],
    ['※1 １２', '12'],
    ['※1234', '※1234'],
    ['12 注1', '12'],
  ])('AGR-08 the figure %s becomes %s', (figure, plain) => {
    expect(plainFigure(figure)).toBe(plain);
  });

  it('refer to footnotes, and start them', () => {
    expect(footnoteNumbers('12(注1)※3')).toEqual(['1', '3']);
    expect(footnoteMark('(注2)記載')).toEqual({ mark: '(注2)', number: '2', isNote: true });
    expect(footnoteMark('*記載')).toEqual({ mark: '*', number: '', isNote: false });
    expect(footnoteMark('記載')).toBeUndefined();
  });
});

describe('dashes', () => {
  it.each([...'-‐‑‒–—―−ー─━⁃˗－﹣'])('%s is a dash', (dash) => {
    expect(isDash(dash)).toBe(true);
    expect(withHyphens(`A${dash}01`)).toBe('A-01');
  });

  it.each(['', '一', '~', 'A-'])('%j is not a dash', (text) => {
    expect(isDash(text)).toBe(false);
  });
});
