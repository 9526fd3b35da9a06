import type { Tags } from './element.ts';
import { NO_BUILDING, TAKEN_BACK, TAKEN_BACK_BY_YES } from './tag-tables.ts';

/** Bits: what is tagged both ways is a part where a building holds it, else a building. */
export const BUILDING = 1;
export const PART = 2;

/** What an area with these tags is. */
export function kindOf(tags: Tags): number {
  const part = tags.get('building:part');
  return (isBuilding(tags) ? BUILDING : 0) | (part !== undefined && !NO_BUILDING.has(part) ? PART : 0);
}

function isBuilding(tags: Tags): boolean {
  const building = tags.get('building')?.trim().toLowerCase();
  if (building === undefined || building === '' || NO_BUILDING.has(building)) return false;
  return !TAKEN_BACK.some((key) => isSaid(tags.get(key))) && !TAKEN_BACK_BY_YES.some((key) => tags.get(key) === 'yes');
}

function isSaid(value: string | undefined): boolean {
  return value !== undefined && value !== 'no';
}
