import type { Position } from '../../vocabulary/geometry.ts';
import { CANCELLING_FLAGS, CANCELLING_KEYS, NOT_BUILDINGS } from './tag-tables.ts';

export type Tags = ReadonlyMap<string, string>;
export type ElementType = 'node' | 'way' | 'relation';

export interface Member {
  type: ElementType;
  ref: number;
  role: string;
  /** Its line, if the file has it inside the relation (Overpass `out geom`). */
  drawn?: Position[] | undefined;
}

export interface Relation {
  id: number;
  tags: Tags;
  members: Member[];
  line: number;
  /** Its centre, in a file without shapes (Overpass `out center`). */
  center: Position | undefined;
}

export function elementKey(type: ElementType, id: number): string {
  return `${type}/${id}`;
}

/** Bits. An area with both is a part if a building contains it, else a building. */
export const IS_BUILDING = 1;
export const IS_PART = 2;

/** `IS_BUILDING` and `IS_PART` bits of an area with these tags. */
export function areaKind(tags: Tags): number {
  const part = tags.get('building:part');
  return (isBuilding(tags) ? IS_BUILDING : 0) | (part !== undefined && !NOT_BUILDINGS.has(part) ? IS_PART : 0);
}

function isBuilding(tags: Tags): boolean {
  const building = tags.get('building')?.trim().toLowerCase();
  if (building === undefined || building === '' || NOT_BUILDINGS.has(building)) return false;
  return (
    !CANCELLING_KEYS.some((key) => isStated(tags.get(key))) && !CANCELLING_FLAGS.some((key) => tags.get(key) === 'yes')
  );
}

function isStated(value: string | undefined): boolean {
  return value !== undefined && value !== 'no';
}

/** The relations of a file that are buildings or parts, and their connections. */
export interface Relations {
  /** `type=building` relations that are buildings, then multipolygons that are buildings or parts. */
  areas: Relation[];
  byId: ReadonlyMap<number, Relation>;
  /** `type=building` relations without building tags of their own, by the key of their outline. */
  outlined: ReadonlyMap<string, Relation>;
  /** The building of each part that a `type=building` relation names. */
  owners: ReadonlyMap<string, string>;
}

/** Whether a relation may be a building or part; all others are dropped. */
export function mayBeArea(tags: Tags): boolean {
  const type = tags.get('type');
  if (type === 'building') return true;
  return (type === 'multipolygon' || type === undefined) && areaKind(tags) !== 0;
}

export function linkRelations(relations: readonly Relation[]): Relations {
  const outlined = new Map<string, Relation>();
  const owners = new Map<string, string>();
  const areas: Relation[] = [];
  for (const relation of relations) {
    if (areaKind(relation.tags) !== 0) areas.push(relation);
    if (!isOutlined(relation)) continue;
    const outline = outlineMember(relation);
    if (outline === undefined) continue;
    const own = (areaKind(relation.tags) & IS_BUILDING) !== 0;
    const key = elementKey(outline.type, outline.ref);
    if (!own) outlined.set(key, relation);
    const building = own ? elementKey('relation', relation.id) : key;
    for (const { type, ref, role } of relation.members)
      if (role === 'part') owners.set(elementKey(type, ref), building);
  }
  areas.sort((a, b) => Number(isOutlined(b)) - Number(isOutlined(a)));
  return { areas, byId: new Map(relations.map((relation) => [relation.id, relation])), outlined, owners };
}

/** Whether its shape is that of another element, the outline. */
function isOutlined({ tags }: Relation): boolean {
  return tags.get('type') === 'building';
}

function outlineMember({ members }: Relation): Member | undefined {
  return members.find(({ role, type }) => role === 'outline' && type !== 'node');
}

/** The relation whose rings make the shape: itself, or the multipolygon that is its outline. */
export function shapeSource(relation: Relation, { byId }: Pick<Relations, 'byId'>): Relation | undefined {
  if (!isOutlined(relation)) return relation;
  const outline = outlineMember(relation);
  return outline?.type === 'relation' ? byId.get(outline.ref) : relation;
}

const ROLES: Readonly<Record<string, 'outer' | 'inner'>> = {
  outer: 'outer',
  '': 'outer',
  outline: 'outer',
  inner: 'inner',
};

/** The member ways of its rings. */
export function ringMembers(relation: Relation): { outer: Member[]; inner: Member[] } {
  const rings: { outer: Member[]; inner: Member[] } = { outer: [], inner: [] };
  const seen = new Set<number>();
  const outline = isOutlined(relation) ? outlineMember(relation) : undefined;
  for (const member of outline === undefined ? relation.members : [outline]) {
    const role = Object.hasOwn(ROLES, member.role) ? ROLES[member.role] : undefined;
    if (member.type !== 'way' || role === undefined || seen.has(member.ref)) continue;
    seen.add(member.ref);
    rings[role].push(member);
  }
  return rings;
}

/** Adds the tags of the relation around an outline; the tags of the outline itself take precedence. */
export function withOutlinedTags(tags: Tags, around: Relation | undefined): Tags {
  if (around === undefined) return tags;
  const all = new Map([...around.tags, ...tags]);
  const names = [tags.get('alt_name'), around.tags.get('name')].filter((name) => name !== undefined);
  if (names.length > 0) all.set('alt_name', names.join(';'));
  return all;
}
