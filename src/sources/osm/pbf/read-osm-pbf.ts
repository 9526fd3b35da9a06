import type { SourceFile } from '../../../files/source-file.ts';
import type { Item } from '../../adapter.ts';
import { linkRelations, type Relation } from '../elements.ts';
import { BuildingMaker, memberWays } from '../make-buildings.ts';
import { type BlobRange, type ExtractRequest, loadExtract, NO_BLOBS } from './load-extract.ts';
import { surveyBlobs } from './survey.ts';

/** How many nodes of ways are held at once. */
const BUDGET = 1_000_000;
/** An estimate for a way whose nodes have not been counted. */
const REFS_OF_A_WAY = 10;

const NOTHING: ExtractRequest = { parts: NO_BLOBS, buildings: NO_BLOBS, ways: new Set(), members: new Set() };

/**
 * Reads a PBF of any size in bounded memory: the first pass surveys the blobs, then buildings are made portion by portion,
 * each with one pass over the ways and one over the nodes.
 */
export async function* readOsmPbf(file: SourceFile, budget = BUDGET): AsyncGenerator<Item[]> {
  const surveyed = await surveyBlobs(file);
  const { blobs, venues, fault } = surveyed;
  const relations = linkRelations(surveyed.relations);
  const maker = new BuildingMaker(file.name, relations, venues, fault !== undefined);
  const load = (order: Partial<ExtractRequest>) => loadExtract(file, surveyed, { ...NOTHING, ...order });

  const everything: BlobRange = [0, blobs.length];
  const partRefs = blobs.map((blob) => blob.partRefs);
  const buildingRefs = blobs.map((blob) => blob.buildingRefs);
  const memberRefs = sum(relations.areas.map(weightOf));
  const small = sum(partRefs) + memberRefs <= budget;
  const all = small && sum(partRefs) + memberRefs + sum(buildingRefs) <= budget;

  if (small) {
    const members = memberWays(relations.areas, relations);
    const extract = await load({ parts: everything, buildings: all ? everything : NO_BLOBS, members });
    yield* maker.addParts(extract, relations.areas);
    yield* maker.makeRelations(extract, relations.areas);
    if (all) yield* maker.makeWays(extract);
  } else {
    const some = chunk(relations.areas, budget, weightOf);
    for (const parts of spans(partRefs, budget)) yield* maker.addParts(await load({ parts }), []);
    for (const areas of some) yield* maker.addParts(await load({ members: memberWays(areas, relations) }), areas);
    for (const areas of some) yield* maker.makeRelations(await load({ members: memberWays(areas, relations) }), areas);
  }
  if (!all) {
    for (const buildings of spans(buildingRefs, budget)) yield* maker.makeWays(await load({ buildings }));
  }
  const unclaimed = maker.unclaimedBuildings();
  for (const ways of chunk([...unclaimed.ways], budget, () => REFS_OF_A_WAY)) {
    const wanted = { ways: new Set(ways), relations: [] };
    yield* maker.makeUnclaimed(await load({ ways: wanted.ways }), wanted);
  }
  for (const areas of chunk(unclaimed.relations, budget, weightOf)) {
    const wanted = { ways: new Set<number>(), relations: areas };
    yield* maker.makeUnclaimed(await load({ members: memberWays(areas, relations) }), wanted);
  }
  yield* maker.noteUnclaimed();
  yield* maker.summarise(blobs.some(({ firstNode, isDrawn }) => isDrawn || firstNode !== Number.POSITIVE_INFINITY));
  if (fault !== undefined) throw fault;
}

function weightOf({ members }: Relation): number {
  return members.length * REFS_OF_A_WAY;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Ranges of blobs whose total weight is within the budget, with at least one blob each. */
function spans(weights: readonly number[], budget: number): BlobRange[] {
  return chunk([...weights.keys()], budget, (index) => weights[index] ?? 0)
    .filter((run) => run.some((index) => weights[index] !== 0))
    .map((run) => [run[0] ?? 0, (run.at(-1) ?? -1) + 1]);
}

function chunk<T>(items: readonly T[], budget: number, weigh: (item: T) => number): T[][] {
  const chunks: T[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const item of items) {
    weight += weigh(item);
    if (weight > budget) {
      chunks.push([]);
      weight = weigh(item);
    }
    chunks.at(-1)?.push(item);
  }
  return chunks;
}
