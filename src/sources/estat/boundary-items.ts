import { faultInText } from '../../vocabulary/fields.ts';
import { type AreaGeometry, faultInGeometry, type Ring, roundGeometry } from '../../vocabulary/geometry.ts';
import { printable } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import type { AreaAttributes } from './attributes.ts';

/** An area, which may consist of several features. */
export interface AreaShape extends AreaAttributes {
  id: string;
  /** The index of its first feature. */
  first: number;
  polygons: Ring[][];
}

/** Ten times the coast of the largest municipality. */
const MAX_POSITIONS = 2_000_000;

/** The boundary of an area, or the reason why it is rejected. */
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
  if (reason !== undefined) return [...items, rejected(`boundary ${reason}`)];
  const { id, ward, nameJa, hidden } = drawn;
  if (hidden !== undefined) items.push({ kind: 'note', at, record: id, reason: `name: ${hidden} removed` });
  return [...items, { kind: 'boundary', at, boundary: { id, ward, nameJa, boundary: roundGeometry(boundary) } }];
}

/** A ward has one polygon per island; an invalid one is rejected without the others. */
function soundPolygons(
  all: readonly Ring[][],
  rejected: (reason: string) => Item,
): { items: Item[]; polygons: Ring[][] } {
  const items: Item[] = [];
  const polygons = all.filter((coordinates) => {
    const fault = faultInGeometry({ type: 'Polygon', coordinates });
    if (fault !== undefined) items.push(rejected(`a polygon of the boundary ${fault}`));
    return fault === undefined;
  });
  if (all.length === 0) items.push(rejected('no shape'));
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
  if (!/^\d{5}$/.test(ward)) return `${code} must be the five-digit code of a municipality`;
  if (!isLegible) return `${name} cannot be decoded; expected CP932, or UTF-8 if a .cpg says so`;
  const fault = faultInText(nameJa, 200);
  return fault === undefined ? undefined : `${name} ${fault}`;
}
