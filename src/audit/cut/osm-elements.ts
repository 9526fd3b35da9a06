import type { SourceFile } from '../../files/source-file.ts';
import { unpackedName } from '../../files/unpack/unpack.ts';
import { cutElements } from './cut-elements.ts';
import { cutObjects } from './cut-objects.ts';
import { cutPbf } from './cut-pbf.ts';
import { isOrdered, type OsmElement, type OsmOrder, type OsmType } from './osm-order.ts';
import { placeOf, plainBytes, textOf } from './piece.ts';

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
