import type { Positions } from './bitmap-bytes.ts';
import { type Bitmap, countBits, hasBit, isList, toList } from './bitmaps.ts';

/** An unknown position: the gram occurs more than once, or too far from the start. */
export const UNKNOWN_POSITION = 255;
/** The start of the text is not determined yet. */
const UNDETERMINED = 254;
/** The highest position that is stored. */
export const MAX_POSITION = 253;

/** Where the text would start in a value of each entry; UNKNOWN_POSITION if only the value itself can tell. */
export interface Starts {
  docs: Uint16Array;
  starts: Uint8Array;
}

export function undeterminedStarts(docs: Bitmap): Starts {
  const list = toList(docs);
  return { docs: list, starts: new Uint8Array(list.length).fill(UNDETERMINED) };
}

/** The entries with a gram at this offset of the text. */
export function withGramAt(found: Starts, { docs, positions }: Positions, offset: number): Starts {
  const kept = new Uint16Array(found.docs.length);
  const starts = new Uint8Array(found.docs.length);
  let count = 0;
  const rankOf = isList(docs) ? rankInList(docs) : rankInBits(docs);
  for (let i = 0; i < found.docs.length; i++) {
    const doc = found.docs[i] as number;
    const rank = rankOf(doc);
    if (rank === -1) continue;
    const start = startWith(found.starts[i] as number, positions[rank] as number, offset);
    if (start < 0) continue;
    kept[count] = doc;
    starts[count++] = start;
  }
  return { docs: kept.subarray(0, count), starts: starts.subarray(0, count) };
}

/** The start of the text after matching another gram; negative if the grams are not adjacent. */
function startWith(start: number, position: number, offset: number): number {
  if (start === UNKNOWN_POSITION || position === UNKNOWN_POSITION) return UNKNOWN_POSITION;
  return start === UNDETERMINED || start === position - offset ? position - offset : -1;
}

/** The rank of an entry in the set, or -1. Call with ascending entries. */
function rankInList(list: Uint16Array): (doc: number) => number {
  let at = 0;
  return (doc) => {
    for (let step = 1; at < list.length && (list[at] as number) < doc; ) {
      // Galloping search: one list may be much longer than the other.
      if (at + step < list.length && (list[at + step] as number) < doc) {
        at += step;
        step *= 2;
      } else {
        at += 1;
        step = 1;
      }
    }
    return list[at] === doc ? at : -1;
  };
}

function rankInBits(bits: Uint32Array): (doc: number) => number {
  let [word, before] = [0, 0];
  return (doc) => {
    for (; word < doc >>> 5; word++) before += countBits(bits[word] as number);
    if (!hasBit(bits, doc)) return -1;
    return before + countBits((bits[word] as number) & ((1 << (doc & 31)) - 1));
  };
}
