import type { SourceFile } from '../../../files/source-file.ts';
import { areaKind, IS_BUILDING, IS_PART } from '../elements.ts';
import { NodeList, NodeTable } from '../node-table.ts';
import { type Extract, WayTable } from '../way-table.ts';
import { readBlobs } from './read-blobs.ts';
import { readPrimitiveBlock } from './read-block.ts';
import type { BlobFacts, Survey } from './survey.ts';
import { decodeBlob } from './unpack-blob.ts';

/** A range of blobs, without the last. */
export type BlobRange = readonly [from: number, to: number];

/** The ways that an extract should have. */
export interface ExtractRequest {
  /** All building parts in these blobs. */
  parts: BlobRange;
  /** All ways in these blobs that are buildings but not parts. */
  buildings: BlobRange;
  /** These ways, with their tags. */
  ways: ReadonlySet<number>;
  /** These ways, as lines only. */
  members: ReadonlySet<number>;
}

export const NO_BLOBS: BlobRange = [0, 0];

/** Two passes: the ways, then their nodes. Blobs without any of them are not unpacked. */
export async function loadExtract(file: SourceFile, survey: Survey, order: ExtractRequest): Promise<Extract> {
  const { ways, drawn } = await loadWays(file, survey, order);
  const nodes = NodeTable.wanting(ways.allRefs());
  drawn.placeIn(nodes);
  const matters = survey.blobs.map(({ firstNode, lastNode }) => nodes.wantsAny(firstNode, lastNode));
  for await (const { bytes } of readBlobs(file, (index) => matters[index] === true, matters.lastIndexOf(true))) {
    decodeBlob(() => placeNodes(bytes, nodes));
  }
  return { ways, nodes };
}

async function loadWays(
  file: SourceFile,
  { blobs }: Survey,
  order: ExtractRequest,
): Promise<{ ways: WayTable; drawn: NodeList }> {
  const named = Float64Array.from([...order.members, ...order.ways]).sort();
  const matters = blobs.map(
    (blob, index) =>
      (isIn(order.parts, index) && blob.partRefs > 0) ||
      (isIn(order.buildings, index) && blob.buildingRefs > 0) ||
      hasAny(named, blob),
  );
  const ways = new WayTable(refsIn(blobs, order));
  const drawn = new NodeList();
  for await (const { index, bytes } of readBlobs(file, (i) => matters[i] === true, matters.lastIndexOf(true))) {
    const { before } = blobs[index] as BlobFacts;
    decodeBlob(() =>
      readPrimitiveBlock(bytes, {
        way({ id, tags, refs, isDrawn, places }, ordinal) {
          const kind = tags.size === 0 ? 0 : areaKind(tags);
          const asWhatItIs =
            ((kind & IS_PART) !== 0 && isIn(order.parts, index)) ||
            (kind === IS_BUILDING && isIn(order.buildings, index)) ||
            order.ways.has(id);
          if (!asWhatItIs && !order.members.has(id)) return;
          const nodes = refs();
          ways.add(id, asWhatItIs ? kind : 0, nodes, tags, before + ordinal + 1);
          if (isDrawn) drawn.addAll(nodes, places());
        },
      }),
    );
  }
  return { ways, drawn };
}

function placeNodes(bytes: Uint8Array, nodes: NodeTable): void {
  readPrimitiveBlock(bytes, {
    nodes(ids, count, places) {
      for (let i = 0; i < count; i++) {
        const id = ids[i] as number;
        if (nodes.wants(id)) nodes.place(id, places.lon(i), places.lat(i));
      }
    },
  });
}

function refsIn(blobs: readonly BlobFacts[], { parts, buildings }: ExtractRequest): number {
  const ofParts = blobs.slice(...parts).reduce((sum, { partRefs }) => sum + partRefs, 0);
  return blobs.slice(...buildings).reduce((sum, { buildingRefs }) => sum + buildingRefs, ofParts);
}

function isIn([from, to]: BlobRange, index: number): boolean {
  return index >= from && index < to;
}

function hasAny(sorted: Float64Array, { firstWay, lastWay }: BlobFacts): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < firstWay) low = middle + 1;
    else high = middle;
  }
  return (sorted[low] ?? Number.POSITIVE_INFINITY) <= lastWay;
}
