import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/files/split-lines.ts';
import { isBlank, readLine } from '../../../src/sources/records/read-line.ts';

const MERGE = '{"kind":"merge","from":"ASSET-JP-13-00000002","into":"ASSET-JP-13-00000001"}';

function lineOf(content: string | number[], rest: Partial<Line> = {}): Line {
  const bytes = Buffer.from(content as string);
  return { number: 1, bytes, length: bytes.length, ended: true, ...rest };
}

describe('read line', () => {
  it.each<[string, Line]>([
    ['plain', lineOf(MERGE)],
    ['without a newline', lineOf(MERGE, { ended: false })],
    ['with the CR of a CRLF', lineOf(`${MERGE}\r`)],
    ['with space around', lineOf(` \t${MERGE}  `)],
    ['behind a BOM on the first line', lineOf(`\ufeff${MERGE}`)],
    ['behind a BOM, with a CR', lineOf(`\ufeff${MERGE}\r`)],
  ])('reads an entry %s', (_, line) => {
    expect(readLine(line)).toEqual({
      ok: true,
      value: { kind: 'merge', from: 1_300_000_002, into: 1_300_000_001, reason: null },
    });
  });

  it.each<[string, Line, string]>([
    ['a line that is not JSON', lineOf('nonsense'), 'not JSON'],
    ['half a line that a newline ended', lineOf(MERGE.slice(0, 30)), 'not JSON'],
    [
      'a file that stops in its last line',
      lineOf(MERGE.slice(0, 30), { ended: false }),
      'not JSON: the file ends inside this line',
    ],
    ['a bad last line that is whole', lineOf('{"kind":"x"}', { ended: false }), 'kind must be area, record or merge'],
    ['a list', lineOf('[]'), 'not a JSON object'],
    ['Latin-1 for UTF-8', lineOf([0x22, 0xe9, 0x22]), 'the line is not UTF-8'],
    ['Shift JIS for UTF-8', lineOf([0x22, 0x93, 0x8c, 0x8b, 0x9e, 0x22]), 'the line is not UTF-8'],
    ['half a character', lineOf([0x22, 0xe6, 0x9d, 0x22]), 'the line is not UTF-8'],
    ['a surrogate in UTF-8', lineOf([0x22, 0xed, 0xa0, 0x80, 0x22]), 'the line is not UTF-8'],
    ['UTF-16', lineOf([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), 'the line is not UTF-8'],
    ['two entries', lineOf(MERGE + MERGE), 'not JSON'],
    [
      'a line over the limit',
      { number: 1, bytes: undefined, length: 16_777_217, ended: true },
      'the line is 16777217 bytes long, more than a record can be',
    ],
  ])('refuses %s', (_, line, failure) => {
    expect(readLine(line)).toEqual({ ok: false, failure });
  });
});

describe('blank line', () => {
  it.each(['', '\r', ' ', '\t \r'])('%j is blank', (text) => {
    expect(isBlank(lineOf(text))).toBe(true);
  });

  it.each(['{}', 'x', '0', MERGE])('%j is not blank', (text) => {
    expect(isBlank(lineOf(text))).toBe(false);
  });

  it('is not a line over the limit', () => {
    expect(isBlank({ number: 1, bytes: undefined, length: 16_777_217, ended: true })).toBe(false);
  });

  it('is blank whatever its length', () => {
    expect(isBlank(lineOf(' '.repeat(200)))).toBe(true);
  });

  it('is not a line of invalid UTF-8, which is reported', () => {
    expect(isBlank(lineOf([0xa0]))).toBe(false);
    expect(isBlank(lineOf([0xa0, 0x20, 0xa0]))).toBe(false);
  });
});
