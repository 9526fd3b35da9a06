import { BrokenFile } from '../../files/broken-file.ts';
import type { Geometry, Position } from '../../vocabulary/geometry.ts';
import type { FileLine, Item } from '../adapter.ts';
import { assemblePolygons, interiorPoint } from './assemble-polygons.ts';
import {
  areaKind,
  type ElementType,
  elementKey,
  IS_BUILDING,
  IS_PART,
  type Relation,
  type Relations,
  ringMembers,
  shapeSource,
  type Tags,
  withOutlinedTags,
} from './elements.ts';
import { makeDraft } from './make-draft.ts';
import { type BuildingPart, PartTable } from './part-table.ts';
import { sizeFromTags } from './tags.ts';
import type { VenueTable } from './venue-table.ts';
import { type Extract, lineOfWay } from './way-table.ts';

const PORTION = 500;

/** A shape, or why there is none. `absent`: members are missing from the file, as at the edge of every extract. */
type ShapeResult = { geometry: Geometry; note?: string } | { fault: string; absent: boolean };

/**
 * Makes the buildings of one file, which may come in several extracts: first all parts, then relations, which replace their
 * member ways, then ways, and last the areas tagged as building and part that no other building contains.
 */
export class BuildingMaker {
  readonly #file: string;
  readonly #relations: Relations;
  readonly #venues: VenueTable;
  readonly #parts: PartTable;
  /** Elements that are outlines of buildings already made. */
  readonly #replaced = new Set<string>();
  /** The file is broken: missing elements may have been in the rest. */
  readonly #cut: boolean;
  /** Counts of elements that the edge of the extract cuts through. */
  readonly #leftOut = { relation: 0, way: 0, part: 0 };
  #made = 0;

  constructor(file: string, relations: Relations, venues: VenueTable, cut: boolean) {
    this.#file = file;
    this.#relations = relations;
    this.#venues = venues;
    this.#parts = new PartTable(relations.owners);
    this.#cut = cut;
  }

  *addParts(extract: Extract, relations: readonly Relation[]): Generator<Item[]> {
    const { ways } = extract;
    const items: Item[] = [];
    for (let way = 0; way < ways.length; way++) {
      const kind = ways.kindOf(way);
      if ((kind & IS_PART) === 0) continue;
      const shape = shapeOfWay(extract, way);
      this.#addPart('way', ways.idOf(way), ways.tagsOf(way), ways.lineOf(way), kind, shape, items);
    }
    const shapeOf = relationShaper(extract, relations, this.#relations);
    for (const relation of relations) {
      const kind = areaKind(relation.tags);
      if ((kind & IS_PART) === 0) continue;
      this.#addPart('relation', relation.id, relation.tags, relation.line, kind, shapeOf(relation), items);
    }
    yield items;
  }

  #addPart(
    type: BuildingPart['type'],
    id: number,
    tags: Tags,
    line: number,
    kind: number,
    shape: ShapeResult,
    items: Item[],
  ): void {
    const record = elementKey(type, id);
    const note = (reason: string) => items.push({ kind: 'note', at: { file: this.#file, line }, record, reason });
    const point = 'geometry' in shape && shape.geometry.type !== 'Point' ? interiorPoint(shape.geometry) : undefined;
    const building = (kind & IS_BUILDING) !== 0 && !this.#relations.owners.has(record);
    if (point !== undefined) this.#parts.add({ type, id, line, point, size: sizeFromTags(tags, note), building });
    else if (this.#cut) return;
    else if ('fault' in shape && shape.absent) {
      this.#leftOut.part += 1;
      items.push({ kind: 'detail', at: { file: this.#file, line }, record, reason: shape.fault });
    } else note('building part without a shape in this file');
  }

  *makeRelations(extract: Extract, relations: readonly Relation[]): Generator<Item[]> {
    const shapeOf = relationShaper(extract, relations, this.#relations);
    let items: Item[] = [];
    for (const relation of relations) {
      const kind = areaKind(relation.tags);
      const key = elementKey('relation', relation.id);
      if ((kind & IS_BUILDING) === 0 || (kind & IS_PART) !== 0 || this.#replaced.has(key)) continue;
      this.#makeRelation(relation, shapeOf(relation), items);
      if (items.length < PORTION) continue;
      yield items;
      items = [];
    }
    yield items;
  }

  #makeRelation(relation: Relation, shape: ShapeResult, items: Item[]): void {
    const made = this.#make('relation', relation.id, relation.tags, relation.line, shape, items);
    const source = shapeSource(relation, this.#relations);
    if (!made || source === undefined) return;
    this.#replaced.add(elementKey('relation', source.id));
    for (const { ref } of ringMembers(source).outer) this.#replaced.add(elementKey('way', ref));
  }

  *makeWays(extract: Extract): Generator<Item[]> {
    const { ways } = extract;
    let items: Item[] = [];
    for (let way = 0; way < ways.length; way++) {
      const kind = ways.kindOf(way);
      const id = ways.idOf(way);
      if ((kind & IS_BUILDING) === 0 || (kind & IS_PART) !== 0 || this.#replaced.has(elementKey('way', id))) continue;
      this.#makeWay(extract, way, items);
      if (items.length < PORTION) continue;
      yield items;
      items = [];
    }
    yield items;
  }

  #makeWay(extract: Extract, way: number, items: Item[]): void {
    const { ways } = extract;
    this.#make('way', ways.idOf(way), ways.tagsOf(way), ways.lineOf(way), shapeOfWay(extract, way), items);
  }

  /** Areas tagged as building and part that no other building contains. */
  unclaimedBuildings(): { ways: Set<number>; relations: Relation[] } {
    const ways = new Set<number>();
    const relations: Relation[] = [];
    for (const { type, id, building } of this.#parts.unclaimed()) {
      if (!building || this.#replaced.has(elementKey(type, id))) continue;
      if (type === 'way') ways.add(id);
      else relations.push(this.#relations.byId.get(id) as Relation);
    }
    return { ways, relations };
  }

  *makeUnclaimed(extract: Extract, wanted: ReturnType<BuildingMaker['unclaimedBuildings']>): Generator<Item[]> {
    const items: Item[] = [];
    const shapeOf = relationShaper(extract, wanted.relations, this.#relations);
    for (const relation of wanted.relations) this.#makeRelation(relation, shapeOf(relation), items);
    for (const way of extract.ways.find(wanted.ways).values()) {
      if (!this.#replaced.has(elementKey('way', extract.ways.idOf(way)))) this.#makeWay(extract, way, items);
    }
    yield items;
  }

  *noteUnclaimed(): Generator<Item[]> {
    if (this.#cut) return;
    const reason = 'building part outside every building of this file';
    let items: Item[] = [];
    for (const { type, id, line } of this.#parts.unclaimed()) {
      items.push({ kind: 'note', at: { file: this.#file, line }, record: elementKey(type, id), reason });
      if (items.length < PORTION) continue;
      yield items;
      items = [];
    }
    yield items;
  }

  #make(type: ElementType, id: number, tags: Tags, line: number, shape: ShapeResult, items: Item[]): boolean {
    const at = { file: this.#file, line };
    const record = elementKey(type, id);
    if ('fault' in shape) {
      if (shape.absent) this.#leaveOut(type, at, record, shape.fault, items);
      else items.push({ kind: 'rejected', at, record, reason: shape.fault });
      return false;
    }
    const around = { venues: this.#venues, parts: this.#parts };
    const draft = makeDraft(
      type,
      id,
      withOutlinedTags(tags, this.#relations.outlined.get(record)),
      shape.geometry,
      around,
    );
    if (typeof draft === 'string') {
      items.push({ kind: 'rejected', at, record, reason: draft });
      return false;
    }
    // Its parts and relations may have been in the rest of the file, so no known value is withdrawn.
    if (this.#cut) draft.whole = false;
    if (shape.note !== undefined) draft.notes.push(shape.note);
    for (const reason of draft.notes) items.push({ kind: 'note', at, record, reason });
    items.push({ kind: 'record', at, record: draft });
    this.#made += 1;
    return true;
  }

  #leaveOut(type: ElementType, at: FileLine, record: string, reason: string, items: Item[]): void {
    if (this.#cut) return;
    this.#leftOut[type === 'relation' ? 'relation' : 'way'] += 1;
    items.push({ kind: 'detail', at, record, reason });
  }

  /** One remark about everything that the extract cuts through. A file without any nodes is not an extract. */
  *summarise(hasNodes: boolean): Generator<Item[]> {
    const { relation, way, part } = this.#leftOut;
    if (relation + way + part === 0) return;
    if (!hasNodes && this.#made === 0) throw new BrokenFile(NO_NODES);
    const counted = [count(relation, 'relation'), count(way, 'way'), count(part, 'building part')];
    const what = counted.filter((text) => text !== '').join(', ');
    yield [{ kind: 'remark', file: this.#file, reason: `left out at the edge of the extract: ${what}` }];
  }
}

const NO_NODES = 'ways without nodes, so no building has a shape; fetch the nodes too (in Overpass, "out geom;")';

function count(number: number, noun: string): string {
  if (number === 0) return '';
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function shapeOfWay(extract: Extract, way: number): ShapeResult {
  const line = lineOfWay(extract, way);
  const center = extract.ways.centerOf(way);
  if (line === undefined || line.length === 0) {
    return center !== undefined
      ? { geometry: { type: 'Point', coordinates: center } }
      : hasMisplaced(extract, way)
        ? { fault: 'a node has invalid coordinates', absent: false }
        : { fault: 'some nodes are not in the file', absent: true };
  }
  const [first, last] = [line[0], line[line.length - 1]] as [Position, Position];
  if (first[0] !== last[0] || first[1] !== last[1]) return { fault: 'outline is not closed', absent: false };
  return { geometry: { type: 'Polygon', coordinates: [line] } };
}

function hasMisplaced({ ways, misplaced }: Extract, way: number): boolean {
  return misplaced !== undefined && misplaced.size > 0 && ways.refsOf(way).some((ref) => misplaced.has(ref));
}

function relationShaper(
  extract: Extract,
  relations: readonly Relation[],
  all: Relations,
): (relation: Relation) => ShapeResult {
  const found = extract.ways.find(memberWays(relations, all));
  return (relation) =>
    shapeOfRelation(relation, all, (ref) => {
      const way = found.get(ref);
      return way === undefined ? undefined : lineOfWay(extract, way);
    });
}

/** The ways that make up the shapes of these relations. */
export function memberWays(relations: readonly Relation[], all: Relations): Set<number> {
  const refs = new Set<number>();
  for (const relation of relations) {
    const source = shapeSource(relation, all);
    if (source === undefined) continue;
    const { outer, inner } = ringMembers(source);
    for (const { ref } of [...outer, ...inner]) refs.add(ref);
  }
  return refs;
}

function shapeOfRelation(
  relation: Relation,
  all: Relations,
  lineOf: (way: number) => Position[] | undefined,
): ShapeResult {
  if (!relation.tags.has('type')) return { fault: 'relation without a type; expected multipolygon', absent: false };
  const source = shapeSource(relation, all);
  const { outer, inner } = source === undefined ? { outer: [], inner: [] } : ringMembers(source);
  const lines = (members: typeof outer) => members.map(({ ref, drawn }) => drawn ?? lineOf(ref));
  const [outerLines, innerLines] = [lines(outer), lines(inner)];
  if (source === undefined || [...outerLines, ...innerLines].includes(undefined)) {
    if (relation.center !== undefined) return { geometry: { type: 'Point', coordinates: relation.center } };
    return { fault: 'some members are not in the file', absent: true };
  }
  const assembled = assemblePolygons(outerLines as Position[][], innerLines as Position[][]);
  if ('fault' in assembled) {
    if (outer.length === 0 && relation.center !== undefined) {
      return { geometry: { type: 'Point', coordinates: relation.center } };
    }
    return { fault: `outline ${assembled.fault}`, absent: false };
  }
  const { geometry, strayHoles } = assembled;
  return strayHoles === 0 ? { geometry } : { geometry, note: `${strayHoles} inner rings outside every outer ring` };
}
