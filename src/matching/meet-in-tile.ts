import { NAMES_NONE } from '../observations/source-records.ts';
import type { Db } from '../storage/storage.ts';
import type { Source } from '../vocabulary/sources.ts';
import { findMeetings } from './find-meetings.ts';
import { Footprint, isFootprint, type Placed } from './footprint.ts';
import { loadGeometries } from './load-claims.ts';
import { meetingTileOf } from './neighbourhood.ts';
import { type Meeting, meetingsOf, recordsInTile } from './spots.ts';

export interface TileMeetings {
  /** New, or other than before. */
  found: Meeting[];
  /** Known from before, and no longer so. */
  gone: Meeting[];
}

/** What in a tile lies over or in what, as far as it is not known yet. Only reads. */
export async function meetInTile(db: Db, tile: number): Promise<TileMeetings> {
  const records = await recordsInTile(db, tile);
  if (records.length < 2 || records.every((record) => record.claimed !== NAMES_NONE)) return { found: [], gone: [] };
  const geometries = await loadGeometries(db, records);
  const placed = records.flatMap(({ id, source, claimed }): Placed[] => {
    const geometry = geometries.get(id);
    return geometry === undefined ? [] : [{ id, source: source as Source, pinned: claimed !== NAMES_NONE, geometry }];
  });
  const now = new Map(findMeetings(String(tile), placed).map((meeting) => [nameOf(meeting), meeting]));
  const before = await decidedIn(db, tile, placed);
  const gone = before.filter((meeting) => now.get(nameOf(meeting))?.overlap !== meeting.overlap);
  const kept = new Set(before.filter((meeting) => now.get(nameOf(meeting))?.overlap === meeting.overlap).map(nameOf));
  return { found: [...now.values()].filter((meeting) => !kept.has(nameOf(meeting))), gone };
}

/** The meetings of two sources that this tile decides: they change with the neighbourhood, whoever moved in it. */
async function decidedIn(db: Db, tile: number, placed: readonly Placed[]): Promise<Meeting[]> {
  const footprints = new Map(placed.filter(isFootprint).map((record) => [record.id, new Footprint(record)]));
  return (await meetingsOf(db, [...footprints.keys()])).filter(({ record, other, overlap }) => {
    const [a, b] = [footprints.get(record), footprints.get(other)];
    if (a === undefined || b === undefined || overlap <= 0 || a.isReference === b.isReference) return false;
    return meetingTileOf(a, b) === String(tile);
  });
}

function nameOf({ record, other }: Meeting): string {
  return `${record} ${other}`;
}
