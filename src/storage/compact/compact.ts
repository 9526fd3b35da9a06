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
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const block = blocks.compress(bytes);
  const head = [DICTIONARY_1];
  let size = bytes.length;
  for (; size > 0x7f; size >>>= 7) head.push((size & 0x7f) | 0x80);
  head.push(size);
  const stored = Buffer.allocUnsafe(head.length + block.length);
  stored.set(head);
  stored.set(block, head.length);
  return stored;
}

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
  expander.expand(stored.subarray(at), size);
}
