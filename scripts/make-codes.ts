/**
 * node bin/run.js scripts/make-codes.ts <registry.db> … > src/storage/compact/codes-<n>.txt
 *
 * Finds out how frequent each byte of compressed texts is, and writes the lengths of their codes. Stored texts depend on
 * them for ever: new ones get a new number.
 */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KINDS } from '../src/storage/compact/block-format.ts';
import { expandText, type StoredText } from '../src/storage/compact/compact.ts';
import { LzBlocks } from '../src/storage/compact/lz-block.ts';

const LONGEST = 12;
const TEXTS_OF_A_KIND = 5_000;
const QUERIES = [
  'select body as text from page',
  'select body as text from nearby',
  'select canonical as text from building_version',
  'select body as text from statement',
];
const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: make-codes.ts <registry.db> …');

const dictionary = readFileSync(new URL('../src/storage/compact/dictionary-1.txt', import.meta.url));
const blocks = new LzBlocks(dictionary, new Uint8Array(KINDS * 256).fill(8));
const frequencies = Array.from({ length: KINDS }, () => new Float64Array(256));
for (const file of files) {
  const database = new DatabaseSync(file, { readOnly: true });
  for (const query of QUERIES) {
    const [{ count }] = database.prepare(`select count(*) as count from (${query})`).all() as [{ count: number }];
    const every = Math.ceil(count / TEXTS_OF_A_KIND);
    let i = 0;
    for (const { text } of database.prepare(query).iterate()) {
      if (i++ % every !== 0) continue;
      // Kinds of texts and registries count alike, however many texts there are.
      for (const symbol of blocks.symbols(blocks.read(expandText(text as StoredText)))) {
        const frequency = frequencies[symbol >>> 8] as Float64Array;
        frequency[symbol & 0xff] = (frequency[symbol & 0xff] as number) + every / count;
      }
    }
  }
}
for (const frequency of frequencies) {
  const sum = frequency.reduce((all, one) => all + one, 0);
  // Each byte has a code, however rare it is.
  const shares = Array.from(frequency, (one) => one / sum + 1 / (1 << LONGEST) / 16);
  process.stdout.write(
    codeLengths(shares)
      .map((length) => length.toString(16))
      .join(''),
  );
}

/** Huffman's, made flatter until none is too long. */
function codeLengths(shares: readonly number[]): number[] {
  const nodes = shares.map((share, byte) => ({ share, bytes: [byte] }));
  const lengths = shares.map(() => 0);
  while (nodes.length > 1) {
    nodes.sort((a, b) => b.share - a.share);
    const [a, b] = [nodes.pop(), nodes.pop()] as [(typeof nodes)[number], (typeof nodes)[number]];
    const bytes = [...a.bytes, ...b.bytes];
    for (const byte of bytes) lengths[byte] = (lengths[byte] as number) + 1;
    nodes.push({ share: a.share + b.share, bytes });
  }
  if (Math.max(...lengths) <= LONGEST) return lengths;
  return codeLengths(shares.map((share) => share + 1 / (1 << LONGEST) / 32));
}
