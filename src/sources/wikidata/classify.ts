import { type Json, own } from '../../files/read-json.ts';
import { faultInGeometry } from '../../vocabulary/geometry.ts';
import { ABSENT_CLASSES, BUILDING_CLASSES, ENTITY_KINDS, type EntityKind } from './classes.ts';
import { JAPAN_ITEM, P } from './properties.ts';
import {
  bestStatements,
  type Coordinate,
  coordinateOf,
  currentStatements,
  itemId,
  itemOf,
  quantityOf,
  sortableInstant,
} from './statements.ts';

/** The ID of an existing item; undefined for properties, lexemes, redirects and missing items. */
export function entityId(entity: Json): string | undefined {
  const type = own(entity, 'type') ?? 'item';
  const gone = own(entity, 'missing') !== undefined || own(entity, 'redirect') !== undefined;
  return gone || type !== 'item' ? undefined : itemId(own(entity, 'id'));
}

export function classesOf(entity: Json, now: string): string[] {
  return currentStatements(entity, P.instanceOf, now).flatMap(({ value }) => itemOf(value) ?? []);
}

/** The kind of an item by its classes; an item of another class that has floors is a building. */
export function entityKind(entity: Json, now: string): EntityKind | undefined {
  const kinds = new Set(classesOf(entity, now).map((item) => BUILDING_CLASSES.get(item)?.kind));
  return ENTITY_KINDS.find((kind) => kinds.has(kind)) ?? (hasFloors(entity, now) ? 'building' : undefined);
}

function hasFloors(entity: Json, now: string): boolean {
  return [P.floorsAbove, P.floorsBelow].some((property) =>
    bestStatements(entity, property, now).some(({ value }) => (quantityOf(value)?.amount ?? 0) > 0),
  );
}

/** Why the building does not exist at the given moment. */
export function reasonAbsent(entity: Json, now: string): string | undefined {
  const reason = classesOf(entity, now).flatMap((item) => ABSENT_CLASSES.get(item) ?? [])[0];
  if (reason !== undefined) return reason;
  const dissolved = bestStatements(entity, P.dissolved, now).some(({ value }) => (sortableInstant(value) ?? now) < now);
  return dissolved ? 'dissolved or demolished' : undefined;
}

export function coordinatesOf(entity: Json, now: string): Coordinate | undefined {
  const statements = bestStatements(entity, P.coordinates, now);
  const whole = statements.filter(({ ofPart }) => !ofPart);
  return (whole.length > 0 ? whole : statements).flatMap(({ value }) => coordinateOf(value) ?? [])[0];
}

/**
 * Where an item is. The country decides, since the bounding box of Japan includes Korea; without a country the coordinates
 * decide. An item of Japan with coordinates elsewhere is misplaced.
 */
export function whereaboutsOf(entity: Json, now: string): 'japan' | 'elsewhere' | 'misplaced' {
  const countries = bestStatements(entity, P.country, now).flatMap(({ value }) => itemOf(value) ?? []);
  const coordinates = coordinatesOf(entity, now);
  const inside =
    coordinates !== undefined && faultInGeometry({ type: 'Point', coordinates: coordinates.position }) === undefined;
  if (countries.length === 0) return inside ? 'japan' : 'elsewhere';
  if (!countries.includes(JAPAN_ITEM)) return 'elsewhere';
  return inside || coordinates === undefined ? 'japan' : 'misplaced';
}
