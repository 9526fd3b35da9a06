import { BrokenFile } from '../../files/broken-file.ts';
import type { Position } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { areaKind, linkRelations, mayBeArea, type Relation, type Tags } from './elements.ts';
import { BuildingMaker } from './make-buildings.ts';
import { NodeList, NodeTable } from './node-table.ts';
import { venueFromTags } from './tags.ts';
import { VenueTable } from './venue-table.ts';
import { WayTable } from './way-table.ts';

/** Start of the IDs for nodes that a file gives without ID: far below those that editors assign to new nodes. */
const UNNAMED = -1e15;
const MAX_MISPLACED = 100_000;

/**
 * Collects a file whose elements may be in any order: the position of every node, the nodes of every way, and the tags of
 * buildings. Needs about 30 bytes per node.
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

  /** A node with invalid coordinates: ways that need it are rejected, not left out as cut by the edge of the extract. */
  addMisplacedNode(id: number): void {
    if (this.#misplaced.size < MAX_MISPLACED) this.#misplaced.add(id);
  }

  /** Adds a node without ID and returns the ID that it gets. */
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

  /** `cut`: the file is broken and may have had more. */
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

/** Reads a file into a collector and yields its buildings; for a broken file, those before the error. */
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

/** NaN if it is not an ID. */
export function toId(value: unknown): number {
  const id = toNumber(value);
  return Number.isSafeInteger(id) ? id : Number.NaN;
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
