const NEWLINE = 0x0a;

/** Whole lines of a file, as bytes. */
export interface Portion {
  bytes: Uint8Array;
  /** The number of its first line, counted from 1. */
  firstLine: number;
  lines: number;
  /** Its end position in the file. */
  end: number;
  /** Whether its last line ends with a newline; that of a half-written file does not. */
  ended: boolean;
  /** The length of a line longer than the limit, which is a portion of its own without bytes. */
  tooLong?: number;
}

export interface Line {
  number: number;
  /** Undefined if the line is longer than the limit. */
  bytes: Buffer | undefined;
  length: number;
  ended: boolean;
}

/** A longer line is skipped without being held in memory. */
export const MAX_LINE_BYTES = 16 << 20;

/** Cuts a stream of bytes into portions of whole lines. */
export async function* splitPortions(chunks: AsyncIterable<Buffer>): AsyncGenerator<Portion> {
  let held: Buffer[] = [];
  let heldLength = 0;
  let firstLine = 1;
  let end = 0;

  const take = (part: Buffer, ended: boolean): Portion => {
    const length = heldLength + part.length;
    const lines = countNewlines(part) + (ended ? 0 : 1);
    const whole = heldLength <= MAX_LINE_BYTES;
    end += length;
    const portion: Portion = {
      bytes: whole ? Buffer.concat([...held, part], length) : new Uint8Array(),
      firstLine,
      lines,
      end,
      ended,
    };
    if (!whole) portion.tooLong = length - (ended ? 1 : 0);
    firstLine += lines;
    held = [];
    heldLength = 0;
    return portion;
  };

  for await (const chunk of chunks) {
    let rest = chunk;
    if (heldLength > MAX_LINE_BYTES) {
      const newline = rest.indexOf(NEWLINE);
      if (newline !== -1) {
        yield take(rest.subarray(0, newline + 1), true);
        rest = rest.subarray(newline + 1);
      }
    }
    const last = heldLength > MAX_LINE_BYTES ? -1 : rest.lastIndexOf(NEWLINE);
    if (last !== -1) {
      yield take(rest.subarray(0, last + 1), true);
      rest = rest.subarray(last + 1);
    }
    heldLength += rest.length;
    if (heldLength > MAX_LINE_BYTES) held = [];
    else if (rest.length > 0) held.push(rest);
  }
  if (heldLength > 0) yield take(Buffer.alloc(0), false);
}

/** The lines of one portion. */
export function linesOf({
  bytes,
  firstLine,
  ended,
  tooLong,
}: Pick<Portion, 'bytes' | 'firstLine' | 'ended' | 'tooLong'>): Line[] {
  if (tooLong !== undefined) return [{ number: firstLine, bytes: undefined, length: tooLong, ended }];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Line[] = [];
  for (let start = 0, number = firstLine; start < buffer.length; number++) {
    const newline = buffer.indexOf(NEWLINE, start);
    const stop = newline === -1 ? buffer.length : newline;
    const length = stop - start;
    const line = length > MAX_LINE_BYTES ? undefined : buffer.subarray(start, stop);
    lines.push({ number, bytes: line, length, ended: newline !== -1 });
    start = stop + 1;
  }
  return lines;
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
