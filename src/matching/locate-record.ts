import type { SourceRecord, StatementSummary } from '../observations/source-records.ts';
import { boxOf, centroidOf, type Geometry, type Position } from '../vocabulary/geometry.ts';
import { meshCodeOf, meshTilesOf } from '../vocabulary/mesh.ts';
import { instantSortKey } from '../vocabulary/time.ts';
import { claimsOf } from './load-claims.ts';

/** What of a record tells matching where to look. */
export interface Location {
  geometry: Geometry | null;
  point: Position | null;
  tiles: number[];
  area: string | null;
  links: string[];
}

/** From everything that is kept of the record: its current revision counts (CON-01, CON-03). */
export function locateRecord(record: SourceRecord, said: readonly StatementSummary[]): Location {
  const current = claimsOf(record, said);
  const geometry = current.geometry?.geometry ?? null;
  const point = geometry === null ? null : centroidOf(geometry);
  return {
    geometry,
    point,
    tiles: point === null ? [] : tilesOf(point, geometry),
    area: current.area?.area ?? null,
    links: current.links,
  };
}

/** The tiles that a shape touches, the one of its centre first. */
export function tilesOf(point: Position, geometry: Geometry | null): number[] {
  const home = meshCodeOf(point);
  if (geometry === null || geometry.type === 'Point') return [Number(home)];
  const touched = meshTilesOf(boxOf(geometry));
  return [home, ...touched.filter((tile) => tile !== home)].map(Number);
}

/** By the last time it was fetched, then by payload (CON-01). */
export function orderOf(statement: StatementSummary): string {
  const last = momentsOf(statement).map(instantSortKey).sort().at(-1) as string;
  return `${last} ${statement.raw_payload_ref}`;
}

/** Every time that a payload was fetched while it was the current one. */
export function momentsOf({ retrieved_at, seen }: StatementSummary): string[] {
  return seen == null ? [retrieved_at] : [retrieved_at, ...seen.split(' ')];
}
