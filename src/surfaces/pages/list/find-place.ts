import type { Registry } from '../../../registry/registry.ts';
import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { LEVELS, type Place } from './filters.ts';

/** The areas that slugs lead to from the prefecture down, as far as they do. */
export async function findWay(registry: Registry, slugs: readonly string[]): Promise<AreaSummary[]> {
  const way: AreaSummary[] = [];
  for (let depth = 1; depth <= slugs.length; depth++) {
    const found = await registry.getArea(slugs.slice(0, depth));
    if (!found.ok) break;
    way.push(JSON.parse(Buffer.from(found.value.body).toString()) as AreaSummary);
  }
  return way;
}

/** A place that somebody asked for, without what names no area. */
export async function findPlace(registry: Registry, asked: Place) {
  const known = LEVELS.filter((level) => isSlug(asked[level]));
  const place: Place = Object.fromEntries(known.map((level) => [level, asked[level]]));
  // A ward alone is that slug in any prefecture, which no way leads to.
  const isRooted = LEVELS.every(
    (level, i) => place[level] === undefined || i === 0 || place[LEVELS[i - 1] as 'ward'] !== undefined,
  );
  const hasMore = known.length < LEVELS.filter((level) => asked[level] !== undefined).length;
  if (!isRooted) return { place, way: [], wasCut: hasMore };
  const way = await findWay(
    registry,
    known.map((level) => place[level] as string),
  );
  const kept = LEVELS.slice(0, way.length);
  return {
    place: Object.fromEntries(kept.map((level) => [level, place[level]])) as Place,
    way,
    wasCut: hasMore || way.length < known.length,
  };
}

const isSlug = (text: string | undefined): text is string => text !== undefined && /^[a-z0-9-]{1,200}$/.test(text);
