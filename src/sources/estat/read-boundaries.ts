import { openShp } from 'shapefile';
import { faultInText } from '../../vocabulary/fields.ts';
import { type AreaGeometry, faultInGeometry, polygonsOf, type Ring, roundGeometry } from '../../vocabulary/geometry.ts';
import { printable } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import type { Attributes } from './read-attributes.ts';

/** The features that are one neighbourhood: of one code and one name. */
interface Neighbourhood extends Attributes {
  id: string;
  first: number;
  last: number;
  polygons: Ring[][];
}

/** Of each neighbourhood its boundary, once its last part is read; only those in between are held. */
export async function* readBoundaries(
  file: string,
  shp: Buffer,
  attributes: readonly (Attributes | undefined)[],
): AsyncGenerator<Item[]> {
  const neighbourhoods = groupNeighbourhoods(attributes);
  const shapes = await openShp(shp);
  let items: Item[] = [];
  for (let index = 0; index < attributes.length; index++) {
    const { value, done } = await shapes.read();
    if (done) break;
    const neighbourhood = neighbourhoods[index];
    if (neighbourhood === undefined) continue;
    if (value !== null) for (const polygon of polygonsOf(value as AreaGeometry)) neighbourhood.polygons.push(polygon);
    if (index < neighbourhood.last) continue;
    items.push(...give(file, neighbourhood));
    neighbourhood.polygons = [];
    if (items.length >= 100) {
      yield items;
      items = [];
    }
  }
  yield items;
}

function groupNeighbourhoods(attributes: readonly (Attributes | undefined)[]): (Neighbourhood | undefined)[] {
  const byKey = new Map<string, Map<string, Neighbourhood>>();
  return attributes.map((attribute, index) => {
    if (attribute === undefined) return undefined;
    const { key, nameJa } = attribute;
    const names = byKey.get(key) ?? new Map<string, Neighbourhood>();
    byKey.set(key, names);
    const id = names.size === 0 ? key : `${key}-${names.size + 1}`;
    const known = names.get(nameJa) ?? { ...attribute, id, first: index, last: index, polygons: [] };
    names.set(nameJa, known);
    known.last = index;
    return known;
  });
}

function give(file: string, neighbourhood: Neighbourhood): Item[] {
  const { id, ward, nameJa, hidden, first, polygons } = neighbourhood;
  const at = { file, line: first + 1 };
  const boundary: AreaGeometry =
    polygons.length === 1
      ? { type: 'Polygon', coordinates: polygons[0] as Ring[] }
      : { type: 'MultiPolygon', coordinates: polygons };
  const reason = faultInNames(neighbourhood) ?? faultInBoundary(boundary);
  if (reason !== undefined) return [{ kind: 'rejected', at, record: printable(id, 60), reason }];
  const notes: Item[] =
    hidden === undefined ? [] : [{ kind: 'note', at, record: id, reason: `its name: ${hidden} removed` }];
  return [...notes, { kind: 'boundary', at, boundary: { id, ward, nameJa, boundary: roundGeometry(boundary) } }];
}

function faultInNames({ key, ward, nameJa, isLegible }: Attributes): string | undefined {
  if (!/^\d{5,11}$/.test(key)) return 'KEY_CODE must be five to eleven digits';
  if (!/^\d{5}$/.test(ward)) return 'PREF and CITY must be the five digits of a municipality';
  if (!isLegible) return 'S_NAME is not in the encoding of its table: CP932, or UTF-8 where a .cpg says so';
  const fault = faultInText(nameJa, 200);
  return fault === undefined ? undefined : `S_NAME ${fault}`;
}

function faultInBoundary(boundary: AreaGeometry): string | undefined {
  const fault = faultInGeometry(boundary);
  return fault === undefined ? undefined : `its boundary ${fault}`;
}
