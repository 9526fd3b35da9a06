import type { Position } from '../../vocabulary/geometry.ts';

export type Tags = ReadonlyMap<string, string>;
export type ElementType = 'node' | 'way' | 'relation';

export interface Member {
  type: ElementType;
  ref: number;
  role: string;
  /** Its line, where the file draws it inside the relation (Overpass `out geom`). */
  drawn?: Position[] | undefined;
}

export interface Relation {
  id: number;
  tags: Tags;
  members: Member[];
  line: number;
  /** Where it is, in a file that gives no shapes (Overpass `out center`). */
  center: Position | undefined;
}

export function keyOf(type: ElementType, id: number): string {
  return `${type}/${id}`;
}
