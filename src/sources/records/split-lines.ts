const NEWLINE = 0x0a;

export interface Line {
  /** Counted from 1. */
  number: number;
  /** Undefined where the line is longer than the limit. */
  bytes: Buffer | undefined;
  /** Where the line starts in the file. */
  offset: number;
  length: number;
  /** Whether a newline ended it: the last line of a half-written file has none. */
  ended: boolean;
}

/** Cuts a stream of bytes into its lines, some at a time; never holds more than one line beyond a chunk. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<Line[]> {
  let number = 1;
  let offset = 0;
  let held: Buffer[] = [];
  let heldLength = 0;

  const hold = (part: Buffer) => {
    if (heldLength + part.length <= maxLineBytes) held.push(part);
    else held = [];
    heldLength += part.length;
  };
  const take = (ended: boolean): Line => {
    const tooLong = heldLength > maxLineBytes;
    const bytes = tooLong ? undefined : held.length === 1 ? held[0] : Buffer.concat(held);
    const line = { number, bytes, offset, length: heldLength, ended };
    number += 1;
    offset += heldLength + (ended ? 1 : 0);
    held = [];
    heldLength = 0;
    return line;
  };

  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      hold(chunk.subarray(start, end));
      lines.push(take(true));
      start = end + 1;
    }
    if (start < chunk.length) hold(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (heldLength > 0) yield [take(false)];
}
