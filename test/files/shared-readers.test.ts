import { describe, expect, it } from 'vitest';
import { BrokenFile } from '../../src/files/broken-file.ts';
import { readCsv } from '../../src/files/read-csv.ts';
import { readXml } from '../../src/files/read-xml.ts';
import { fileOf } from '../support/source-files.ts';

async function rowsOf(content: string | Uint8Array, chunk?: number) {
  const rows = [];
  for await (const some of readCsv(fileOf('a.csv', content, chunk))) rows.push(...some);
  return rows;
}

async function eventsOf(content: string | Uint8Array): Promise<string[]> {
  const events: string[] = [];
  const handler = {
    open: (name: string, attributes: Readonly<Record<string, string>>, line: number) =>
      void events.push(`<${name}${Object.entries(attributes).map(([k, v]) => ` ${k}=${v}`)} @${line}`),
    close: (name: string) => void events.push(`/${name}`),
    text: (text: string) => void events.push(text),
  };
  for await (const _ of readXml(fileOf('a.xml', content, 7), handler));
  return events;
}

describe('readCsv', () => {
  it.each(['\n', '\r\n'])('reads rows with the line each begins in (%j)', async (newline) => {
    const text = ['名前,値', '"二行に\nわたる", 1 ', '', 'あ,"引用""符"'].join(newline);
    expect(await rowsOf(text)).toEqual([
      { line: 1, cells: ['名前', '値'] },
      { line: 2, cells: ['二行に\nわたる', '1'] },
      { line: 4, cells: [''] },
      { line: 5, cells: ['あ', '引用"符'], unended: true },
    ]);
  });

  it('reads UTF-8 with a byte order mark, CP932 and UTF-16', async () => {
    const cp932 = Buffer.from([0x93, 0x8c, 0x8b, 0x9e, 0x2c, 0x31, 0x0a]);
    for (const bytes of [Buffer.from('\ufeff東京,1\n'), cp932, Buffer.from('\ufeff東京,1\n', 'utf16le')]) {
      expect(await rowsOf(bytes, 3)).toEqual([{ line: 1, cells: ['東京', '1'] }]);
    }
  });

  it.each(['\n', '\r\n', '\r'])('counts a line end of %j inside quotes once', async (newline) => {
    const text = ['名前,値', `"二${newline}行${newline}", 1`, 'あ,2', ''].join('\r\n');
    expect((await rowsOf(Buffer.from(text))).map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('reads a table with different line ends', async () => {
    const rows = await rowsOf('a,b\r\nc,d\ne,f\r\n', 3);
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [1, 'a', 'b'],
      [2, 'c', 'd'],
      [3, 'e', 'f'],
    ]);
  });

  it.each([
    ['a quote that is never closed', Buffer.from('a,b\nc,d\ne,"f')],
    ['a quote inside a cell', Buffer.from('a,b\nc,d\ne,x"f\ng,h\n')],
    ['half a character', Buffer.from('a,b\nc,d\ne,東').subarray(0, -1)],
  ])('gives the rows before %s', async (_, bytes) => {
    for (const chunk of [1, 3, 100]) {
      const cells: string[][] = [];
      const reading = async () => {
        for await (const some of readCsv(fileOf('a.csv', bytes, chunk))) cells.push(...some.map((row) => row.cells));
      };
      await expect(reading()).rejects.toThrow(BrokenFile);
      expect(cells).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
    }
  });

  it('gives the rows before a row of more than 1 MB', async () => {
    const cells: string[][] = [];
    const reading = async () => {
      const file = fileOf('a.csv', Buffer.from(`a,b\nc,"${'x'.repeat((1 << 20) + 100)}"\n`), 1 << 16);
      for await (const some of readCsv(file)) cells.push(...some.map((row) => row.cells));
    };
    await expect(reading()).rejects.toThrow(/a row is longer than 1048576 characters/);
    expect(cells).toEqual([['a', 'b']]);
  });

  it('gives the reason if a file is not CSV', async () => {
    await expect(rowsOf('a,"b\n')).rejects.toThrow(/never closed/);
    await expect(rowsOf(Buffer.from([0x61, 0xff, 0xff, 0x0a]))).rejects.toThrow(BrokenFile);
  });

  it('yields the complete rows before a break', async () => {
    for (const broken of [
      'a,b\n1,2\n3,"x',
      Buffer.concat([Buffer.from('a,b\n1,2\n'.repeat(20_000)), Buffer.from([0xff])]),
    ]) {
      const rows = [];
      const read = async () => {
        for await (const some of readCsv(fileOf('a.csv', broken, 50_000))) rows.push(...some);
      };
      await expect(read()).rejects.toThrow(BrokenFile);
      expect(rows.length).toBeGreaterThan(1);
    }
  });

  it('reads many rows in order', async () => {
    const rows = await rowsOf(Array.from({ length: 5_000 }, (_, i) => `${i},x`).join('\n'), 1000);
    expect(rows.map((row) => row.cells[0])).toEqual(Array.from({ length: 5_000 }, (_, i) => String(i)));
    expect(rows[4_999]?.line).toBe(5_000);
  });
});

describe('readXml', () => {
  it('reports local names, attributes, lines and text', async () => {
    expect(await eventsOf('\ufeff<?xml version="1.0"?>\n<a:b x="1">\n<c>東京&amp;<![CDATA[<x>]]></c></a:b>')).toEqual([
      '<b x=1 @2',
      '<c @3',
      '東京&<x>',
      '/c',
      '/b',
    ]);
  });

  it.each([
    ['<a><b></a>', /well-formed/],
    ['<a><b>', /cut off/],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', /document type/],
    ['<a>&x;</a>', /well-formed/],
    [`<a ${Array.from({ length: 300 }, (_, i) => `a${i}=""`).join(' ')}/>`, /attributes/],
    ['<a>'.repeat(300), /nested/],
  ])('refuses XML that is malformed or over a limit: %.40s', async (xml, reason) => {
    await expect(eventsOf(xml)).rejects.toThrow(reason);
    await expect(eventsOf(xml)).rejects.toThrow(BrokenFile);
  });
});
