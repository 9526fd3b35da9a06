import { PbfReader } from 'pbf';
import { BrokenFile } from '../../../files/broken-file.ts';
import type { ElementType, Member, Tags } from '../elements.ts';
import { AREA_KEY, KEPT_KEY, StringTable, VENUE_KEY } from './string-table.ts';
import { countVarints, readDeltas, readIndices } from './varints.ts';

/** Callbacks for the elements of a block; what has no callback is not decoded. Ordinals count from 0. */
interface BlockHandler {
  nodes?(ids: Float64Array, count: number, places: NodePositions): void;
  /** Nodes with a key of a venue. */
  venue?(tags: Tags, places: NodePositions, node: number): void;
  /** Every way; its tags are empty unless it has a key of a building or part. */
  way?(way: PbfWay, ordinal: number): void;
  relation?(id: number, tags: Tags, members: () => Member[], ordinal: number): void;
}

/** Positions of the current nodes, in 1e-7 degrees. */
interface NodePositions {
  lon(node: number): number;
  lat(node: number): number;
}

interface PbfWay {
  id: number;
  tags: Tags;
  refCount: number;
  /** Its nodes, valid until the next way is read. */
  refs(): Float64Array;
  /** Whether it has the positions of its nodes (LocationsOnWays). */
  isDrawn: boolean;
  /** The positions, by index in `refs`, valid until the next way is read. */
  places(): NodePositions;
}

/** Field numbers of the format (osmformat.proto). */
const BLOCK = { strings: 1, group: 2, granularity: 17, latOffset: 19, lonOffset: 20 } as const;
const GROUP = { node: 1, dense: 2, way: 3, relation: 4 } as const;
const DENSE = { id: 1, lat: 8, lon: 9, tags: 10 } as const;
const NODE = { id: 1, keys: 2, values: 3, lat: 8, lon: 9 } as const;
/** Ways and relations. In a way, fields 9 and 10 are the positions of its nodes. */
const AREA_ELEMENT = { id: 1, keys: 2, values: 3, refsOrRoles: 8, memberIds: 9, memberTypes: 10 } as const;
const TYPES: readonly ElementType[] = ['node', 'way', 'relation'];

const NO_TAGS: Tags = new Map();
const SMALL = 1 << 20;

class Range {
  start = 0;
  end = 0;
}

/** Reads a PrimitiveBlock; returns the number of its elements. */
export function readPrimitiveBlock(bytes: Uint8Array, handler: BlockHandler): number {
  return new BlockReader(bytes, handler).read();
}

class BlockReader implements NodePositions {
  readonly #bytes: Uint8Array;
  readonly #reader: PbfReader;
  readonly #handler: BlockHandler;
  #strings = new StringTable(new Uint8Array(), [], []);
  #granularity = 100;
  #latOffset = 0;
  #lonOffset = 0;
  #ordinal = 0;
  /** The byte ranges of the positions of the current nodes, decoded on demand. */
  readonly #latRange = new Range();
  readonly #lonRange = new Range();
  #placed = false;

  constructor(bytes: Uint8Array, handler: BlockHandler) {
    this.#bytes = bytes;
    this.#reader = new PbfReader(bytes);
    this.#handler = handler;
  }

  read(): number {
    const groups: Range[] = [];
    // Strings and offsets may follow the groups that need them.
    this.#eachField(this.#bytes.length, (field, reader) => {
      if (field === BLOCK.strings) this.#strings = this.#readStrings();
      else if (field === BLOCK.group) groups.push(this.#passOver(this.#bytes.length, new Range()));
      else if (field === BLOCK.granularity) this.#granularity = reader.readVarint();
      else if (field === BLOCK.latOffset) this.#latOffset = reader.readVarint(true);
      else if (field === BLOCK.lonOffset) this.#lonOffset = reader.readVarint(true);
    });
    for (const { start, end } of groups) {
      this.#reader.pos = start;
      this.#eachField(end, (field) => this.#readInGroup(field, end));
    }
    return this.#ordinal;
  }

  #readInGroup(field: number, groupEnd: number): void {
    if (field < GROUP.node || field > GROUP.relation) return;
    const end = this.#enter(groupEnd);
    if (field === GROUP.dense) this.#readDense(end);
    else if (field === GROUP.node) this.#readNode(end);
    else if (field === GROUP.way) this.#readWay(end);
    else this.#readRelation(end);
  }

  #readDense(end: number): void {
    const [ids, tags] = [new Range(), new Range()];
    const ranges: Record<number, Range> = {
      [DENSE.id]: ids,
      [DENSE.lat]: this.#latRange,
      [DENSE.lon]: this.#lonRange,
      [DENSE.tags]: tags,
    };
    this.#latRange.end = this.#latRange.start;
    this.#lonRange.end = this.#lonRange.start;
    this.#placed = false;
    this.#eachField(end, (field) => {
      const range = ranges[field];
      if (range !== undefined) this.#passOver(end, range);
    });
    const { nodes, venue } = this.#handler;
    if (nodes === undefined && venue === undefined) {
      this.#ordinal += countVarints(this.#bytes, ids.start, ids.end);
      return;
    }
    SCRATCH.ids = this.#roomFor(ids, SCRATCH.ids);
    const count = readDeltas(this.#bytes, ids.start, ids.end, SCRATCH.ids);
    nodes?.call(this.#handler, SCRATCH.ids, count, this);
    if (venue !== undefined && (this.#strings.has & VENUE_KEY) !== 0) this.#readDenseTags(tags, count);
    this.#ordinal += count;
  }

  /** Keys and values of all nodes, with a zero after each node. */
  #readDenseTags(range: Range, count: number): void {
    SCRATCH.keys = this.#indicesRoom(range, SCRATCH.keys);
    const length = readIndices(this.#bytes, range.start, range.end, SCRATCH.keys);
    const numbers = SCRATCH.keys;
    let at = 0;
    for (let node = 0; node < count && at < length; node++) {
      const start = at;
      let flags = 0;
      for (; at < length && numbers[at] !== 0; at += 2) flags |= this.#strings.flagsOf(numbers[at] as number);
      if ((flags & VENUE_KEY) !== 0)
        this.#handler.venue?.(this.#tagsOf(numbers, start, numbers, start + 1, at, 2), this, node);
      at += 1;
    }
  }

  lon(node: number): number {
    this.#readPlaces();
    return this.#toDegrees(this.#lonOffset, SCRATCH.lons[node]);
  }

  lat(node: number): number {
    this.#readPlaces();
    return this.#toDegrees(this.#latOffset, SCRATCH.lats[node]);
  }

  #toDegrees(offset: number, value: number | undefined): number {
    return Math.round((offset + this.#granularity * (value ?? Number.NaN)) / 100);
  }

  #readPlaces(): void {
    if (this.#placed) return;
    this.#placed = true;
    const [lats, lons] = [this.#latRange, this.#lonRange];
    SCRATCH.lats = this.#roomFor(lats, SCRATCH.lats);
    SCRATCH.lons = this.#roomFor(lons, SCRATCH.lons);
    SCRATCH.lats.fill(Number.NaN, readDeltas(this.#bytes, lats.start, lats.end, SCRATCH.lats));
    SCRATCH.lons.fill(Number.NaN, readDeltas(this.#bytes, lons.start, lons.end, SCRATCH.lons));
  }

  #readNode(end: number): void {
    const [keys, values] = [new Range(), new Range()];
    let [id, lat, lon] = [Number.NaN, Number.NaN, Number.NaN];
    this.#eachField(end, (field, reader) => {
      if (field === NODE.id) id = reader.readSVarint();
      else if (field === NODE.lat) lat = reader.readSVarint();
      else if (field === NODE.lon) lon = reader.readSVarint();
      else if (field === NODE.keys) this.#passOver(end, keys);
      else if (field === NODE.values) this.#passOver(end, values);
    });
    this.#placed = true;
    SCRATCH.ids[0] = id;
    SCRATCH.lats[0] = lat;
    SCRATCH.lons[0] = lon;
    this.#handler.nodes?.(SCRATCH.ids, 1, this);
    const tags = this.#readTags(keys, values, VENUE_KEY);
    if (tags.size > 0) this.#handler.venue?.(tags, this, 0);
    this.#ordinal += 1;
  }

  #readWay(end: number): void {
    const ordinal = this.#ordinal++;
    if (this.#handler.way === undefined) {
      this.#reader.pos = end;
      return;
    }
    const { id, keys, values, refs, memberIds: lats, memberTypes: lons } = this.#readAreaElement(end);
    const bytes = this.#bytes;
    this.#handler.way(
      {
        id,
        tags: (this.#strings.has & AREA_KEY) === 0 ? NO_TAGS : this.#readTags(keys, values, AREA_KEY),
        refCount: countVarints(bytes, refs.start, refs.end),
        refs: () => {
          SCRATCH.refs = this.#roomFor(refs, SCRATCH.refs);
          return SCRATCH.refs.subarray(0, readDeltas(bytes, refs.start, refs.end, SCRATCH.refs));
        },
        isDrawn: lats.end > lats.start && lons.end > lons.start,
        places: () => {
          this.#useRange(this.#latRange, lats);
          this.#useRange(this.#lonRange, lons);
          this.#placed = false;
          return this;
        },
      },
      ordinal,
    );
  }

  #readRelation(end: number): void {
    const ordinal = this.#ordinal++;
    if (this.#handler.relation === undefined) {
      this.#reader.pos = end;
      return;
    }
    const { id, keys, values, refs: roles, memberIds, memberTypes } = this.#readAreaElement(end);
    const members = () => {
      const [types, roleNumbers] = [new Int32Array(roomOf(this.#bytes, memberTypes)), this.#indicesRoom(roles)];
      const ids = this.#roomFor(memberIds);
      const count = readDeltas(this.#bytes, memberIds.start, memberIds.end, ids);
      const typeCount = readIndices(this.#bytes, memberTypes.start, memberTypes.end, types);
      const roleCount = readIndices(this.#bytes, roles.start, roles.end, roleNumbers);
      if (typeCount !== count || roleCount !== count) throw new BrokenFile('a relation is damaged');
      return Array.from({ length: count }, (_, i): Member => {
        const type = TYPES[types[i] as number];
        if (type === undefined) throw new BrokenFile('a relation has a member of an unknown type');
        return { type, ref: ids[i] as number, role: this.#strings.at(roleNumbers[i] as number) };
      });
    };
    this.#handler.relation(id, this.#readTags(keys, values, KEPT_KEY), members, ordinal);
  }

  #readAreaElement(end: number) {
    const ranges = [new Range(), new Range(), new Range(), new Range(), new Range()] as const;
    const [keys, values, refs, memberIds, memberTypes] = ranges;
    let id = Number.NaN;
    this.#eachField(end, (field, reader) => {
      if (field === AREA_ELEMENT.id) id = reader.readVarint(true);
      else if (field === AREA_ELEMENT.keys) this.#passOver(end, keys);
      else if (field === AREA_ELEMENT.values) this.#passOver(end, values);
      else if (field === AREA_ELEMENT.refsOrRoles) this.#passOver(end, refs);
      else if (field === AREA_ELEMENT.memberIds) this.#passOver(end, memberIds);
      else if (field === AREA_ELEMENT.memberTypes) this.#passOver(end, memberTypes);
    });
    return { id, keys, values, refs, memberIds, memberTypes };
  }

  /** The tags that are kept; none if no key has the flag. */
  #readTags(keys: Range, values: Range, flag: number): Tags {
    SCRATCH.keys = this.#indicesRoom(keys, SCRATCH.keys);
    const count = readIndices(this.#bytes, keys.start, keys.end, SCRATCH.keys);
    let flags = 0;
    for (let i = 0; i < count; i++) flags |= this.#strings.flagsOf(SCRATCH.keys[i] as number);
    if ((flags & flag) === 0) return NO_TAGS;
    SCRATCH.values = this.#indicesRoom(values, SCRATCH.values);
    if (readIndices(this.#bytes, values.start, values.end, SCRATCH.values) !== count) {
      throw new BrokenFile('an element has keys without values');
    }
    return this.#tagsOf(SCRATCH.keys, 0, SCRATCH.values, 0, count, 1);
  }

  #tagsOf(keys: Int32Array, key: number, values: Int32Array, value: number, end: number, step: number): Tags {
    const tags = new Map<string, string>();
    for (let [k, v] = [key, value]; k < end; k += step, v += step) {
      if ((this.#strings.flagsOf(keys[k] as number) & KEPT_KEY) === 0) continue;
      tags.set(this.#strings.at(keys[k] as number), this.#strings.at(values[v] as number));
    }
    return tags;
  }

  #readStrings(): StringTable {
    const end = this.#enter(this.#bytes.length);
    const [starts, ends]: [number[], number[]] = [[], []];
    this.#eachField(end, (field) => {
      if (field !== 1) return;
      const stringEnd = this.#enter(end);
      starts.push(this.#reader.pos);
      ends.push(stringEnd);
      this.#reader.pos = stringEnd;
    });
    return new StringTable(this.#bytes, starts, ends);
  }

  #eachField(end: number, read: (field: number, reader: PbfReader) => void): void {
    const reader = this.#reader;
    for (let field = reader.nextField(end); field !== 0; field = reader.nextField(end)) read(field, reader);
    if (reader.pos !== end) throw new BrokenFile('a blob is damaged');
  }

  /** Reads the length of a message and returns its end. */
  #enter(outerEnd: number): number {
    const length = this.#reader.readVarint();
    const end = this.#reader.pos + length;
    if (end > outerEnd) throw new BrokenFile('a blob is damaged');
    return end;
  }

  #passOver(outerEnd: number, range: Range): Range {
    range.end = this.#enter(outerEnd);
    range.start = this.#reader.pos;
    this.#reader.pos = range.end;
    return range;
  }

  #useRange(range: Range, { start, end }: Range): void {
    range.start = start;
    range.end = end;
  }

  #roomFor(range: Range, room: Float64Array = new Float64Array()): Float64Array {
    const needed = roomOf(this.#bytes, range);
    return room.length >= needed ? room : new Float64Array(needed);
  }

  #indicesRoom(range: Range, room: Int32Array = new Int32Array()): Int32Array {
    const needed = roomOf(this.#bytes, range);
    return room.length >= needed ? room : new Int32Array(needed);
  }
}

/** A number takes at least one byte, so small ranges need no counting. */
function roomOf(bytes: Uint8Array, { start, end }: Range): number {
  return end - start <= SMALL ? end - start : countVarints(bytes, start, end) + 1;
}

/** Buffers shared by all blocks. Their content is valid only while one element is read. */
const SCRATCH: Record<'ids' | 'lats' | 'lons' | 'refs', Float64Array> & Record<'keys' | 'values', Int32Array> = {
  ids: new Float64Array(1 << 14),
  lats: new Float64Array(1 << 14),
  lons: new Float64Array(1 << 14),
  refs: new Float64Array(1 << 12),
  keys: new Int32Array(1 << 12),
  values: new Int32Array(1 << 12),
};
