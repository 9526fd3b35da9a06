import { BrokenFile } from '../../files/broken-file.ts';
import type { Position } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { areaKind, linkRelations, mayBeArea, type Relation, type Tags } from './elements.ts';
import { BuildingMaker } from './make-buildings.ts';
import { NodeList, NodeTable } from './node-table.ts';
import { venueFromTags } from './tags.ts';
import { VenueTable } from './venue-table.ts';
import { WayTable } from './way-table.ts';

/** Nodes that a file draws without naming them: far below any number that an editor gives to what is new. */
const UNNAMED = -1e15;
const MAX_MISPLACED = 100_000;

/**
 * What is held of a file whose elements may come in any order: the place of every node, the nodes of every
 * way, and tags of buildings alone. About 30 bytes for each node, whatever else the file says of it.
 */
export class Collector {
  readonly #nodes = new NodeList();
  readonly #ways = new WayTable();
  readonly #venues = new VenueTable();
  readonly #relations: Relation[] = [];
  readonly #misplaced = new Set<number>();
  #unnamed = UNNAMED;

  addNode(id: number, position: Position, tags: Tags): void {
    this.#nodes.add(id, ...position);
    if (tags.size === 0) return;
    const venue = venueFromTags(tags);
    if (venue !== undefined) this.#venues.add(venue, ...position);
  }

  /** A node whose coordinates are none: what needs it has a fault, and is not cut off by the edge of the extract. */
  addMisplacedNode(id: number): void {
    if (this.#misplaced.size < MAX_MISPLACED) this.#misplaced.add(id);
  }

  /** A node without a number; the number it gets is given back. */
  addUnnamedNode(position: Position): number {
    this.#nodes.add(--this.#unnamed, ...position);
    return this.#unnamed;
  }

  addWay(id: number, refs: readonly number[], tags: Tags, line: number, center: Position | undefined): void {
    this.#ways.add(id, tags.size === 0 ? 0 : areaKind(tags), refs, tags, line, center);
  }

  addRelation(relation: Relation): void {
    if (mayBeArea(relation.tags)) this.#relations.push(relation);
  }

  /** The buildings of what was collected. `cut`: the file did not end there. */
  *makeBuildings(file: string, cut: boolean): Generator<Item[]> {
    const relations = linkRelations(this.#relations);
    const maker = new BuildingMaker(file, relations, this.#venues, cut);
    const hasNodes = this.#nodes.ids.length > 0;
    const extract = { ways: this.#ways, nodes: NodeTable.of(this.#nodes), misplaced: this.#misplaced };
    yield* maker.addParts(extract, relations.areas);
    yield* maker.makeRelations(extract, relations.areas);
    yield* maker.makeWays(extract);
    yield* maker.makeUnclaimed(extract, maker.unclaimedBuildings());
    yield* maker.noteUnclaimed();
    yield* maker.summarise(hasNodes);
  }
}

/** Reads a file into a collector, and gives its buildings; of one that breaks, those that were whole before. */
export async function* collect(file: string, read: (into: Collector) => AsyncIterable<void>): AsyncGenerator<Item[]> {
  const collector = new Collector();
  let fault: BrokenFile | undefined;
  try {
    for await (const _ of read(collector));
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    fault = error;
  }
  yield* collector.makeBuildings(file, fault !== undefined);
  if (fault !== undefined) throw fault;
}

export function toPosition(lon: unknown, lat: unknown): Position | undefined {
  const [x, y] = [toNumber(lon), toNumber(lat)];
  return Math.abs(x) <= 180 && Math.abs(y) <= 180 ? [x, y] : undefined;
}

/** NaN where it is no id. */
export function toId(value: unknown): number {
  const id = toNumber(value);
  return Number.isSafeInteger(id) ? id : Number.NaN;
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
