import { decodeBitmap, decodePositions, type Positions } from '../format/bitmap-bytes.ts';
import { type Bitmap, countDocs, EMPTY_BITMAP, exclude, fullBitmap, intersect, unite } from '../format/bitmaps.ts';
import { UNKNOWN_POSITION, undeterminedStarts, withGramAt } from '../format/gram-starts.ts';
import {
  type Gram,
  type QueryPlan,
  SEARCHABLE,
  type SearchableKind,
  TEXT_KINDS,
  type TermPlan,
} from '../format/grams.ts';
import type { Segment } from '../format/segments.ts';
import type { IndexReads } from './index-reads.ts';

/** Entries of one segment that may match. */
export interface Candidates {
  /** Matches by the index alone. */
  sure: Bitmap;
  /** Entries that contain all grams, but perhaps not adjacent, not in one value, or only part of a term. */
  maybe: Bitmap;
}

type PostingOf = (gram: Gram) => Uint8Array | undefined;

/** With so few left, reading them is cheaper than comparing positions. */
export const FEW = 24;

/** The entries with every term in one value, among `allowed`, which is computed only if needed. */
export function findCandidates(
  index: IndexReads,
  segment: Segment,
  { asked, isComplete: isWhole }: QueryPlan,
  allowed: () => Bitmap,
): Candidates {
  const postings = new Map<Gram, Uint8Array | undefined>();
  const postingOf = (gram: Gram) => {
    if (!postings.has(gram)) postings.set(gram, index.posting(segment, gram));
    return postings.get(gram);
  };
  const found: Candidates = { sure: EMPTY_BITMAP, maybe: EMPTY_BITMAP };
  const withId = docsWithId(segment, asked, postingOf);
  if (countDocs(withId) > 0) found.sure = intersect(withId, allowed());
  for (const kind of TEXT_KINDS) {
    const parts = termGrams(kind, asked, postingOf);
    const docs = parts === undefined ? EMPTY_BITMAP : docsWithEvery(parts);
    if (parts === undefined || countDocs(docs) === 0) continue;
    const { sure, maybe } = splitByAdjacency(kind, parts, intersect(docs, allowed()));
    found.sure = unite(found.sure, sure, segment.size);
    found.maybe = unite(found.maybe, maybe, segment.size);
  }
  if (isWhole) return { sure: found.sure, maybe: exclude(found.maybe, found.sure) };
  return { sure: EMPTY_BITMAP, maybe: unite(found.sure, found.maybe, segment.size) };
}

function docsWithId(segment: Segment, plans: readonly TermPlan[], postingOf: PostingOf): Bitmap {
  let docs: Bitmap | undefined;
  for (const { inId } of plans) {
    let some: Bitmap = EMPTY_BITMAP;
    for (const grams of inId) some = unite(some, idsWith(segment, grams, postingOf), segment.size);
    docs = docs === undefined ? some : intersect(docs, some);
    if (countDocs(docs) === 0) return EMPTY_BITMAP;
  }
  return docs ?? EMPTY_BITMAP;
}

function idsWith(segment: Segment, grams: readonly Gram[], postingOf: PostingOf): Bitmap {
  let docs: Bitmap | undefined;
  for (const gram of grams) {
    const posting = postingOf(gram);
    const some = posting && decodeBitmap(posting, SEARCHABLE.id);
    if (some === undefined) return EMPTY_BITMAP;
    docs = docs === undefined ? some : intersect(docs, some);
  }
  return docs ?? fullBitmap(segment.size);
}

/** One gram of a term: its postings and its offset in the term. */
interface TermGram {
  placed: Positions;
  offset: number;
}

/** The grams of each term in values of one kind; undefined if one of them does not occur. */
function termGrams(kind: SearchableKind, plans: readonly TermPlan[], postingOf: PostingOf): TermGram[][] | undefined {
  const terms: TermGram[][] = [];
  for (const { grams } of plans) {
    const parts: TermGram[] = [];
    for (const { gram, offset } of grams) {
      const posting = postingOf(gram);
      const placed = posting && decodePositions(posting, kind);
      if (placed === undefined) return undefined;
      parts.push({ placed, offset });
    }
    terms.push(parts);
  }
  return terms;
}

function docsWithEvery(terms: readonly TermGram[][]): Bitmap {
  let docs: Bitmap | undefined;
  for (const { placed } of terms.flat()) docs = docs === undefined ? placed.docs : intersect(docs, placed.docs);
  return docs ?? EMPTY_BITMAP;
}

/** Separates entries whose grams are adjacent from those that have to be verified. */
function splitByAdjacency(kind: SearchableKind, terms: readonly TermGram[][], docs: Bitmap): Candidates {
  // One alias may contain the first term and another the second.
  const several = kind === SEARCHABLE.alias && terms.length > 1;
  const long = terms.filter((parts) => parts.length > 1);
  if (long.length === 0) return several ? { sure: EMPTY_BITMAP, maybe: docs } : { sure: docs, maybe: EMPTY_BITMAP };
  if (countDocs(docs) <= FEW) return { sure: EMPTY_BITMAP, maybe: docs };
  let rest = docs;
  const doubtful = new Set<number>();
  for (const parts of long) {
    let found = undeterminedStarts(rest);
    for (const { placed, offset } of parts) found = withGramAt(found, placed, offset);
    for (let i = 0; i < found.docs.length; i++) {
      if (found.starts[i] === UNKNOWN_POSITION) doubtful.add(found.docs[i] as number);
    }
    rest = found.docs;
  }
  if (several) return { sure: EMPTY_BITMAP, maybe: rest };
  if (doubtful.size === 0) return { sure: rest, maybe: EMPTY_BITMAP };
  return { sure: rest.filter((doc) => !doubtful.has(doc)), maybe: rest.filter((doc) => doubtful.has(doc)) };
}
