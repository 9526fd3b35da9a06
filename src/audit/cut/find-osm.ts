import type { SourceFile } from '../../sources/adapter.ts';
import { type OsmElement, type OsmOrder, osmElements } from './osm-elements.ts';
import { addPiece, type Pieces, type Wanted } from './piece.ts';

const NONE: ReadonlySet<string> = new Set();
/** A building has fewer corners; what has more is shown by its first ones. */
const MOST_NODES = 400;

/**
 * The elements of OSM records; with their outline, the ways of a relation and the nodes of a way. The relation around
 * an outline (`type=building`) is shown too, since its tags count where the outline has none.
 */
export async function findOsm(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  const byKey = groupBy(wanted, ({ id }) => id);
  const texts = [...new Set(wanted.flatMap(({ venues }) => venues))];
  const keys = new Set(byKey.keys());
  /** Elements that belong to each record, by what refers to them. */
  let needed = new Map<string, Set<Wanted>>();
  const need = (element: OsmElement, whose: readonly Wanted[]) => {
    for (const key of element.refs.slice(0, MOST_NODES)) {
      for (const each of whose) {
        if (each.outline) needed.set(key, (needed.get(key) ?? new Set()).add(each));
      }
    }
  };
  const beside: [Wanted, OsmElement][] = [];
  for await (const element of osmElements(file, { keys, outlines: keys, texts })) {
    const own = byKey.get(element.key) ?? [];
    for (const each of own) if (element.number === each.line || !pieces.has(each)) pieces.set(each, [element]);
    if (own.length > 0) continue;
    const said = element.bytes.toString('utf8');
    for (const each of wanted) {
      const holds = element.outline === each.id || each.venues.some((name) => said.includes(name));
      if (holds) beside.push([each, element]);
    }
  }
  for (const [each, [element]] of pieces) need(element as OsmElement, [each]);
  for (const [each, element] of beside) addPiece(pieces, each, element);
  // From a relation to its ways, from those to their nodes.
  for (let round = 0; round < 3 && needed.size > 0; round++) {
    const asked = needed;
    needed = new Map();
    const order: OsmOrder = { keys: new Set(asked.keys()), outlines: NONE, texts: [] };
    for await (const element of osmElements(file, order)) {
      const whose = [...(asked.get(element.key) ?? [])];
      for (const each of whose) addPiece(pieces, each, element);
      need(element, whose);
    }
  }
  for (const some of pieces.values()) inOrderOfUse(some as OsmElement[]);
  return pieces;
}

/** Nodes as their way goes through them, and not as they stand in the file. */
function inOrderOfUse(elements: OsmElement[]): void {
  const uses = elements.flatMap(({ refs }) => refs);
  const place = new Map([...uses.entries()].reverse().map(([at, key]) => [key, at]));
  elements.sort((a, b) => (place.get(a.key) ?? -1) - (place.get(b.key) ?? -1));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
