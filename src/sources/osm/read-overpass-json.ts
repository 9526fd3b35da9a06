import { BrokenFile } from '../../files/broken-file.ts';
import { decodeText } from '../../files/decode-text.ts';
import { isObject, type Json, JsonElementSplitter, parseJson } from '../../files/read-json.ts';
import type { SourceFile } from '../../files/source-file.ts';
import type { Position } from '../../vocabulary/geometry.ts';
import { type Collector, toId, toPosition } from './collector.ts';
import type { Member } from './elements.ts';
import { UNFINISHED } from './read-osm-xml.ts';
import { isKeptKey } from './tag-tables.ts';

/** Reads Overpass output of `out body`, `out geom` and `out center`, with nodes before or after ways. */
export async function* readOverpassJson(file: SourceFile, into: Collector): AsyncGenerator<void> {
  let ordinal = 0;
  let remark: string | undefined;
  const splitter = new JsonElementSplitter(
    'elements',
    (json) => {
      ordinal += 1;
      const element = parseJson(json);
      if (isObject(element)) addElement(element, ordinal, into);
    },
    (key, value) => {
      if (key === 'remark') remark = value;
    },
  );
  for await (const text of decodeText(file.bytes(), 'utf-8')) {
    splitter.write(text);
    yield;
  }
  splitter.end();
  if (remark !== undefined && /error/i.test(remark)) throw new BrokenFile(UNFINISHED);
}

function addElement(element: Json, line: number, into: Collector): void {
  const id = toId(element.id);
  if (Number.isNaN(id)) return;
  const tags = tagsOf(element.tags);
  const center = isObject(element.center) ? toPosition(element.center.lon, element.center.lat) : undefined;
  if (element.type === 'node') {
    const position = toPosition(element.lon, element.lat);
    if (position !== undefined) into.addNode(id, position, tags);
    else if (element.lon !== undefined || element.lat !== undefined) into.addMisplacedNode(id);
  } else if (element.type === 'way') {
    into.addWay(id, refsOf(element, into), tags, line, center);
  } else if (element.type === 'relation') {
    into.addRelation({ id, tags, members: membersOf(element.members), line, center });
  }
}

/** The nodes of a way; with `out geom` they may have no IDs. */
function refsOf(element: Json, into: Collector): number[] {
  const nodes = Array.isArray(element.nodes) ? element.nodes.map(toId) : undefined;
  if (!Array.isArray(element.geometry)) return nodes ?? [];
  return element.geometry.map((point: unknown, i) => {
    const position = isObject(point) ? toPosition(point.lon, point.lat) : undefined;
    const ref = nodes?.[i];
    if (position === undefined) return ref ?? Number.NaN;
    if (ref === undefined || Number.isNaN(ref)) return into.addUnnamedNode(position);
    into.addNode(ref, position, new Map());
    return ref;
  });
}

function membersOf(value: unknown): Member[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap(({ type, ref, role, geometry }): Member[] => {
    if (type !== 'node' && type !== 'way' && type !== 'relation') return [];
    return [{ type, ref: toId(ref), role: typeof role === 'string' ? role : '', drawn: lineOf(geometry) }];
  });
}

/** Undefined if the line is missing or incomplete (it leaves the requested box). */
function lineOf(geometry: unknown): Position[] | undefined {
  if (!Array.isArray(geometry)) return undefined;
  const line = geometry.map((point) => (isObject(point) ? toPosition(point.lon, point.lat) : undefined));
  return line.some((position) => position === undefined) ? undefined : (line as Position[]);
}

function tagsOf(value: unknown): Map<string, string> {
  const tags = new Map<string, string>();
  if (!isObject(value)) return tags;
  for (const key of Object.keys(value)) {
    const text = value[key];
    if (typeof text === 'string' && isKeptKey(key)) tags.set(key, text);
  }
  return tags;
}
