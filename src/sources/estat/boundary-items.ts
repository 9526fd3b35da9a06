import { faultInText } from '../../vocabulary/fields.ts';
import { type AreaGeometry, faultInGeometry, type Ring, roundGeometry } from '../../vocabulary/geometry.ts';
import { printable } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import type { AreaAttributes } from './attributes.ts';

/** The features that are one area. */
export interface AreaShape extends AreaAttributes {
  id: string;
  /** Where the first of them stands, counted from 0. */
  first: number;
  polygons: Ring[][];
}

/** The coast of the largest municipality has a tenth of it. */
const MAX_POSITIONS = 2_000_000;

/** The boundary of an area, or why it has none. */
export function boundaryItems(file: string, drawn: AreaShape): Item[] {
  const at = { file, line: drawn.first + 1 };
  const rejected = (reason: string): Item => ({ kind: 'rejected', at, record: printable(drawn.id, 60), reason });
  const fault = faultInNames(drawn);
  if (fault !== undefined) return [rejected(fault)];
  const { items, polygons } = drawn.isWard
    ? soundPolygons(drawn.polygons, rejected)
    : { items: [], polygons: drawn.polygons };
  if (drawn.isWard && polygons.length === 0) return items;
  const boundary = toGeometry(polygons);
  const reason = drawn.isWard ? faultInSize(polygons) : faultInGeometry(boundary);
  if (reason !== undefined) return [...items, rejected(`its boundary ${reason}`)];
  const { id, ward, nameJa, hidden } = drawn;
  if (hidden !== undefined) items.push({ kind: 'note', at, record: id, reason: `its name: ${hidden} removed` });
  return [...items, { kind: 'boundary', at, boundary: { id, ward, nameJa, boundary: roundGeometry(boundary) } }];
}

/** A ward is one polygon for each of its islands: one that is none does not cost the others. */
function soundPolygons(
  all: readonly Ring[][],
  rejected: (reason: string) => Item,
): { items: Item[]; polygons: Ring[][] } {
  const items: Item[] = [];
  const polygons = all.filter((coordinates) => {
    const fault = faultInGeometry({ type: 'Polygon', coordinates });
    if (fault !== undefined) items.push(rejected(`a polygon of its boundary ${fault}`));
    return fault === undefined;
  });
  if (all.length === 0) items.push(rejected('it has no shape'));
  return { items, polygons };
}

function toGeometry(polygons: Ring[][]): AreaGeometry {
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] as Ring[] }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function faultInSize(polygons: readonly Ring[][]): string | undefined {
  const positions = polygons.reduce((sum, rings) => sum + rings.reduce((n, { length }) => n + length, 0), 0);
  return positions > MAX_POSITIONS ? `has more than ${MAX_POSITIONS} positions` : undefined;
}

function faultInNames({ key, ward, nameJa, isWard, isLegible }: AreaAttributes): string | undefined {
  const [code, name] = isWard ? ['N03_007', 'N03_004'] : ['PREF and CITY', 'S_NAME'];
  if (!isWard && !/^\d{5,11}$/.test(key)) return 'KEY_CODE must be five to eleven digits';
  if (!/^\d{5}$/.test(ward)) return `${code} must be the five digits of a municipality`;
  if (!isLegible) return `${name} is not in the encoding of its table: CP932, or UTF-8 where a .cpg says so`;
  const fault = faultInText(nameJa, 200);
  return fault === undefined ? undefined : `${name} ${fault}`;
}
