import {
  allDocs,
  countDocs,
  type Docs,
  decodeDocs,
  decodePlaced,
  followedBy,
  intersect,
  NO_DOCS,
  type PlacedDocs,
  SOMEWHERE,
  startingAnywhere,
  unite,
  without,
} from './docs.ts';
import { type Gram, type Plan, TEXT_KINDS, type TermPlan, VALUE, type ValueKind } from './grams.ts';
import type { IndexReads } from './index-reads.ts';
import type { Segment } from './segments.ts';

/** Entries of one segment that may be what is looked for. */
export interface Candidates {
  /** Those of which the index alone says that they are. */
  sure: Docs;
  /** The others that have all the grams asked for, though perhaps not in a row, not in one value, or not all of a term. */
  maybe: Docs;
}

type PostingOf = (gram: Gram) => Uint8Array | undefined;

/** With so few left it is cheaper to look at them than at where their grams stand. */
const FEW = 24;

/** The entries with every term in one value, among those that `allowed` gives once there is one at all. */
export function findCandidates(
  index: IndexReads,
  segment: Segment,
  { asked, isWhole }: Plan,
  allowed: () => Docs,
): Candidates {
  const postings = new Map<Gram, Uint8Array | undefined>();
  const postingOf = (gram: Gram) => {
    if (!postings.has(gram)) postings.set(gram, index.posting(segment, gram));
    return postings.get(gram);
  };
  const found: Candidates = { sure: NO_DOCS, maybe: NO_DOCS };
  const withId = docsWithId(segment, asked, postingOf);
  if (countDocs(withId) > 0) found.sure = intersect(withId, allowed());
  for (const kind of TEXT_KINDS) {
    const parts = partsOf(kind, asked, postingOf);
    const docs = parts === undefined ? NO_DOCS : docsWithEvery(parts);
    if (parts === undefined || countDocs(docs) === 0) continue;
    const { sure, maybe } = tellApart(kind, parts, intersect(docs, allowed()));
    found.sure = unite(found.sure, sure, segment.size);
    found.maybe = unite(found.maybe, maybe, segment.size);
  }
  if (isWhole) return { sure: found.sure, maybe: without(found.maybe, found.sure) };
  return { sure: NO_DOCS, maybe: unite(found.sure, found.maybe, segment.size) };
}

function docsWithId(segment: Segment, plans: readonly TermPlan[], postingOf: PostingOf): Docs {
  let docs: Docs | undefined;
  for (const { inId } of plans) {
    let some: Docs = NO_DOCS;
    for (const grams of inId) some = unite(some, idsWith(segment, grams, postingOf), segment.size);
    docs = docs === undefined ? some : intersect(docs, some);
    if (countDocs(docs) === 0) return NO_DOCS;
  }
  return docs ?? NO_DOCS;
}

function idsWith(segment: Segment, grams: readonly Gram[], postingOf: PostingOf): Docs {
  let docs: Docs | undefined;
  for (const gram of grams) {
    const posting = postingOf(gram);
    const some = posting && decodeDocs(posting, VALUE.id);
    if (some === undefined) return NO_DOCS;
    docs = docs === undefined ? some : intersect(docs, some);
  }
  return docs ?? allDocs(segment.size);
}

/** One gram of a term: where it occurs, and where in the term it stands. */
interface Part {
  placed: PlacedDocs;
  offset: number;
}

/** The grams of each term in values of one kind; undefined where one of them does not occur at all. */
function partsOf(kind: ValueKind, plans: readonly TermPlan[], postingOf: PostingOf): Part[][] | undefined {
  const terms: Part[][] = [];
  for (const { grams } of plans) {
    const parts: Part[] = [];
    for (const { gram, offset } of grams) {
      const posting = postingOf(gram);
      const placed = posting && decodePlaced(posting, kind);
      if (placed === undefined) return undefined;
      parts.push({ placed, offset });
    }
    terms.push(parts);
  }
  return terms;
}

function docsWithEvery(terms: readonly Part[][]): Docs {
  let docs: Docs | undefined;
  for (const { placed } of terms.flat()) docs = docs === undefined ? placed.docs : intersect(docs, placed.docs);
  return docs ?? NO_DOCS;
}

/** Of entries that have every gram, those where the grams of each term stand in a row. */
function tellApart(kind: ValueKind, terms: readonly Part[][], docs: Docs): Candidates {
  // Of several aliases one may have the first term and another the second.
  const several = kind === VALUE.alias && terms.length > 1;
  const long = terms.filter((parts) => parts.length > 1);
  if (long.length === 0) return several ? { sure: NO_DOCS, maybe: docs } : { sure: docs, maybe: NO_DOCS };
  if (countDocs(docs) <= FEW) return { sure: NO_DOCS, maybe: docs };
  let rest = docs;
  const doubtful = new Set<number>();
  for (const parts of long) {
    let found = startingAnywhere(rest);
    for (const { placed, offset } of parts) found = followedBy(found, placed, offset);
    for (let i = 0; i < found.docs.length; i++) {
      if (found.starts[i] === SOMEWHERE) doubtful.add(found.docs[i] as number);
    }
    rest = found.docs;
  }
  if (several) return { sure: NO_DOCS, maybe: rest };
  if (doubtful.size === 0) return { sure: rest, maybe: NO_DOCS };
  return { sure: rest.filter((doc) => !doubtful.has(doc)), maybe: rest.filter((doc) => doubtful.has(doc)) };
}
