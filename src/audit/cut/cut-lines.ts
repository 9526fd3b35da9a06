import { MAX_PIECE } from './piece.ts';

export interface Line {
  number: number;
  offset: number;
  /** Without its line end. */
  bytes: Buffer;
}

const [NEWLINE, RETURN, QUOTE] = [0x0a, 0x0d, 0x22];

/**
 * The lines of a file. With `quotes`, a line end inside double quotes ends no line but is counted, as in CSV; and a
 * carriage return ends a line too.
 */
export async function* cutLines(chunks: AsyncIterable<Buffer>, quotes: boolean): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let heldLength = 0;
  let number = 1;
  let next = 1;
  let offset = 0;
  let base = 0;
  let inQuotes = false;
  let afterReturn = false;
  const take = (last: Buffer): Line => {
    const bytes = heldLength > MAX_PIECE ? Buffer.alloc(0) : Buffer.concat([...held, last]);
    held = [];
    heldLength = 0;
    return { number, offset, bytes };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (quotes && byte === QUOTE) inQuotes = !inQuotes;
      const isSecondHalf = byte === NEWLINE && afterReturn;
      afterReturn = quotes && byte === RETURN;
      if (isSecondHalf && !inQuotes && from === i && heldLength === 0) {
        from = i + 1;
        offset = base + from;
        continue;
      }
      if (byte !== NEWLINE && !afterReturn) continue;
      if (!isSecondHalf) next += 1;
      if (inQuotes) continue;
      yield take(chunk.subarray(from, i));
      from = i + 1;
      number = next;
      offset = base + from;
    }
    const rest = chunk.subarray(from);
    heldLength += rest.length;
    if (heldLength <= MAX_PIECE) held.push(Buffer.from(rest));
    else held = [];
    base += chunk.length;
  }
  if (heldLength > 0) yield take(Buffer.alloc(0));
}
