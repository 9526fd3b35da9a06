import { describe, expect, it } from 'vitest';
import { cutLines, cutObjects } from '../../src/audit/cut/cut-bytes.ts';
import { cutElements } from '../../src/audit/cut/cut-elements.ts';
import { findHtmlRows } from '../../src/audit/cut/find-table-rows.ts';
import { cutPbf } from '../../src/audit/cut/osm-elements.ts';
import { decodeBytes, plainBytes, type RawPiece } from '../../src/audit/cut/piece.ts';
import { BrokenFile } from '../../src/files/broken-file.ts';
import { writePbf } from '../support/write-pbf.ts';

/** The same bytes in chunks of any size, which must not affect the result. */
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

  it.each(SIZES)('AUD-02 as elements with any content, in chunks of %i', async (size) => {
    const found = await all(cutElements(chunksOf(xml, size), ['b']));
    expect(found.map(({ bytes, line, isCut }) => [bytes.toString(), line, isCut])).toEqual([
      ['<a:b x=">1"\n id="1"><a:b/><c>建</c></a:b>', 4, false],
      ['<a:b/>', 4, false],
      ["<b id='2'/>", 5, false],
      ['<b id="3">never closed', 6, true],
    ]);
    for (const { offset, bytes } of found) expect(xml.subarray(offset, offset + bytes.length)).toEqual(bytes);
  });

  it.each(SIZES)('AUD-02 as objects of one depth, in chunks of %i', async (size) => {
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

  it('AUD-02 as elements of a PBF, with node positions on ways (LocationsOnWays)', async () => {
    const refs = [11, 12];
    const pbf = writePbf([
      {
        type: 'way',
        id: 1,
        refs,
        places: [
          [139.75, 35.715],
          [139.7502, 35.7148],
        ],
        tags: { building: 'yes' },
      },
      { type: 'way', id: 2, refs },
    ]);
    const file = { name: 'a.osm.pbf', size: pbf.length, bytes: () => chunksOf(pbf, 64) };
    const order = { keys: new Set(['way/1', 'way/2']), outlines: new Set<string>(), texts: [], sizes: [] };
    const found = await all(cutPbf(file, order));
    expect(found.map(({ bytes }) => bytes.toString().split('\n').slice(1, 3))).toEqual([
      ['  <nd ref="11" lat="35.715" lon="139.75"/>', '  <nd ref="12" lat="35.7148" lon="139.7502"/>'],
      ['  <nd ref="11"/>', '  <nd ref="12"/>'],
    ]);
  });

  it.each([
    ['<tr '.repeat(100_000)],
    ['<table>'.repeat(4_000)],
    [`<table><tr><td>名${'<'.repeat(300_000)}</table>`],
    [`<table><tr>${'<td>'.repeat(100_000)}</tr></table>`],
    [`<table a="${'x'.repeat(300_000)}`],
    [`<table>${'<tr><td>名'.repeat(2_000)}</table>`],
  ])('AUD-05 in linear time for any input (%#)', async (text) => {
    const bytes = Buffer.from(text);
    const file = { name: 'a.htm', size: bytes.length, bytes: () => chunksOf(bytes, 65_536) };
    const wanted = { source: 'edinet', id: '1', line: 1, name: '名', venues: [], outline: false, size: undefined };
    const found = await findHtmlRows(file, [wanted]).catch((error: unknown) => {
      expect(error).toBeInstanceOf(BrokenFile);
      return new Map<unknown, RawPiece[]>();
    });
    for (const pieces of found.values()) expect(pieces.length).toBeLessThan(20);
  });

  it('AUD-02 and decoded in the encodings of Japanese files, with replacement characters for other bytes', async () => {
    expect(decodeBytes(Buffer.from('建物'))).toBe('建物');
    expect(decodeBytes(Buffer.from('8c9a95a8', 'hex'))).toBe('建物');
    expect(decodeBytes(Buffer.from('ff8041', 'hex'))).toContain('A');
    const utf16 = Buffer.from('\ufeff建物', 'utf16le');
    const file = { name: 'a.csv', size: utf16.length, bytes: () => chunksOf(utf16, 5) };
    expect(Buffer.concat(await all(plainBytes(file))).toString()).toBe('建物');
  });
});
