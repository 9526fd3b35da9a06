import type { Position } from '../../vocabulary/geometry.ts';
import type { Tags } from './elements.ts';
import type { NodeTable } from './node-table.ts';
import { NumberList } from './number-list.ts';
import { isKeptKey } from './tag-tables.ts';

/** Ways with their nodes and tags, in typed arrays instead of objects. */
export class WayTable {
  readonly #ids = new NumberList(Float64Array);
  readonly #lines = new NumberList(Uint32Array);
  readonly #kinds = new NumberList(Uint8Array);
  readonly #refs: NumberList<Float64Array>;
  readonly #refEnds = new NumberList(Uint32Array);
  readonly #tags = new NumberList(Int32Array);
  readonly #tagEnds = new NumberList(Uint32Array);
  readonly #words: string[] = [];
  readonly #wordNumbers = new Map<string, number>();
  readonly #centers = new Map<number, Position>();

  /** `refs`: the expected number of nodes of all ways. */
  constructor(refs = 1024) {
    this.#refs = new NumberList(Float64Array, refs);
  }

  get length(): number {
    return this.#ids.length;
  }

  /** Tags are kept only for buildings and parts. */
  add(id: number, kind: number, refs: ArrayLike<number>, tags: Tags, line: number, center?: Position): void {
    if (center !== undefined) this.#centers.set(this.length, center);
    this.#ids.push(id);
    this.#lines.push(line);
    this.#kinds.push(kind);
    this.#refs.reserve(refs.length);
    for (let i = 0; i < refs.length; i++) this.#refs.push(refs[i] as number);
    this.#refEnds.push(this.#refs.length);
    if (kind !== 0) {
      for (const [key, value] of tags) {
        if (!isKeptKey(key)) continue;
        this.#tags.push(this.#numberOf(key));
        this.#tags.push(this.#numberOf(value));
      }
    }
    this.#tagEnds.push(this.#tags.length);
  }

  idOf(way: number): number {
    return this.#ids.values[way] as number;
  }

  kindOf(way: number): number {
    return this.#kinds.values[way] as number;
  }

  lineOf(way: number): number {
    return this.#lines.values[way] as number;
  }

  centerOf(way: number): Position | undefined {
    return this.#centers.get(way);
  }

  tagsOf(way: number): Tags {
    const tags = new Map<string, string>();
    const start = way === 0 ? 0 : (this.#tagEnds.values[way - 1] as number);
    for (let i = start; i < (this.#tagEnds.values[way] as number); i += 2) {
      const [key, value] = [this.#tags.values[i] as number, this.#tags.values[i + 1] as number];
      tags.set(this.#words[key] as string, this.#words[value] as string);
    }
    return tags;
  }

  refsOf(way: number): Float64Array {
    const start = way === 0 ? 0 : (this.#refEnds.values[way - 1] as number);
    return this.#refs.values.subarray(start, this.#refEnds.values[way]);
  }

  /** The nodes of all ways, unsorted. */
  allRefs(): Float64Array {
    return this.#refs.taken().slice();
  }

  /** Row index by way ID. */
  find(ids: ReadonlySet<number>): Map<number, number> {
    const found = new Map<number, number>();
    if (ids.size === 0) return found;
    for (let way = 0; way < this.length; way++) if (ids.has(this.idOf(way))) found.set(this.idOf(way), way);
    return found;
  }

  #numberOf(word: string): number {
    let number = this.#wordNumbers.get(word);
    if (number === undefined) {
      number = this.#words.push(word) - 1;
      this.#wordNumbers.set(word, number);
    }
    return number;
  }
}

/** Ways and the positions of their nodes, of a file or a portion of it. */
export interface Extract {
  ways: WayTable;
  nodes: NodeTable;
  /** Nodes in the file with invalid coordinates. */
  misplaced?: ReadonlySet<number>;
}

/** A way as a line; undefined if a node is missing. */
export function lineOfWay({ ways, nodes }: Extract, way: number): Position[] | undefined {
  const refs = ways.refsOf(way);
  const line: Position[] = new Array(refs.length);
  for (let i = 0; i < refs.length; i++) {
    const position = nodes.positionOf(refs[i] as number);
    if (position === undefined) return undefined;
    line[i] = position;
  }
  return line;
}
