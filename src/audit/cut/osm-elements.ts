import type { SourceFile } from '../../files/source-file.ts';
import { unpackedName } from '../../files/unpack/unpack.ts';
import { cutElements } from './cut-elements.ts';
import { cutObjects } from './cut-objects.ts';
import { cutPbf } from './cut-pbf.ts';
import { type Piece, placeOf, plainBytes, textOf } from './piece.ts';

export type OsmType = 'node' | 'way' | 'relation';

/** An element as it stands in a file, and what it refers to. */
export interface OsmElement extends Piece {
  key: string;
  /** As its reader counts: the line of XML, else its place among the elements. */
  number: number;
  /** Nodes of a way, and members of a relation: `node/1`, `way/2`. */
  refs: string[];
  /** A relation: which of them outlines the building (`type=building`). */
  outline: string | undefined;
}

/** Which elements are to be given; where a text is given, nodes that contain it too. */
export interface OsmOrder {
  keys: ReadonlySet<string>;
  /** Relations that have one of these as their outline. */
  outlines: ReadonlySet<string>;
  /** Nodes in whose tags one of these texts stands. */
  texts: readonly string[];
  /** Parts of buildings that have a tag of this value. */
  sizes: readonly string[];
}

/** The elements of a file of OSM in any of its formats. */
export function osmElements(file: SourceFile, order: OsmOrder): AsyncGenerator<OsmElement> {
  const name = unpackedName(file.name);
  if (/\.pbf$/i.test(name)) return cutPbf(file, order);
  return /\.json$/i.test(name) ? fromJson(file, order) : fromXml(file, order);
}

async function* fromXml(file: SourceFile, order: OsmOrder): AsyncGenerator<OsmElement> {
  const wantsRelations = order.outlines.size > 0;
  const wants = (tag: string, name: string) =>
    order.keys.has(`${name}/${attribute(tag, 'id')}`) ||
    (name === 'relation' && wantsRelations) ||
    (name !== 'node' && order.sizes.length > 0) ||
    (name === 'node' && order.texts.length > 0 && !tag.endsWith('/>'));
  for await (const { name, tag, line, offset, bytes, isCut } of cutElements(plainBytes(file), TYPES, wants)) {
    const key = `${name}/${attribute(tag, 'id')}`;
    const text = textOf(bytes);
    const members = [...text.matchAll(/<member\b[^<>]*>/g)].map(([member]) => member);
    const keyOf = (member: string) => `${attribute(member, 'type')}/${attribute(member, 'ref')}`;
    const outlines = members.filter((member) => attribute(member, 'role') === 'outline').map(keyOf);
    const nodes = [...text.matchAll(/<nd\b[^<>]*>/g)].map(([nd]) => `node/${attribute(nd, 'ref')}`);
    const element = { key, number: line, what: key, at: placeOf(line, offset), bytes, isCut, outline: outlines[0] };
    if (isOrdered(key, outlines[0], () => unescaped(text), order)) {
      yield { ...element, refs: [...nodes, ...members.map(keyOf)] };
    }
  }
}

const TYPES: readonly OsmType[] = ['node', 'way', 'relation'];

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).find(Boolean) ?? '';
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] as string);
}

export function isOrdered(key: string, outline: string | undefined, text: () => string, order: OsmOrder): boolean {
  if (order.keys.has(key) || (outline !== undefined && order.outlines.has(outline))) return true;
  const isNode = key.startsWith('node/');
  if ((isNode ? order.texts : order.sizes).length === 0) return false;
  const said = text();
  if (isNode) return order.texts.some((wanted) => said.includes(wanted));
  return said.includes('building:part') && order.sizes.some((size) => isSaid(size, said));
}

/** Whether a tag has this number as its value, with or without metres. */
export function isSaid(size: string, text: string): boolean {
  return new RegExp(`["']${size.replace('.', '\\.')}(?:\\.0+)?(?: ?m)?["']`).test(text);
}

interface OverpassElement {
  type?: unknown;
  id?: unknown;
  nodes?: unknown;
  members?: unknown;
}

async function* fromJson(file: SourceFile, order: OsmOrder): AsyncGenerator<OsmElement> {
  let number = 0;
  for await (const { line, offset, bytes } of cutObjects(plainBytes(file), 3)) {
    number += 1;
    const element = parse(bytes);
    if (element === undefined) continue;
    const members = (Array.isArray(element.members) ? element.members : []) as Record<string, unknown>[];
    const key = `${element.type}/${element.id}`;
    const outline = members.find(({ role }) => role === 'outline');
    const outlineKey = outline === undefined ? undefined : `${outline.type}/${outline.ref}`;
    if (!isOrdered(key, outlineKey, () => JSON.stringify(element), order)) continue;
    const nodes = Array.isArray(element.nodes) ? element.nodes.map((id) => `node/${id}`) : [];
    const refs = [...nodes, ...members.map(({ type, ref }) => `${type}/${ref}`)];
    yield { key, number, what: key, at: placeOf(line, offset), bytes, refs, outline: outlineKey };
  }
}

function parse(bytes: Buffer): OverpassElement | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as OverpassElement;
  } catch {
    return undefined;
  }
}
