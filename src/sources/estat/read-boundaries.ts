import { openShp } from 'shapefile';
import { type AreaGeometry, polygonsOf } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { type Drawn, giveBoundary } from './give-boundary.ts';
import type { Attributes } from './read-attributes.ts';

/** An area, and where the last of its features stands. */
interface Group extends Drawn {
  last: number;
}

/** Of each area its boundary, once its last part is read; only those in between are held. No more than `count` shapes are there. */
export async function* readBoundaries(
  file: string,
  shp: Buffer,
  attributes: readonly (Attributes | undefined)[],
  count: number,
): AsyncGenerator<Item[]> {
  const groups = groupFeatures(attributes);
  const shapes = await openShp(shp);
  let items: Item[] = [];
  for (let index = 0; index < count; index++) {
    const { value, done } = await shapes.read();
    if (done) break;
    const group = groups[index];
    if (group === undefined) continue;
    if (value !== null) for (const polygon of polygonsOf(value as AreaGeometry)) group.polygons.push(polygon);
    if (index < group.last) continue;
    items.push(...giveBoundary(file, group));
    group.polygons = [];
    if (items.length >= 100) {
      yield items;
      items = [];
    }
  }
  yield items;
}

/** A neighbourhood is the features of one code and one name, a municipality those of one code. */
function groupFeatures(attributes: readonly (Attributes | undefined)[]): (Group | undefined)[] {
  const byKey = new Map<string, Map<string, Group>>();
  return attributes.map((attribute, index) => {
    if (attribute === undefined) return undefined;
    const { key, nameJa, isWard } = attribute;
    const names = byKey.get(key) ?? new Map<string, Group>();
    byKey.set(key, names);
    const id = names.size === 0 ? key : `${key}-${names.size + 1}`;
    const name = isWard ? '' : nameJa;
    const known = names.get(name) ?? { ...attribute, id, first: index, last: index, polygons: [] };
    names.set(name, known);
    known.last = index;
    return known;
  });
}
