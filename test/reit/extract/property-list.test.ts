import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PropertyList, PropertyNames } from '../../../src/reit/extract/property-list.ts';
import { hasRealData, REAL_DATA } from '../../support/source-files.ts';

function namesOf(...properties: [number: string, name: string][]): PropertyNames {
  const list = new PropertyList();
  for (const [number, name] of properties) list.add({ number, name, interest: '' }, '');
  return new PropertyNames(list.all);
}

function named(names: PropertyNames, heading: string): string | undefined {
  const meaning = names.meaningOf(heading);
  return meaning.kind === 'property' ? meaning.property.name : undefined;
}

const FORMS: ((name: string, at: number) => string)[] = [
  (name) => name,
  (name, at) => `（${at}）${name}`,
  (name, at) => `${at}．${name}`,
  (name) => `［${name}］`,
  (name) => `■${name}（注1）`,
  (name) => `${name}の収支状況`,
];

describe('the property that a heading names', () => {
  it('is the one with that complete name, in any notation', () => {
    const names = namesOf(['1', '見本館'], ['2', '見本館Ⅱ'], ['3', '見本館2期']);
    for (const name of ['見本館', '見本館Ⅱ', '見本館2期'])
      for (const [at, form] of FORMS.entries())
        expect([form(name, at + 1), named(names, form(name, at + 1))]).toEqual([form(name, at + 1), name]);
    expect(named(names, '物件番号 2')).toBe('見本館Ⅱ');
    expect(named(names, '2')).toBeUndefined();
    expect(names.meaningOf('物件番号 2 見本館')).toEqual({ kind: 'ambiguous' });
    expect(names.meaningOf('鑑定評価書の概要').kind).toBe('aspect');
  });

  it('is never one whose name is only the beginning or end of another', () => {
    const after = fc
      .stringMatching(/^[Ⅱ２3東館ビルA別（）新旧号・ の-]{1,4}$/u)
      .map((text) => (name: string) => name + text);
    const before = fc.stringMatching(/^[東新旧HビルⅡ別西]{1,3}$/u).map((text) => (name: string) => text + name);
    const names = namesOf(['A-1', '見本館'], ['A-10', '見本ビル東'], ['B-1', 'HF見本']);
    const key = (text: string) => text.normalize('NFKC').replace(/[\s・]/gu, '');
    fc.assert(
      fc.property(fc.constantFrom('見本館', '見本ビル東', 'HF見本'), fc.oneof(after, before), (name, longer) => {
        fc.pre(key(longer(name)) !== key(name));
        expect(named(names, longer(name))).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it('reads any heading without an error', () => {
    const names = namesOf(['A-1', '見本館']);
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('当期', '（', '）', '［', 'A-1', '見本館', 'の', '概要', '・', '及び'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(['property', 'aspect', 'unknown', 'ambiguous']).toContain(names.meaningOf(pieces.join('')).kind);
      }),
      { numRuns: 150 },
    );
  });

  it.skipIf(!hasRealData)('is found by its own name in ten real portfolios, and never another', () => {
    const [head = '', ...lines] = readFileSync(
      join(REAL_DATA, 'edinet', 'reit_properties_extracted.10reits.csv'),
      'utf8',
    )
      .replace(/^\ufeff/u, '')
      .split(/\r?\n/u);
    const columns = head.split(',');
    const [reit, name] = [columns.indexOf('reit_name'), columns.indexOf('property_name')];
    const rows = lines.filter((line) => line !== '' && !line.includes('"')).map((line) => line.split(','));
    for (const own of Map.groupBy(rows, (row) => row[reit] ?? '').values()) {
      const all = [...new Set(own.map((row) => (row[name] ?? '').trim()))].filter(
        (text) => text !== '' && text.length < 40,
      );
      const names = namesOf(...all.map((text, at): [string, string] => [`X-${at + 1}`, text]));
      for (const [at, text] of all.entries()) {
        for (const form of FORMS) {
          const found = names.meaningOf(form(text, at + 1));
          if (found.kind === 'property') expect(found.property.number).toBe(`X-${at + 1}`);
          else expect([text, found.kind]).toEqual([text, 'ambiguous']);
        }
      }
    }
  });
});
