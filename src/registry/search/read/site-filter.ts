import { batches, isAmong, listParameter, type Reads } from '../../../storage/storage.ts';
import type { AssetKey } from '../../../vocabulary/asset-id.ts';
import type { Measures } from '../../../vocabulary/geometry.ts';
import { type Bitmap, countDocs, descending, EMPTY_BITMAP, exclude, intersect, toList } from '../format/bitmaps.ts';
import type { SearchEntry } from '../format/entry.ts';
import {
  boundsAt,
  docsMeeting,
  docsNear,
  farthestAt,
  type NearDocs,
  NOWHERE,
  type SegmentSites,
  sideAt,
} from '../format/segment-sites.ts';
import type { Segment } from '../format/segments.ts';
import { BEYOND, boxOfSite, DistanceFrom, decodeSite, shownMetres, toUnitBox } from '../format/site.ts';
import type { SegmentCache } from './index-reads.ts';
import type { Matches } from './take-in-order.ts';

/** A position and the distance from it in metres. */
export interface Near {
  lat: number;
  lon: number;
  radius: number;
}

/** FIT-05, FIT-06: where a building must be. */
export interface SiteQuery {
  /** Its footprint is within the radius; its point, if it has no footprint. */
  near?: Near | undefined;
  /** The bounding box of its footprint meets this one. */
  bbox?: Measures['bbox'] | undefined;
}

export class SiteFilter {
  readonly #near: { from: DistanceFrom; radius: number } | undefined;
  readonly #box: ReturnType<typeof toUnitBox> | undefined;

  constructor({ near, bbox }: SiteQuery) {
    this.#near = near && { from: new DistanceFrom(near), radius: near.radius };
    this.#box = bbox && toUnitBox(bbox);
  }

  /** Undefined if a query says nothing about the site. */
  static of(query: SiteQuery): SiteFilter | undefined {
    return query.near === undefined && query.bbox === undefined ? undefined : new SiteFilter(query);
  }

  matches(bytes: Uint8Array | null): boolean {
    if (bytes === null) return false;
    const site = decodeSite(bytes);
    if (this.#box !== undefined) {
      const [west, south, east, north] = boxOfSite(site);
      const [w, s, e, n] = this.#box;
      if (west > e || south > n || east < w || north < s) return false;
    }
    return this.#near === undefined || this.#near.from.toSite(site) <= this.#near.radius;
  }

  /** The entries of a segment that match, and those whose footprint decides. */
  async candidates(reads: Reads, cache: SegmentCache, segment: Segment): Promise<NearDocs> {
    const sites = await cache.sites(reads, segment);
    const inBox = this.#box && docsMeeting(sites, this.#box);
    if (this.#near === undefined) return { sure: inBox ?? EMPTY_BITMAP, maybe: EMPTY_BITMAP };
    const { sure, maybe } = docsNear(sites, this.#near.from, this.#near.radius);
    if (inBox === undefined) return { sure, maybe };
    return { sure: intersect(sure, inBox), maybe: intersect(maybe, inBox) };
  }

  /** `docs` without those of `maybe` that do not match. */
  async verify(reads: Reads, segment: Segment, docs: Bitmap, maybe: Bitmap): Promise<Bitmap> {
    const doubtful = intersect(docs, maybe);
    if (countDocs(doubtful) === 0) return docs;
    const wrong: number[] = [];
    for (const { pos, site } of await readSites(reads, segment, [...descending(doubtful)])) {
      if (!this.matches(site)) wrong.push(pos - segment.first);
    }
    return exclude(docs, Uint16Array.from(wrong).sort());
  }
}

type EntrySite = Pick<SearchEntry, 'pos' | 'building' | 'site'>;

async function readSites(reads: Reads, { first }: Segment, docs: readonly number[]): Promise<EntrySite[]> {
  const rows: EntrySite[] = [];
  for (const batch of batches(docs, ROWS_AT_ONCE)) {
    const positions = batch.map((doc) => first + doc);
    const some = await reads.all<EntrySite>(
      `select pos, building, site from search_entry where ${isAmong(reads, 'pos')}`,
      [listParameter(reads, positions)],
    );
    rows.push(...some);
  }
  return rows;
}

const ROWS_AT_ONCE = 2_000;

/** The first `count` matches by distance, nearest first, then by ID. */
export async function takeByDistance(
  reads: Reads,
  cache: SegmentCache,
  { fresh, parts }: Matches,
  near: Near,
  count: number,
): Promise<AssetKey[]> {
  const from = new DistanceFrom(near);
  const found = fresh.map(({ building, site }) => ({ building, metres: metresTo(from, site) }));
  const placed: { segment: Segment; sites: SegmentSites; indexes: number[] }[] = [];
  const farthest: number[] = [];
  for (const { segment, docs } of parts) {
    const sites = await cache.sites(reads, segment);
    const indexes: number[] = [];
    for (const doc of toList(docs)) {
      const i = sites.indexOf[doc] as number;
      if (i === NOWHERE) continue;
      indexes.push(i);
      farthest.push(farthestAt(sites, i, from));
    }
    placed.push({ segment, sites, indexes });
  }
  // Roughly at first, because there may be many; then by the box of each.
  const roughly = limitOf(farthest, count) + SHOWN_ALIKE;
  const bounds = placed.flatMap(({ segment, sites, indexes }) =>
    indexes
      .filter((i) => sideAt(sites, i, from, roughly) !== BEYOND)
      .map((i) => ({ segment, doc: sites.docs[i] as number, ...boundsAt(sites, i, from) })),
  );
  const limit = limitOf(
    bounds.map(({ most }) => most),
    count,
  );
  const possible = bounds.filter(({ least }) => least <= limit + SHOWN_ALIKE);
  for (const [segment, some] of Map.groupBy(possible, (one) => one.segment)) {
    const rows = await readSites(
      reads,
      segment,
      some.map(({ doc }) => doc),
    );
    for (const { building, site } of rows) found.push({ building, metres: metresTo(from, site) });
  }
  return found
    .sort((a, b) => a.metres - b.metres || a.building - b.building)
    .slice(0, count)
    .map(({ building }) => building);
}

/** Buildings that are shown at the same distance are in the order of their IDs. */
const SHOWN_ALIKE = 0.1;

/** FIT-05: the metres to a building, as they are shown; infinite without a point. */
export const metresTo = (from: DistanceFrom, site: Uint8Array | null): number =>
  site === null ? Number.POSITIVE_INFINITY : shownMetres(from.toSite(decodeSite(site)));

const STEPS = 1_024;

/** A distance that at least `count` values do not exceed; infinite if there are fewer. */
function limitOf(values: readonly number[], count: number): number {
  if (values.length <= count) return Number.POSITIVE_INFINITY;
  const farthest = values.reduce((most, value) => Math.max(most, value), 0);
  const steps = new Uint32Array(STEPS + 1);
  const stepOf = (value: number) => Math.floor((value / (farthest || 1)) * STEPS);
  for (const value of values) steps[stepOf(value)] = (steps[stepOf(value)] as number) + 1;
  let step = 0;
  for (let sum = 0; step <= STEPS; step++) {
    sum += steps[step] as number;
    if (sum >= count) break;
  }
  return ((step + 1) * (farthest || 1)) / STEPS;
}
