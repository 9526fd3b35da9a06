import { BrokenFile } from '../../../files/broken-file.ts';
import type { SourceFile } from '../../../files/source-file.ts';
import { areaKind, IS_BUILDING, IS_PART, mayBeArea, type Relation } from '../elements.ts';
import { venueFromTags } from '../tags.ts';
import { VenueTable } from '../venue-table.ts';
import { readBlobs } from './read-blobs.ts';
import { readPrimitiveBlock } from './read-block.ts';
import { decodeBlob } from './unpack-blob.ts';

/** The content of a blob, so that later passes can skip it. */
export interface BlobFacts {
  /** The number of elements before it. */
  before: number;
  firstNode: number;
  lastNode: number;
  firstWay: number;
  lastWay: number;
  /** The number of nodes of its buildings, and of its building parts. */
  buildingRefs: number;
  partRefs: number;
  /** Whether its ways have the positions of their nodes. */
  isDrawn: boolean;
}

export interface Survey {
  blobs: BlobFacts[];
  relations: Relation[];
  venues: VenueTable;
  /** Why the file cannot be read further; everything before it is surveyed. */
  fault: BrokenFile | undefined;
}

/** The first pass: the content of each blob, the venues, and the relations that are buildings. */
export async function surveyBlobs(file: SourceFile): Promise<Survey> {
  const found: Survey = { blobs: [], relations: [], venues: new VenueTable(), fault: undefined };
  let before = 0;
  try {
    for await (const { bytes } of readBlobs(file, () => true)) {
      before += decodeBlob(() => surveyBlob(bytes, before, found));
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    found.fault = error;
  }
  return found;
}

function surveyBlob(bytes: Uint8Array, before: number, found: Survey): number {
  const facts: BlobFacts = {
    ...{ before, firstNode: Number.POSITIVE_INFINITY, lastNode: Number.NEGATIVE_INFINITY },
    ...{ firstWay: Number.POSITIVE_INFINITY, lastWay: Number.NEGATIVE_INFINITY, buildingRefs: 0, partRefs: 0 },
    isDrawn: false,
  };
  const relations: Relation[] = [];
  const count = readPrimitiveBlock(bytes, {
    nodes(ids, count) {
      let [first, last] = [facts.firstNode, facts.lastNode];
      for (let i = 0; i < count; i++) {
        const id = ids[i] as number;
        if (id < first) first = id;
        if (id > last) last = id;
      }
      facts.firstNode = first;
      facts.lastNode = last;
    },
    venue(tags, places, node) {
      const venue = venueFromTags(tags);
      if (venue !== undefined) found.venues.add(venue, places.lon(node) / 1e7, places.lat(node) / 1e7);
    },
    way({ id, tags, refCount, isDrawn }) {
      facts.isDrawn ||= isDrawn;
      if (id < facts.firstWay) facts.firstWay = id;
      if (id > facts.lastWay) facts.lastWay = id;
      const kind = tags.size === 0 ? 0 : areaKind(tags);
      if (kind === IS_BUILDING) facts.buildingRefs += refCount;
      else if ((kind & IS_PART) !== 0) facts.partRefs += refCount;
    },
    relation(id, tags, members, ordinal) {
      if (!mayBeArea(tags)) return;
      relations.push({ id, tags, members: members(), line: before + ordinal + 1, center: undefined });
    },
  });
  found.blobs.push(facts);
  found.relations.push(...relations);
  return count;
}
