import { MAX_PIECE } from './piece.ts';

interface JsonObject {
  line: number;
  offset: number;
  bytes: Buffer;
}

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a];
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const OBJECT = 0x7b;

/** The objects of a JSON document at one depth, cut by their braces: the outermost value is at depth 1. */
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
