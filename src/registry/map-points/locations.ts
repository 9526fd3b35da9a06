import type { Reads } from '../../storage/storage.ts';
import { type Segment, segmentEnd } from '../search/format/segments.ts';

/** Where the buildings of one segment are, by offset: longitude and latitude in millionths of a degree. */
type SegmentLocations = Int32Array;

export const UNITS_PER_DEGREE = 1e6;
/** In the place of a longitude: the building has no point. */
export const NOWHERE = -(2 ** 31);

interface CachedLocations {
  stamp: number;
  state: string;
  readAt: number;
  locations: SegmentLocations;
}

/** Caches the locations of every segment of the search index: 8 MB for a million buildings. */
export class Locations {
  readonly #segments = new Map<number, CachedLocations>();

  /** Drops segments that no longer exist. */
  keepOnly(segments: readonly Segment[]): void {
    const ids = new Set(segments.map(({ id }) => id));
    for (const id of this.#segments.keys()) if (!ids.has(id)) this.#segments.delete(id);
  }

  /** `state` is that of the registry: a point may move without a new version, and so without a new entry. */
  async of(reads: Reads, segment: Segment, state: string): Promise<SegmentLocations> {
    const known = this.#segments.get(segment.id);
    const isFresh = known !== undefined && performance.now() < known.readAt + LONGEST_MS;
    if (isFresh && known.stamp === segment.stamp && known.state === state) return known.locations;
    const locations = await readLocations(reads, segment);
    this.#segments.set(segment.id, { stamp: segment.stamp, state, readAt: performance.now(), locations });
    return locations;
  }
}

/** Any change without an ingest or a change of identity is noticed after ten minutes. */
const LONGEST_MS = 600_000;

/** Changes when a run begins and when it ends, and with every change of identity. */
export async function readState(reads: Reads): Promise<string> {
  const [row] = await reads.all(
    `select (select max(id) from ingest) as ingest, (select max(finished_at) from ingest) as finished,
      (select max(id) from identity_event) as identity, (select max(at) from identity_event) as changed`,
    [],
  );
  return JSON.stringify(row);
}

async function readLocations(reads: Reads, segment: Segment): Promise<SegmentLocations> {
  const locations = new Int32Array(2 * segment.size).fill(NOWHERE);
  const rows = await reads.all<{ pos: number; lat: number; lon: number }>(
    `select e.pos, b.lat, b.lon from search_entry e join building b on b.id = e.building
      where e.pos >= ? and e.pos < ? and b.lat is not null and b.lon is not null`,
    [segment.first, segmentEnd(segment)],
  );
  for (const { pos, lat, lon } of rows) {
    const at = 2 * (pos - segment.first);
    locations[at] = Math.round(lon * UNITS_PER_DEGREE);
    locations[at + 1] = Math.round(lat * UNITS_PER_DEGREE);
  }
  return locations;
}
