import { deflateSync, zstdCompressSync } from 'node:zlib';
import { PbfWriter } from 'pbf';

/** Writes OSM PBF: small files from elements, or blob by blob for large ones. */

export type PbfTags = Readonly<Record<string, string>>;

export interface PbfNode {
  type: 'node';
  id: number;
  lon: number;
  lat: number;
  tags?: PbfTags;
}

export interface PbfWay {
  type: 'way';
  id: number;
  refs: readonly number[];
  /** The coordinates of its nodes (LocationsOnWays). */
  places?: readonly (readonly [lon: number, lat: number])[];
  tags?: PbfTags;
}

export interface PbfRelation {
  type: 'relation';
  id: number;
  members: readonly { type: 'node' | 'way' | 'relation'; ref: number; role: string }[];
  tags?: PbfTags;
}

export type PbfElement = PbfNode | PbfWay | PbfRelation;
export type Packing = (plain: Uint8Array) => { field: number; bytes: Uint8Array; rawSize?: number };

export const zlibPacking: Packing = (plain) => ({ field: 3, bytes: deflateSync(plain, { level: 1 }) });
export const zstdPacking: Packing = (plain) => ({ field: 7, bytes: zstdCompressSync(plain) });
export const lz4Packing: Packing = (plain) => ({ field: 6, bytes: packLz4(plain) });
export const noPacking: Packing = (plain) => ({ field: 1, bytes: plain });

/** Elements of one type in a row become blobs of at most `perBlob`, in the given order. */
export function writePbf(elements: readonly PbfElement[], perBlob = 8_000, packing = zlibPacking): Buffer {
  const blobs = [headerBlob()];
  for (let at = 0; at < elements.length; ) {
    const type = (elements[at] as PbfElement).type;
    let end = at;
    while (end < elements.length && end - at < perBlob && elements[end]?.type === type) end++;
    const run = elements.slice(at, end);
    if (type === 'way') blobs.push(waysBlob(run as PbfWay[], packing));
    else if (type === 'relation') blobs.push(relationsBlob(run as PbfRelation[], packing));
    else {
      const nodes = run as PbfNode[];
      const [ids, lons, lats] = [nodes.map((n) => n.id), nodes.map((n) => n.lon), nodes.map((n) => n.lat)];
      const tags = nodes.map((n) => n.tags);
      blobs.push(nodesBlob(ids, lons, lats, tags, packing));
    }
    at = end;
  }
  return Buffer.concat(blobs);
}

export function headerBlob(
  required: readonly string[] = ['OsmSchema-V0.6', 'DenseNodes'],
  optional: readonly string[] = [],
  replicatedAt?: number,
): Buffer {
  const writer = new PbfWriter();
  for (const feature of required) writeText(writer, 4, feature);
  for (const feature of optional) writeText(writer, 5, feature);
  if (replicatedAt !== undefined) writer.writeVarintField(32, replicatedAt);
  return blob('OSMHeader', writer.finish());
}

/** Dense nodes; `tags` by index in the list. */
export function nodesBlob(
  ids: ArrayLike<number>,
  lons: ArrayLike<number>,
  lats: ArrayLike<number>,
  tags?: ArrayLike<PbfTags | undefined>,
  packing = zlibPacking,
): Buffer {
  const strings = new Strings();
  const keysAndValues: number[] = [];
  for (let i = 0; i < ids.length && tags !== undefined; i++) {
    for (const [key, value] of Object.entries(tags[i] ?? {})) keysAndValues.push(strings.add(key), strings.add(value));
    keysAndValues.push(0);
  }
  const tagged = keysAndValues.some((number) => number !== 0);
  return dataBlob(strings, packing, (group) => {
    group.writeMessage(
      2,
      (_, dense) => {
        writeDeltas(dense, 1, ids, 1);
        writeDeltas(dense, 8, lats, 1e7);
        writeDeltas(dense, 9, lons, 1e7);
        if (tagged) dense.writePackedVarint(10, keysAndValues);
      },
      null,
    );
  });
}

/** Nodes that are not dense, as some programs write them. */
export function plainNodesBlob(nodes: readonly PbfNode[], packing = zlibPacking): Buffer {
  const strings = new Strings();
  const tagged = nodes.map((node) => strings.addTags(node.tags));
  return dataBlob(strings, packing, (group) => {
    nodes.forEach((node, i) => {
      group.writeMessage(
        1,
        (_, message) => {
          message.writeTag(1, 0);
          message.writeSVarint(node.id);
          writeTags(message, tagged[i] as number[][]);
          message.writeTag(8, 0);
          message.writeSVarint(Math.round(node.lat * 1e7));
          message.writeTag(9, 0);
          message.writeSVarint(Math.round(node.lon * 1e7));
        },
        null,
      );
    });
  });
}

export function waysBlob(ways: readonly Omit<PbfWay, 'type'>[], packing = zlibPacking): Buffer {
  const strings = new Strings();
  const tagged = ways.map((way) => strings.addTags(way.tags));
  return dataBlob(strings, packing, (group) => {
    ways.forEach((way, i) => {
      group.writeMessage(
        3,
        (_, message) => {
          message.writeTag(1, 0);
          message.writeVarint(way.id);
          writeTags(message, tagged[i] as number[][]);
          writeDeltas(message, 8, way.refs, 1);
          if (way.places !== undefined) {
            writeDeltas(
              message,
              9,
              way.places.map(([, lat]) => lat),
              1e7,
            );
            writeDeltas(
              message,
              10,
              way.places.map(([lon]) => lon),
              1e7,
            );
          }
        },
        null,
      );
    });
  });
}

export function relationsBlob(relations: readonly Omit<PbfRelation, 'type'>[], packing = zlibPacking): Buffer {
  const strings = new Strings();
  const tagged = relations.map((relation) => strings.addTags(relation.tags));
  const roles = relations.map(({ members }) => members.map(({ role }) => strings.add(role)));
  return dataBlob(strings, packing, (group) => {
    relations.forEach((relation, i) => {
      group.writeMessage(
        4,
        (_, message) => {
          message.writeTag(1, 0);
          message.writeVarint(relation.id);
          writeTags(message, tagged[i] as number[][]);
          message.writePackedVarint(8, roles[i] as number[]);
          writeDeltas(
            message,
            9,
            relation.members.map(({ ref }) => ref),
            1,
          );
          const types = relation.members.map(({ type }) => ['node', 'way', 'relation'].indexOf(type));
          message.writePackedVarint(10, types);
        },
        null,
      );
    });
  });
}

/** A blob preceded by its length and header. */
export function blob(type: string, plain: Uint8Array, packing = zlibPacking): Buffer {
  const { field, bytes, rawSize } = packing(plain);
  const body = new PbfWriter();
  if (field !== 1) {
    body.writeTag(2, 0);
    body.writeVarint(rawSize ?? plain.length);
  }
  body.writeTag(field, 2);
  body.writeBytes(bytes);
  const data = body.finish();
  const header = new PbfWriter();
  writeText(header, 1, type);
  header.writeTag(3, 0);
  header.writeVarint(data.length);
  const head = header.finish();
  const size = Buffer.alloc(4);
  size.writeUInt32BE(head.length);
  return Buffer.concat([size, head, data]);
}

class Strings {
  /** Index 0 is never used: zero ends the tags of a dense node. */
  readonly list: string[] = [''];
  readonly #numbers = new Map<string, number>();

  add(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.list.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  addTags(tags: PbfTags = {}): number[][] {
    return Object.entries(tags).map(([key, value]) => [this.add(key), this.add(value)]);
  }
}

function dataBlob(strings: Strings, packing: Packing, writeGroup: (group: PbfWriter) => void): Buffer {
  const writer = new PbfWriter();
  writer.writeMessage(
    1,
    (list, table) => {
      for (const text of list) writeText(table, 1, text);
    },
    strings.list,
  );
  writer.writeMessage(2, (_, group) => writeGroup(group), null);
  return blob('OSMData', writer.finish(), packing);
}

function writeTags(message: PbfWriter, tags: number[][]): void {
  if (tags.length === 0) return;
  message.writePackedVarint(2, tags.map(([key]) => key) as number[]);
  message.writePackedVarint(3, tags.map(([, value]) => value) as number[]);
}

function writeDeltas(message: PbfWriter, field: number, values: ArrayLike<number>, scale: number): void {
  const deltas: number[] = new Array(values.length);
  let last = 0;
  for (let i = 0; i < values.length; i++) {
    const value = Math.round((values[i] as number) * scale);
    deltas[i] = value - last;
    last = value;
  }
  message.writePackedSVarint(field, deltas);
}

function writeText(writer: PbfWriter, field: number, text: string): void {
  writer.writeTag(field, 2);
  writer.writeString(text);
}

/** An LZ4 block: repetitions of four bytes or more are written as references to the last occurrence. */
export function packLz4(plain: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  const seen = new Map<string, number>();
  const writeLength = (length: number) => {
    for (let left = length - 15; left >= 0; left -= 255) bytes.push(Math.min(left, 255));
  };
  const writeSequence = (start: number, end: number, distance = 0, length = 4) => {
    bytes.push((Math.min(end - start, 15) << 4) | Math.min(length - 4, 15));
    writeLength(end - start);
    bytes.push(...plain.subarray(start, end));
    if (distance === 0) return;
    bytes.push(distance & 255, distance >> 8);
    writeLength(length - 4);
  };
  let start = 0;
  // The format requires that no match starts in the last twelve bytes or covers the last five.
  for (let at = 0; at < plain.length - 12; ) {
    const key = plain.subarray(at, at + 4).join();
    const before = seen.get(key);
    seen.set(key, at);
    if (before === undefined || at - before > 65_535) {
      at += 1;
      continue;
    }
    let length = 4;
    while (at + length < plain.length - 5 && plain[at + length] === plain[before + length]) length += 1;
    writeSequence(start, at, at - before, length);
    at += length;
    start = at;
  }
  writeSequence(start, plain.length);
  return Uint8Array.from(bytes);
}
