import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenFile } from '../../src/files/broken-file.ts';
import { type JsonLine, own, readJson, readJsonLines } from '../../src/files/read-json.ts';
import type { SourceFile } from '../../src/files/source-file.ts';
import { unpacked } from '../../src/files/unpack.ts';
import { fileOf } from '../support/source-files.ts';

async function linesIn(file: SourceFile): Promise<{ lines: JsonLine[]; broken: string | undefined }> {
  const lines: JsonLine[] = [];
  try {
    for await (const some of readJsonLines(file)) lines.push(...some);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    return { lines, broken: error.message };
  }
  return { lines, broken: undefined };
}

const read = (text: string | Uint8Array, chunk?: number) => linesIn(fileOf('a.json', text, chunk));

describe('readJsonLines', () => {
  it.each([
    ['\ufeff[\r\n{"a":1},\r\n{"a":2}\r\n]\r\n', [2, 3]],
    ['[\n{"a":1},\n{"a":2}\n]', [2, 3]],
    ['{"a":1}\n\n{"a":2}', [1, 3]],
  ])('reads one value to a line: %j', async (text, at) => {
    const expected = at.map((line, index) => ({ line, value: { a: index + 1 } }));
    for (const chunk of [1, 7, 1000]) {
      expect(await read(text, chunk)).toEqual({ lines: expected, broken: undefined });
    }
  });

  it('continues after a line that is not JSON or not UTF-8', async () => {
    const text = Buffer.concat([Buffer.from('{"a":1}\n{"a":\n"'), Buffer.from([0xff]), Buffer.from('"\n2\n')]);
    expect((await read(text)).lines).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, fault: 'the line is not JSON' },
      { line: 3, fault: 'the line is not JSON' },
      { line: 4, value: 2 },
    ]);
  });

  it('skips a line of more than 16 MB', async () => {
    const text = `1\n"${'x'.repeat(17 << 20)}"\n2\n`;
    expect((await read(text, 1 << 16)).lines).toEqual([
      { line: 1, value: 1 },
      { line: 2, fault: 'the line is longer than 16 MB' },
      { line: 3, value: 2 },
    ]);
  });

  it('yields the complete lines of a file that is cut off, and an error', async () => {
    const text = '[\n{"a":1},\n{"a":2}\n]';
    for (let cut = 2; cut < text.length; cut++) {
      const { lines, broken } = await read(text.slice(0, cut));
      expect(broken).toMatch(/cut off/);
      expect(lines.length).toBe([...text.slice(0, cut).matchAll(/\{"a":\d\}/g)].length);
    }
  });

  it('breaks with a file of another kind', async () => {
    const pretty = JSON.stringify(
      Array.from({ length: 20 }, () => ({ a: { b: 1 } })),
      null,
      1,
    );
    expect((await read(pretty)).broken).toMatch(/one complete value per line/);
  });

  it('throws no other errors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (bytes, chunk) => {
        await read(bytes, chunk);
      }),
      { numRuns: 300 },
    );
  });
});

describe('readJson', () => {
  it('reads a document of bounded size', async () => {
    expect(await readJson(fileOf('a.json', '\ufeff {"a":[1]}'), 1 << 20)).toEqual({ a: [1] });
    await expect(readJson(fileOf('a.json', '{"a":[1'), 1 << 20)).rejects.toThrow(/cut off/);
    await expect(readJson(fileOf('a.json', `"${'x'.repeat(2 << 20)}"`, 1 << 16), 1 << 20)).rejects.toThrow(/1 MB/);
  });

  it('has no inherited properties', () => {
    expect(own(JSON.parse('{"__proto__":{"a":1}}'), 'a')).toBeUndefined();
    expect(own({}, 'constructor')).toBeUndefined();
    expect(own([1], '0')).toBeUndefined();
    expect(own('text', 'length')).toBeUndefined();
  });
});

describe('unpacked', () => {
  const text = Array.from({ length: 3_000 }, (_, i) => `{"n":${i},"x":"${(i * 7919) % 9973}"}`).join('\n');
  const packed = gzipSync(text);

  it('reads gzip with one or several members', async () => {
    const several = Buffer.concat([gzipSync(text.slice(0, 1_000)), gzipSync(text.slice(1_000))]);
    for (const bytes of [packed, several]) {
      const { lines, broken } = await linesIn(unpacked(fileOf('a.json.gz', bytes, 1_000)));
      expect([lines.length, broken]).toEqual([3_000, undefined]);
    }
  });

  it('yields the complete lines before a cut', async () => {
    let before = 0;
    for (const share of [0.2, 0.5, 0.9, 0.999]) {
      const cut = packed.subarray(0, Math.floor(packed.length * share));
      const { lines, broken } = await linesIn(unpacked(fileOf('a.json.gz', cut, 1 << 16)));
      expect(broken).toMatch(/gzip is damaged or cut off/);
      expect(lines.length).toBeGreaterThan(before);
      expect(lines.every((line) => 'value' in line)).toBe(true);
      before = lines.length;
    }
    expect(before).toBeGreaterThan(2_900);
  });

  it('reads a file that was already unpacked, and stops at a decompression bomb', async () => {
    expect((await linesIn(unpacked(fileOf('a.json.gz', '{"a":1}')))).lines).toEqual([{ line: 1, value: { a: 1 } }]);
    const bomb = gzipSync(Buffer.alloc(120 << 20, 0x20), { level: 9 });
    expect((await linesIn(unpacked(fileOf('a.json.gz', bomb, 1 << 16)))).broken).toMatch(/far more/);
  });
});
