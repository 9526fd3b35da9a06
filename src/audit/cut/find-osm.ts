import type { SourceFile } from '../../files/source-file.ts';
import { hasSize, type OsmElement, type OsmQuery, osmElements } from './osm-elements.ts';
import { addPiece, type RawPieces, type RecordQuery } from './piece.ts';

const NONE: ReadonlySet<string> = new Set();
/** More corners than a building has; only the first ones are shown. */
const MOST_NODES = 400;

/**
 * Finds the elements of OSM records; for outlines also the ways of a relation and the nodes of a way. A `type=building`
 * relation around an outline is shown too, since its tags apply if the outline has none.
 */
export async function findOsm(file: SourceFile, wanted: readonly RecordQuery[]): Promise<RawPieces> {
  const pieces: RawPieces = new Map();
  const byKey = groupBy(wanted, ({ id }) => id);
  const texts = [...new Set(wanted.flatMap(({ venues }) => venues))];
  const sizes = [...new Set(wanted.flatMap(({ size }) => size ?? []))];
  const keys = new Set(byKey.keys());
  const parts: OsmElement[] = [];
  /** The records that need an element, by element key. */
  let needed = new Map<string, Set<RecordQuery>>();
  const addNeeded = (element: OsmElement, queries: readonly RecordQuery[]) => {
    for (const key of element.refs.slice(0, MOST_NODES)) {
      for (const each of queries) {
        if (each.outline) needed.set(key, (needed.get(key) ?? new Set()).add(each));
      }
    }
  };
  const related: [RecordQuery, OsmElement][] = [];
  for await (const element of osmElements(file, { keys, outlines: keys, texts, sizes })) {
    const own = byKey.get(element.key) ?? [];
    for (const each of own) if (element.number === each.line || !pieces.has(each)) pieces.set(each, [element]);
    if (own.length > 0) continue;
    const text = element.bytes.toString('utf8');
    if (text.includes('building:part')) parts.push(element);
    for (const each of wanted) {
      const isRelated = element.outline === each.id || each.venues.some((name) => text.includes(name));
      if (isRelated) related.push([each, element]);
    }
  }
  for (const [each, [element]] of pieces) addNeeded(element as OsmElement, [each]);
  for (const [each, element] of related) addPiece(pieces, each, element);
  // From relations to ways, then from ways to nodes.
  for (let round = 0; round < 3 && needed.size > 0; round++) {
    const requested = needed;
    needed = new Map();
    const query = queryFor(new Set(requested.keys()));
    for await (const element of osmElements(file, query)) {
      const queries = [...(requested.get(element.key) ?? [])];
      for (const each of queries) addPiece(pieces, each, element);
      addNeeded(element, queries);
    }
  }
  if (parts.length > 0) await addParts(file, wanted, pieces, parts);
  for (const some of pieces.values()) sortByUse(some as OsmElement[]);
  return pieces;
}

const queryFor = (keys: ReadonlySet<string>): OsmQuery => ({ keys, outlines: NONE, texts: [], sizes: [] });

/** Adds the parts inside the bounding box of a building, which may be the origin of its size. */
async function addParts(
  file: SourceFile,
  wanted: readonly RecordQuery[],
  pieces: RawPieces,
  parts: readonly OsmElement[],
): Promise<void> {
  const sized = wanted.filter(({ size }) => size !== undefined);
  const recordOf = (each: RecordQuery) => pieces.get(each)?.[0] as OsmElement | undefined;
  const ways = new Map<string, OsmElement>();
  const related = [...parts, ...sized.flatMap((each) => recordOf(each) ?? [])];
  const members = new Set(related.flatMap(({ refs }) => refs.filter((ref) => ref.startsWith('way/'))));
  for await (const way of osmElements(file, queryFor(members))) ways.set(way.key, way);
  const nodesOf = ({ refs }: OsmElement) => refs.flatMap((ref) => ways.get(ref)?.refs ?? [ref]);
  const positions = new Map<string, [lon: number, lat: number]>();
  for await (const { key, bytes } of osmElements(file, queryFor(new Set(related.flatMap(nodesOf))))) {
    const text = bytes.toString('utf8');
    positions.set(key, [degreesIn(text, 'lon'), degreesIn(text, 'lat')]);
  }
  const placesOf = (element: OsmElement) =>
    nodesOf(element)
      .map((node) => positions.get(node))
      .filter((place) => place !== undefined);
  for (const each of sized) {
    const record = recordOf(each);
    const outline = record === undefined ? [] : placesOf(record);
    const lons = outline.map(([lon]) => lon);
    const lats = outline.map(([, lat]) => lat);
    for (const part of parts) {
      if (!hasSize(each.size ?? '', part.bytes.toString('utf8'))) continue;
      const isInside = ([lon, lat]: [number, number]) =>
        lon >= Math.min(...lons) && lon <= Math.max(...lons) && lat >= Math.min(...lats) && lat <= Math.max(...lats);
      const places = placesOf(part);
      if (places.length > 0 && places.every(isInside)) addPiece(pieces, each, part);
    }
  }
}

function degreesIn(text: string, name: string): number {
  return Number(new RegExp(`\\b${name}"?\\s*[=:]\\s*["']?(-?[\\d.]+)`).exec(text)?.[1] ?? Number.NaN);
}

/** The record itself first, then nodes in the order of their way instead of the file. */
function sortByUse(elements: OsmElement[]): void {
  const [record, ...others] = elements as [OsmElement, ...OsmElement[]];
  const uses = elements.flatMap(({ refs }) => refs);
  const place = new Map([...uses.entries()].reverse().map(([at, key]) => [key, at]));
  others.sort((a, b) => (place.get(a.key) ?? -1) - (place.get(b.key) ?? -1));
  elements.splice(0, elements.length, record, ...others);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
