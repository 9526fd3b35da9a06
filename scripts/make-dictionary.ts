/**
 * node bin/run.js scripts/make-dictionary.ts <registry.db> <size> > src/storage/compact/dictionary-<n>.txt
 *
 * Chooses from the stored texts of a registry (the sample) the passages that most other texts repeat. Stored texts
 * depend on a dictionary for ever: a new one gets a new number.
 */
import { DatabaseSync } from 'node:sqlite';
import { expandText, type StoredText } from '../src/storage/compact/compact.ts';

const [file, size] = process.argv.slice(2);
if (file === undefined || !(Number(size) > 0)) throw new Error('usage: make-dictionary.ts <registry.db> <size>');

const database = new DatabaseSync(file, { readOnly: true });
const QUERIES = [
  'select body as text from page',
  'select body as text from nearby',
  'select canonical as text from building_version',
  'select body as text from statement',
];
const texts = QUERIES.map((query) =>
  database
    .prepare(`${query} order by 1`)
    .all()
    .map(({ text }) => expandText(text as StoredText)),
);

/** Passages are compared by all their pieces of this length. */
const PIECE = 10;
const PASSAGE = 120;
const piecesOf = (passage: string) =>
  Array.from({ length: Math.max(0, passage.length - PIECE + 1) }, (_, i) => passage.slice(i, i + PIECE));

/** In how many texts a piece occurs; kinds of texts count alike, however many there are. */
const worth = new Map<string, number>();
for (const kind of texts) {
  for (const text of kind) {
    for (const piece of new Set(piecesOf(text))) worth.set(piece, (worth.get(piece) ?? 0) + 1 / kind.length);
  }
}

const passages = texts.flat().flatMap((text) => {
  const starts = Array.from({ length: Math.ceil(text.length / PASSAGE) }, (_, i) => i * PASSAGE);
  return starts.map((start) => text.slice(start, start + PASSAGE));
});
const worthOf = (passage: string) =>
  [...new Set(piecesOf(passage))].reduce((sum, piece) => sum + (worth.get(piece) ?? 0), 0);

// Estimates only fall while pieces are taken, so the best passage is the first whose estimate is still true.
const queue = [...new Set(passages)].map((passage) => ({ passage, estimate: worthOf(passage) }));
queue.sort((a, b) => a.estimate - b.estimate);
const chosen: string[] = [];
for (let left = Number(size); left > 0 && queue.length > 0; ) {
  const best = queue.pop() as (typeof queue)[number];
  const estimate = worthOf(best.passage);
  const next = queue.at(-1)?.estimate ?? 0;
  if (estimate < next) {
    let [low, high] = [0, queue.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((queue[middle] as (typeof queue)[number]).estimate < estimate) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, { passage: best.passage, estimate });
    continue;
  }
  chosen.push(best.passage);
  left -= Buffer.byteLength(best.passage);
  for (const piece of piecesOf(best.passage)) worth.delete(piece);
}
// The most useful passages last: they stay within reach of long texts.
process.stdout.write(chosen.reverse().join(''));
