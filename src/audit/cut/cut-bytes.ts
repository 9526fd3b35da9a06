import { MAX_PIECE } from './piece.ts';

export interface CutLine {
  number: number;
  offset: number;
  /** Without the line end. */
  bytes: Buffer;
}

const [NEWLINE, RETURN, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x22, 0x5c];

/**
 * The lines of a file. With `quotes`, as in CSV, a line end inside double quotes is counted but does not end the line, and a
 * carriage return ends a line too.
 */
export async function* cutLines(chunks: AsyncIterable<Buffer>, quotes: boolean): AsyncGenerator<CutLine> {
  let held: Buffer[] = [];
  let heldLength = 0;
  let number = 1;
  let next = 1;
  let offset = 0;
  let base = 0;
  let inQuotes = false;
  let afterReturn = false;
  const take = (last: Buffer): CutLine => {
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

interface JsonObject {
  line: number;
  offset: number;
  bytes: Buffer;
}

const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const OBJECT = 0x7b;

/** Cuts out the objects at one depth of a JSON document by their braces. The outermost value has depth 1. */
export async function* cutObjects(chunks: AsyncIterable<Buffer>, depth: number): AsyncGenerator<JsonObject> {
  let open = 0;
  let inString = false;
  let isEscaped = false;
  let line = 1;
  let base = 0;
  let held: Buffer[] = [];
  let heldLength = 0;
  let start: { line: number; offset: number } | undefined;
  for await (const chunk of chunks) {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (byte === NEWLINE) line += 1;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (OPEN.has(byte)) {
        open += 1;
        if (open === depth && byte === OBJECT) {
          start = { line, offset: base + i };
          from = i;
        }
      } else if (CLOSE.has(byte)) {
        if (open === depth && start !== undefined) {
          const bytes = Buffer.concat([...held, chunk.subarray(from, i + 1)]);
          if (heldLength <= MAX_PIECE) yield { ...start, bytes };
          start = undefined;
          held = [];
          heldLength = 0;
        }
        open -= 1;
      }
    }
    if (start !== undefined) {
      const rest = chunk.subarray(from);
      heldLength += rest.length;
      if (heldLength <= MAX_PIECE) held.push(Buffer.from(rest));
      else held = [];
    }
    base += chunk.length;
  }
}
