import { readFileSync } from 'node:fs';
import { BlockExpander } from './block-expander.ts';
import { LzBlocks } from './lz-block.ts';

/** Text as it is stored: compact, or as earlier versions stored it. */
export type StoredText = string | Uint8Array;

/**
 * The first byte of compact text. JSON never begins with it. The dictionary and the codes that it was compressed with must
 * never change; better ones get a byte and files of their own.
 */
const DICTIONARY_1 = 1;
const dictionary = readPart('dictionary-1.txt');
const codeLengths = readCodeLengths('codes-1.txt');
const blocks = new LzBlocks(dictionary, codeLengths);
const expander = new BlockExpander(dictionary, codeLengths);

function readPart(name: string): Uint8Array {
  return readFileSync(new URL(name, import.meta.url));
}

/** A hexadecimal digit for each. */
function readCodeLengths(name: string): Uint8Array {
  return readPart(name).map((digit) => Number.parseInt(String.fromCharCode(digit), 16));
}

/** The same text in fewer bytes. */
export function compact(text: string | Uint8Array): Uint8Array {
  const size = blocks.read(text);
  const most = LONGEST_HEAD + LzBlocks.longest(size);
  if (used + most > shelf.length) {
    shelf = new Uint8Array(Math.max(SHELF, most));
    used = 0;
  }
  const start = used;
  shelf[used++] = DICTIONARY_1;
  let rest = size;
  for (; rest > 0x7f; rest >>>= 7) shelf[used++] = (rest & 0x7f) | 0x80;
  shelf[used++] = rest;
  used = blocks.write(size, shelf, used);
  return shelf.subarray(start, used);
}

/**
 * Compact texts lie one after the other, because another thread that gets some of them gets all the bytes around them too:
 * in Node's own pool these are mostly the bytes of texts that were compressed.
 */
const SHELF = 65_536;
const LONGEST_HEAD = 6;
let shelf = new Uint8Array(0);
let used = 0;

/** The bytes of a stored text. */
export function expand(stored: StoredText): Buffer {
  if (typeof stored === 'string') return Buffer.from(stored);
  if (stored[0] !== DICTIONARY_1) return Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  expandNext(stored);
  return Buffer.from(expander.take());
}

export function expandText(stored: StoredText): string {
  if (typeof stored === 'string') return stored;
  let bytes = stored;
  if (stored[0] === DICTIONARY_1) {
    expandNext(stored);
    bytes = expander.take();
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** The bytes of stored texts one after the other. */
export function expandAll(parts: readonly Uint8Array[]): Buffer {
  for (const part of parts) {
    if (part[0] === DICTIONARY_1) expandNext(part);
    else expander.add(part);
  }
  return Buffer.from(expander.take());
}

function expandNext(stored: Uint8Array): void {
  let [at, size] = [1, 0];
  for (let shift = 0; ; shift += 7) {
    const byte = stored[at++];
    if (byte === undefined) throw new Error('a compact text is damaged');
    size |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  expander.expand(stored, at, size);
}
