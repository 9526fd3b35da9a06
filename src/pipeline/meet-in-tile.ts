import { findMeetings } from '../matching/find-meetings.ts';
import { NAMES_NONE } from '../observations/source-records.ts';
import { type Meeting, recordsInTile } from '../observations/spots.ts';
import type { Db } from '../storage/storage.ts';
import type { Source } from '../vocabulary/sources.ts';
import { loadGeometries } from './load-claims.ts';

/** What in a tile lies over or in what; empty where there is nothing to compare. Only reads. */
export async function meetInTile(db: Db, tile: number): Promise<Meeting[]> {
  const records = await recordsInTile(db, tile);
  const sources = new Set(records.map((record) => record.source));
  if (sources.size < 2) return [];
  if (records.every((record) => record.claimed !== NAMES_NONE)) return [];
  const geometries = await loadGeometries(db, records);
  const placed = records.flatMap(({ id, source, claimed }) => {
    const geometry = geometries.get(id);
    return geometry === undefined ? [] : [{ id, source: source as Source, pinned: claimed !== NAMES_NONE, geometry }];
  });
  return findMeetings(String(tile), placed);
}
