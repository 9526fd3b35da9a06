import { PbfReader } from 'pbf';
import type { SourceFile } from '../../files/source-file.ts';
import { unpackedName } from '../../files/unpack.ts';
import { readBlobs } from '../../sources/osm/pbf/read-blobs.ts';
import { cutObjects } from './cut-bytes.ts';
import { cutElements } from './cut-elements.ts';
import { decodeBytes, plainBytes, positionText, type RawPiece } from './piece.ts';

type OsmType = 'node' | 'way' | 'relation';
const TYPES: readonly OsmType[] = ['node', 'way', 'relation'];

/** The raw bytes of an element, and what it refers to. */
export interface OsmElement extends RawPiece {
  key: string;
  /** The line number of the adapter: the line of XML, else the ordinal of the element. */
  number: number;
  /** Nodes of a way or members of a relation: `node/1`, `way/2`. */
  refs: string[];
  /** The member that is the outline, for a `type=building` relation. */
  outline: string | undefined;
}

/** Which elements to find. */
export interface OsmQuery {
  keys: ReadonlySet<string>;
  /** Also relations with one of these as outline. */
  outlines: ReadonlySet<string>;
  /** Also nodes with one of these texts in their tags. */
  texts: readonly string[];
  /** Also building parts with a tag of one of these values. */
  sizes: readonly string[];
}

function matchesQuery(key: string, outline: string | undefined, text: () => string, query: OsmQuery): boolean {
  if (query.keys.has(key) || (outline !== undefined && query.outlines.has(outline))) return true;
  const isNode = key.startsWith('node/');
  if ((isNode ? query.texts : query.sizes).length === 0) return false;
  const tagText = text();
  if (isNode) return query.texts.some((wanted) => tagText.includes(wanted));
  return tagText.includes('building:part') && query.sizes.some((size) => hasSize(size, tagText));
}

/** Whether a tag has this number as its value, with or without the unit m. */
export function hasSize(size: string, text: string): boolean {
  return new RegExp(`["']${size.replace('.', '\\.')}(?:\\.0+)?(?: ?m)?["']`).test(text);
}

/** The elements of an OSM file of any format. */
export function osmElements(file: SourceFile, query: OsmQuery): AsyncGenerator<OsmElement> {
  const name = unpackedName(file.name);
  if (/\.pbf$/i.test(name)) return cutPbf(file, query);
  return /\.json$/i.test(name) ? fromJson(file, query) : fromXml(file, query);
}

async function* fromXml(file: SourceFile, query: OsmQuery): AsyncGenerator<OsmElement> {
  const wantsRelations = query.outlines.size > 0;
  const wants = (tag: string, name: string) =>
    query.keys.has(`${name}/${attribute(tag, 'id')}`) ||
    (name === 'relation' && wantsRelations) ||
    (name !== 'node' && query.sizes.length > 0) ||
    (name === 'node' && query.texts.length > 0 && !tag.endsWith('/>'));
  for await (const { name, tag, line, offset, bytes, isCut } of cutElements(plainBytes(file), TYPES, wants)) {
    const key = `${name}/${attribute(tag, 'id')}`;
    const text = decodeBytes(bytes);
    const members = [...text.matchAll(/<member\b[^<>]*>/g)].map(([member]) => member);
    const keyOf = (member: string) => `${attribute(member, 'type')}/${attribute(member, 'ref')}`;
    const outlines = members.filter((member) => attribute(member, 'role') === 'outline').map(keyOf);
    const nodes = [...text.matchAll(/<nd\b[^<>]*>/g)].map(([nd]) => `node/${attribute(nd, 'ref')}`);
    const element = {
      key,
      number: line,
      what: key,
      at: positionText(line, offset),
      bytes,
      isCut,
      outline: outlines[0],
    };
    if (matchesQuery(key, outlines[0], () => unescaped(text), query)) {
      yield { ...element, refs: [...nodes, ...members.map(keyOf)] };
    }
  }
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).find(Boolean) ?? '';
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] as string);
}

interface OverpassElement {
  type?: unknown;
  id?: unknown;
  nodes?: unknown;
  members?: unknown;
}

async function* fromJson(file: SourceFile, query: OsmQuery): AsyncGenerator<OsmElement> {
  let number = 0;
  for await (const { line, offset, bytes } of cutObjects(plainBytes(file), 3)) {
    number += 1;
    const element = parse(bytes);
    if (element === undefined) continue;
    const members = (Array.isArray(element.members) ? element.members : []) as Record<string, unknown>[];
    const key = `${element.type}/${element.id}`;
    const outline = members.find(({ role }) => role === 'outline');
    const outlineKey = outline === undefined ? undefined : `${outline.type}/${outline.ref}`;
    if (!matchesQuery(key, outlineKey, () => JSON.stringify(element), query)) continue;
    const nodes = Array.isArray(element.nodes) ? element.nodes.map((id) => `node/${id}`) : [];
    const refs = [...nodes, ...members.map(({ type, ref }) => `${type}/${ref}`)];
    yield { key, number, what: key, at: positionText(line, offset), bytes, refs, outline: outlineKey };
  }
}

function parse(bytes: Buffer): OverpassElement | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as OverpassElement;
  } catch {
    return undefined;
  }
}

interface Decoded {
  type: OsmType;
  id: number;
  attributes: string;
  tags: [string, string][];
  refs: number[];
  /** The position of a node of the way by index, if the way has it (LocationsOnWays). */
  placeAt: (i: number) => string;
  members: { type: OsmType; ref: number; role: string }[];
}

/**
 * The elements of a PBF. Its bytes are compressed, so elements are shown as OSM XML with all tags, by a decoder that is
 * independent of the adapter; the position is that of the blob.
 */
export async function* cutPbf(file: SourceFile, query: OsmQuery): AsyncGenerator<OsmElement> {
  let before = 0;
  for await (const { offset, bytes } of readBlobs(file, () => true)) {
    let ordinal = before;
    for (const element of decodeBlock(bytes)) {
      ordinal += 1;
      const { type, id, refs, members } = element;
      const key = `${type}/${id}`;
      const outline = members.find(({ role }) => role === 'outline');
      const outlineKey = outline === undefined ? undefined : `${outline.type}/${outline.ref}`;
      if (!matchesQuery(key, outlineKey, () => toXml(element), query)) continue;
      yield {
        key,
        number: ordinal,
        what: `${key}, decoded`,
        at: `blob at byte ${offset}, element ${ordinal} of the file`,
        bytes: Buffer.from(toXml(element)),
        refs: [...refs.map((ref) => `node/${ref}`), ...members.map((m) => `${m.type}/${m.ref}`)],
        outline: outlineKey,
      };
    }
    before = ordinal;
  }
}

function toXml({ type, id, attributes, tags, refs, placeAt, members }: Decoded): string {
  const quote = (text: string) => text.replace(/[&<"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&quot;'));
  const inside = [
    ...refs.map((ref, i) => `  <nd ref="${ref}"${placeAt(i)}/>`),
    ...members.map((m) => `  <member type="${m.type}" ref="${m.ref}" role="${quote(m.role)}"/>`),
    ...tags.map(([k, v]) => `  <tag k="${quote(k)}" v="${quote(v)}"/>`),
  ];
  return [`<${type} id="${id}"${attributes}>`, ...inside, `</${type}>`].join('\n');
}

/** Fields of osmformat.proto. */
function decodeBlock(bytes: Uint8Array): Decoded[] {
  const strings: string[] = [];
  const groups: Uint8Array[] = [];
  const scale = { granularity: 100, lat: 0, lon: 0 };
  eachField(bytes, (field, reader) => {
    if (field === 1) {
      eachField(reader.readBytes(), (_, table) => strings.push(Buffer.from(table.readBytes()).toString('utf8')));
    } else if (field === 2) groups.push(reader.readBytes());
    else if (field === 17) scale.granularity = reader.readVarint();
    else if (field === 19) scale.lat = reader.readVarint(true);
    else if (field === 20) scale.lon = reader.readVarint(true);
  });
  const textAt = (index: number | undefined) => strings[index ?? 0] ?? '';
  const place = (lat: number, lon: number) =>
    ` lat="${(scale.lat + scale.granularity * lat) / 1e9}" lon="${(scale.lon + scale.granularity * lon) / 1e9}"`;
  const found: Decoded[] = [];
  for (const group of groups) {
    eachField(group, (field, reader) => {
      if (field === 2) found.push(...decodeDense(reader.readBytes(), textAt, place));
      else if (field === 1 || field === 3 || field === 4) {
        const type = (field === 1 ? 'node' : field === 3 ? 'way' : 'relation') as OsmType;
        found.push(decodeElement(type, reader.readBytes(), textAt, place));
      }
    });
  }
  return found;
}

type TextAt = (index: number | undefined) => string;
type PlaceOf = (lat: number, lon: number) => string;

function decodeDense(bytes: Uint8Array, textAt: TextAt, place: PlaceOf): Decoded[] {
  let ids: number[] = [];
  let lats: number[] = [];
  let lons: number[] = [];
  let texts: number[] = [];
  eachField(bytes, (field, reader) => {
    if (field === 1) ids = summed(reader.readPackedSVarint());
    else if (field === 8) lats = summed(reader.readPackedSVarint());
    else if (field === 9) lons = summed(reader.readPackedSVarint());
    else if (field === 10) texts = reader.readPackedVarint();
  });
  let at = 0;
  return ids.map((id, i) => {
    const tags: [string, string][] = [];
    for (; (texts[at] ?? 0) !== 0; at += 2) tags.push([textAt(texts[at]), textAt(texts[at + 1])]);
    at += 1;
    const attributes = place(lats[i] ?? Number.NaN, lons[i] ?? Number.NaN);
    return { type: 'node', id, attributes, tags, refs: [], placeAt: () => '', members: [] };
  });
}

function decodeElement(type: OsmType, bytes: Uint8Array, textAt: TextAt, place: PlaceOf): Decoded {
  let id = 0;
  let keys: number[] = [];
  let values: number[] = [];
  let roles: number[] = [];
  let refs: number[] = [];
  let types: number[] = [];
  let lats: number[] = [];
  let lons: number[] = [];
  let [lat, lon] = [Number.NaN, Number.NaN];
  eachField(bytes, (field, reader) => {
    if (field === 1) id = type === 'node' ? reader.readSVarint() : reader.readVarint(true);
    else if (field === 2) keys = reader.readPackedVarint();
    else if (field === 3) values = reader.readPackedVarint();
    else if (type === 'node' && field === 8) lat = reader.readSVarint();
    else if (type === 'node' && field === 9) lon = reader.readSVarint();
    else if (type === 'way' && field === 8) refs = summed(reader.readPackedSVarint());
    else if (type === 'way' && field === 9) lats = summed(reader.readPackedSVarint());
    else if (type === 'way' && field === 10) lons = summed(reader.readPackedSVarint());
    else if (type === 'relation' && field === 8) roles = reader.readPackedVarint();
    else if (type === 'relation' && field === 9) refs = summed(reader.readPackedSVarint());
    else if (type === 'relation' && field === 10) types = reader.readPackedVarint();
  });
  const tags = keys.map((key, i): [string, string] => [textAt(key), textAt(values[i])]);
  const members = type === 'relation' ? refs : [];
  return {
    type,
    id,
    attributes: type === 'node' ? place(lat, lon) : '',
    tags,
    refs: type === 'way' ? refs : [],
    placeAt: (i) => (lats.length === 0 ? '' : place(lats[i] ?? Number.NaN, lons[i] ?? Number.NaN)),
    members: members.map((ref, i) => ({ type: TYPES[types[i] ?? 0] ?? 'node', ref, role: textAt(roles[i]) })),
  };
}

function summed(deltas: readonly number[]): number[] {
  let sum = 0;
  return deltas.map((delta) => {
    sum += delta;
    return sum;
  });
}

function eachField(bytes: Uint8Array, take: (field: number, reader: PbfReader) => void): void {
  const reader = new PbfReader(bytes);
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) take(field, reader);
}
