import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, linesOf, MAX_LINE_BYTES, type Portion, splitPortions } from '../../src/files/split-lines.ts';

async function* streamOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function portionsOf(...chunks: (string | Buffer)[]): Promise<Portion[]> {
  const buffers = chunks.map((chunk) => Buffer.from(chunk));
  return Array.fromAsync(splitPortions(streamOf(buffers)));
}

async function readAll(...chunks: (string | Buffer)[]): Promise<Line[]> {
  return (await portionsOf(...chunks)).flatMap(linesOf);
}

const shown = (lines: Line[]) => lines.map(({ number, bytes, ended }) => [number, bytes?.toString('latin1'), ended]);

/** The same lines, from one text in memory. */
function expectedLines(bytes: Buffer): Line[] {
  const parts = bytes.toString('latin1').split('\n');
  const last = parts.pop() as string;
  const lines = parts.map((text) => ({ text, ended: true }));
  if (last !== '') lines.push({ text: last, ended: false });
  return lines.map(({ text, ended }, i) => ({
    number: i + 1,
    bytes: Buffer.from(text, 'latin1'),
    length: text.length,
    ended,
  }));
}

const bytes = fc
  .array(fc.oneof({ arbitrary: fc.constant(0x0a), weight: 1 }, { arbitrary: fc.nat({ max: 255 }), weight: 3 }), {
    maxLength: 60,
  })
  .map((list) => Buffer.from(list));
const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 8 });

function chunksOf(whole: Buffer, at: number[]): Buffer[] {
  const places = [0, ...[...at].sort((a, b) => a - b), whole.length];
  return places.slice(1).map((to, i) => whole.subarray(places[i], to));
}

describe('split lines', () => {
  it.each<[string, string[], unknown[][]]>([
    ['an empty file', [], []],
    ['an empty chunk', [''], []],
    ['one line', ['a\n'], [[1, 'a', true]]],
    [
      'no newline at the end',
      ['a\nb'],
      [
        [1, 'a', true],
        [2, 'b', false],
      ],
    ],
    ['a newline alone', ['\n'], [[1, '', true]]],
    [
      'newlines alone',
      ['\n\n\n'],
      [
        [1, '', true],
        [2, '', true],
        [3, '', true],
      ],
    ],
    [
      'empty lines between',
      ['a\n\nb\n'],
      [
        [1, 'a', true],
        [2, '', true],
        [3, 'b', true],
      ],
    ],
    [
      'a newline in a chunk of its own',
      ['a', '\n', 'b'],
      [
        [1, 'a', true],
        [2, 'b', false],
      ],
    ],
    [
      'a line over three chunks',
      ['a', 'b', 'c\nd'],
      [
        [1, 'abc', true],
        [2, 'd', false],
      ],
    ],
    [
      'empty chunks between',
      ['a', '', '\n', '', 'b\n', ''],
      [
        [1, 'a', true],
        [2, 'b', true],
      ],
    ],
    [
      'CRLF, with the CR left to the reader',
      ['a\r\nb\r\n'],
      [
        [1, 'a\r', true],
        [2, 'b\r', true],
      ],
    ],
    [
      'CRLF cut in two',
      ['a\r', '\nb'],
      [
        [1, 'a\r', true],
        [2, 'b', false],
      ],
    ],
    ['a CR alone, which ends no line', ['a\rb\n'], [[1, 'a\rb', true]]],
    ['line separators of Unicode, which end no line', ['a\u0085\u000bb\n'], [[1, 'a\u00c2\u0085\u000bb', true]]],
  ])('%s', async (_, chunks, lines) => {
    expect(shown(await readAll(...chunks))).toEqual(lines);
  });

  it('keeps the bytes of a BOM', async () => {
    const [first, second] = await readAll(Buffer.from([0xef, 0xbb]), Buffer.from([0xbf, 0x61, 0x0a, 0x62]));
    expect(first?.bytes).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0x61]));
    expect(second?.bytes?.toString()).toBe('b');
  });

  it('finds the same lines, with the same numbers, however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, cuts, async (whole, at) => {
        expect(await readAll(...chunksOf(whole, at))).toEqual(expectedLines(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('cuts portions between lines that add up to the file', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, cuts, async (whole, at) => {
        const portions = await portionsOf(...chunksOf(whole, at));
        expect(Buffer.concat(portions.map((portion) => portion.bytes))).toEqual(whole);
        let [line, end] = [1, 0];
        for (const portion of portions) {
          expect(portion.firstLine).toBe(line);
          expect(portion.lines).toBe(linesOf(portion).length);
          expect(portion.lines).toBeGreaterThan(0);
          expect(portion.end).toBe(end + portion.bytes.length);
          expect(portion.ended).toBe(portion.bytes.at(-1) === 0x0a);
          expect(portion.tooLong).toBeUndefined();
          line += portion.lines;
          end = portion.end;
        }
        expect(end).toBe(whole.length);
        expect(portions.slice(0, -1).every(({ ended }) => ended)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('reads a portion that was sent to a worker, even a view into a larger buffer', () => {
    const larger = new Uint8Array(Buffer.from('xxa\nb\nxx'));
    const lines = linesOf({ bytes: larger.subarray(2, 6), firstLine: 7, ended: true });
    expect(shown(lines)).toEqual([
      [7, 'a', true],
      [8, 'b', true],
    ]);
  });
});

describe('a line longer than a record can be', () => {
  const long = Buffer.alloc(MAX_LINE_BYTES + 1, 0x78);
  const pieces = (line: Buffer, size: number) =>
    Array.from({ length: Math.ceil(line.length / size) }, (_, i) => line.subarray(i * size, (i + 1) * size));
  /** Shows long lines by their length, so that a failure does not print megabytes. */
  const brief = (lines: Line[]) =>
    lines.map(({ number, bytes, length, ended }) => [
      number,
      bytes === undefined ? 'too long' : length < 10 ? bytes.toString() : 'whole',
      length,
      ended,
    ]);
  const stream = async (...chunks: (string | Buffer)[]) =>
    Array.fromAsync(splitPortions(streamOf(chunks.map((c) => (typeof c === 'string' ? Buffer.from(c) : c)))));

  const around = [
    [1, 'a', 1, true],
    [2, 'too long', MAX_LINE_BYTES + 1, true],
    [3, 'b', 1, true],
    [4, 'c', 1, false],
  ];

  it.each<[string, (string | Buffer)[]]>([
    ['in one chunk', ['a\n', long, '\nb\nc']],
    ['in many chunks', ['a\n', ...pieces(long, 3_000_000), '\nb\nc']],
    [
      'begun at the end of a chunk',
      [Buffer.concat([Buffer.from('a\n'), long.subarray(0, 5)]), long.subarray(5), '\nb\nc'],
    ],
    [
      'ended in the middle of a chunk',
      ['a\n', long.subarray(0, -5), Buffer.concat([long.subarray(-5), Buffer.from('\nb\nc')])],
    ],
    [
      'with its newline in one chunk with all others',
      [Buffer.concat([Buffer.from('a\n'), long, Buffer.from('\nb\nc')])],
    ],
    ['with its newline alone', ['a\n', long, '\n', 'b\n', 'c']],
  ])('is skipped, %s, and the others keep their numbers', async (_, chunks) => {
    const portions = await stream(...chunks);
    expect(brief(portions.flatMap(linesOf))).toEqual(around);
    expect(portions.reduce((sum, { lines }) => sum + lines, 0)).toBe(4);
    expect(portions.at(-1)?.end).toBe(MAX_LINE_BYTES + 7);
  });

  it('is represented only by its length in its portion', async () => {
    const portions = await stream(...pieces(long, 3_000_000), long, '\n');
    expect(portions).toEqual([
      {
        bytes: new Uint8Array(),
        firstLine: 1,
        lines: 1,
        end: 2 * long.length + 1,
        ended: true,
        tooLong: 2 * long.length,
      },
    ]);
  });

  it('at the end of the file has no newline', async () => {
    expect(brief((await stream('a\n', long)).flatMap(linesOf))).toEqual([
      [1, 'a', 1, true],
      [2, 'too long', MAX_LINE_BYTES + 1, false],
    ]);
  });

  it('may follow another', async () => {
    expect(brief((await stream(long, '\n', long, '\na\n')).flatMap(linesOf))).toEqual([
      [1, 'too long', MAX_LINE_BYTES + 1, true],
      [2, 'too long', MAX_LINE_BYTES + 1, true],
      [3, 'a', 1, true],
    ]);
  });

  it.each<[string, (string | Buffer)[]]>([
    ['in one chunk', [long.subarray(1), '\na\n']],
    ['in many chunks', [...pieces(long.subarray(1), 3_000_000), '\na\n']],
  ])('is at least one byte longer than the limit, %s', async (_, chunks) => {
    expect(brief((await stream(...chunks)).flatMap(linesOf))).toEqual([
      [1, 'whole', MAX_LINE_BYTES, true],
      [2, 'a', 1, true],
    ]);
  });
});
