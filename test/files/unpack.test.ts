import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BrokenFile } from '../../src/files/broken-file.ts';
import { unpacked } from '../../src/files/unpack.ts';
import { BLOCKS_BZ2, OSM_BZ2, RUNS_BZ2, ZEROS_BZ2 } from '../support/bzip2.ts';
import { fileOf } from '../support/source-files.ts';

async function unpack(name: string, bytes: Buffer, chunk = 61): Promise<{ text: Buffer; broken: string | undefined }> {
  const chunks: Buffer[] = [];
  try {
    for await (const some of unpacked(fileOf(name, bytes, chunk)).bytes()) chunks.push(some);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    return { text: Buffer.concat(chunks), broken: error.message };
  }
  return { text: Buffer.concat(chunks), broken: undefined };
}

const BLOCKS = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz\n'.repeat(8_000));
const RUNS = Buffer.concat(Array.from({ length: 600 }, (_, i) => Buffer.alloc(i, 65 + (i % 3))));

describe('a packed file', () => {
  it('is recognised by its bytes, whatever its name', async () => {
    const plain = Buffer.from('{"a":1}');
    for (const name of ['a.json', 'a.json.gz', 'a.json.bz2']) {
      expect(await unpack(name, gzipSync(plain), 1)).toEqual({ text: plain, broken: undefined });
      expect((await unpack(name, OSM_BZ2, 1)).text.toString()).toMatch(/^<\?xml/);
    }
    for (const text of [plain, Buffer.from('BZ'), Buffer.alloc(0)]) {
      for (const name of ['a.json', 'a.json.gz', 'a.json.bz2']) {
        expect(await unpack(name, text, 1)).toEqual({ text, broken: undefined });
      }
    }
  });
});

describe('bzip2', () => {
  it('is unpacked: blocks, runs, several streams', async () => {
    expect((await unpack('a', BLOCKS_BZ2)).text.equals(BLOCKS)).toBe(true);
    expect((await unpack('a', RUNS_BZ2, 7)).text.equals(RUNS)).toBe(true);
    expect((await unpack('a', OSM_BZ2)).text.toString()).toMatch(/^<\?xml.*<\/osm>\n$/s);
    const both = await unpack('a', Buffer.concat([RUNS_BZ2, BLOCKS_BZ2, Buffer.alloc(512)]));
    expect([both.text.equals(Buffer.concat([RUNS, BLOCKS])), both.broken]).toEqual([true, undefined]);
  });

  it('that is cut off yields the blocks before the cut, and an error', async () => {
    for (let cut = 3; cut < BLOCKS_BZ2.length; cut += 5) {
      const { text, broken } = await unpack('a', BLOCKS_BZ2.subarray(0, cut));
      expect(broken).toMatch(/bzip2 is damaged or cut off/);
      expect(text.equals(BLOCKS.subarray(0, text.length))).toBe(true);
    }
    expect((await unpack('a', BLOCKS_BZ2.subarray(0, -12))).text.length).toBeGreaterThan(190_000);
    expect((await unpack('a', Buffer.concat([RUNS_BZ2, Buffer.from('more')]))).broken).toMatch(/damaged/);
  });

  it('that is damaged yields no wrong byte', async () => {
    for (let at = 3; at < BLOCKS_BZ2.length; at += 3) {
      const bytes = Buffer.from(BLOCKS_BZ2);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      const { text, broken } = await unpack('a', bytes);
      expect(text.equals(BLOCKS.subarray(0, text.length))).toBe(true);
      if (text.length < BLOCKS.length) expect(broken).toMatch(/damaged/);
    }
  });

  it('that unpacks to far more than text would do is refused', async () => {
    const { text, broken } = await unpack('a', ZEROS_BZ2);
    expect(broken).toMatch(/its bzip2 unpacks to far more/);
    expect(text.length).toBeLessThan(100 << 20);
  });
});
