import { describe, expect, it } from 'vitest';
import { cutElements } from '../../src/audit/cut/cut-elements.ts';
import { cutLines } from '../../src/audit/cut/cut-lines.ts';
import { cutObjects } from '../../src/audit/cut/cut-objects.ts';
import { plainBytes, textOf } from '../../src/audit/cut/piece.ts';

/** The same bytes in chunks of any size: a cutter must not care where they end. */
async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const SIZES = [1, 2, 3, 7, 64, 1_000_000];

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('raw bytes are cut', () => {
  const xml = Buffer.from(
    '<?xml version="1.0"?>\r\n<m>\n<a:b x=">1"\n id="1"><a:b/><c>建</c></a:b>\r<bb/><b id=\'2\'/>\n<b id="3">never closed',
  );

  it.each(SIZES)('AUD-02 as elements, whatever they hold, in chunks of %i', async (size) => {
    const found = await all(cutElements(chunksOf(xml, size), ['b']));
    expect(found.map(({ bytes, line, isCut }) => [bytes.toString(), line, isCut])).toEqual([
      ['<a:b x=">1"\n id="1"><a:b/><c>建</c></a:b>', 4, false],
      ['<a:b/>', 4, false],
      ["<b id='2'/>", 5, false],
      ['<b id="3">never closed', 6, true],
    ]);
    for (const { offset, bytes } of found) expect(xml.subarray(offset, offset + bytes.length)).toEqual(bytes);
  });

  it.each(SIZES)('AUD-02 as objects of a depth, in chunks of %i', async (size) => {
    const json = Buffer.from('{"a":[\n{"t":"}{\\"","n":{"x":[1]}},\n{"建":2}],"b":{"c":3}}');
    const found = await all(cutObjects(chunksOf(json, size), 3));
    expect(found.map(({ bytes, line }) => [bytes.toString(), line])).toEqual([
      ['{"t":"}{\\"","n":{"x":[1]}}', 2],
      ['{"建":2}', 3],
    ]);
    for (const { offset, bytes } of found) expect(json.subarray(offset, offset + bytes.length)).toEqual(bytes);
  });

  it.each(SIZES)('AUD-02 as lines and as rows with quotes, in chunks of %i', async (size) => {
    const csv = Buffer.from('a,b\r\n"1\r\n""2\n",x\n\ny\rz');
    const rows = await all(cutLines(chunksOf(csv, size), true));
    expect(rows.map(({ number, bytes }) => [number, bytes.toString()])).toEqual([
      [1, 'a,b'],
      [2, '"1\r\n""2\n",x'],
      [5, ''],
      [6, 'y'],
      [7, 'z'],
    ]);
    for (const { offset, bytes } of rows) expect(csv.subarray(offset, offset + bytes.length)).toEqual(bytes);
    const lines = await all(cutLines(chunksOf(csv, size), false));
    expect(lines.map(({ number, bytes }) => [number, bytes.toString()])).toEqual([
      [1, 'a,b\r'],
      [2, '"1\r'],
      [3, '""2'],
      [4, '",x'],
      [5, ''],
      [6, 'y\rz'],
    ]);
  });

  it('AUD-02 and shown as text in the encodings of Japanese files, and as what can be shown where they are none', async () => {
    expect(textOf(Buffer.from('建物'))).toBe('建物');
    expect(textOf(Buffer.from('8c9a95a8', 'hex'))).toBe('建物');
    expect(textOf(Buffer.from('ff8041', 'hex'))).toContain('A');
    const utf16 = Buffer.from('\ufeff建物', 'utf16le');
    const file = { name: 'a.csv', size: utf16.length, bytes: () => chunksOf(utf16, 5) };
    expect(Buffer.concat(await all(plainBytes(file))).toString()).toBe('建物');
  });
});
