import type { StoredText } from '../../storage/compact/compact.ts';
import { isAmong, listAsRows, listParameter, type Reads } from '../../storage/storage.ts';
import type { AssetKey } from '../../vocabulary/asset-id.ts';
import type { Canonical } from '../../vocabulary/canonical.ts';
import { CATEGORIES, readAskedUse } from '../../vocabulary/categories.ts';
import type { Position } from '../../vocabulary/geometry.ts';
import type { MatchQuestion } from '../../vocabulary/match-shapes.ts';
import { decodeCanonical } from '../canonical-codec.ts';
import { descending } from '../search/format/bitmaps.ts';
import { type SearchEntry, wordKey, wordKeysOf } from '../search/format/entry.ts';
import { indexedEnd, loadSegments, type Segment } from '../search/format/segments.ts';
import { boxOfSite, decodeSite, toUnitBox, type UnitBox } from '../search/format/site.ts';
import type { SegmentCache } from '../search/read/index-reads.ts';
import { SiteFilter } from '../search/read/site-filter.ts';
import type { NamedPlaceOfAddress } from './judge.ts';
import { addressKeys, nameKey } from './lookup-keys.ts';

/** Beyond so many, a verdict is `ambiguous` whatever the others are. */
const MAX_PER_KEY = 1_000;
/** Buildings of one name or address that are compared in full. */
const MAX_COMPARED = 50;

export type BuildingsAround = (position: Position) => Promise<AssetKey[]>;

/** Finds the buildings whose footprint has a bounding box that contains a point. Unindexed entries are read once. */
export function buildingsAround(reads: Reads, cache: SegmentCache): BuildingsAround {
  let known: Promise<{ segments: Segment[]; fresh: { building: AssetKey; box: UnitBox }[] }> | undefined;
  const load = async () => {
    const segments = await loadSegments(reads);
    const rows = await reads.all<Pick<SearchEntry, 'building' | 'site'>>(
      'select building, site from search_entry where pos >= ? and area is not null and site is not null',
      [indexedEnd(segments)],
    );
    const fresh = rows.map(({ building, site }) => ({ building, box: boxOfSite(decodeSite(site as Uint8Array)) }));
    return { segments, fresh };
  };
  return async ([lon, lat]) => {
    known ??= load();
    const { segments, fresh } = await known;
    const filter = new SiteFilter({ bbox: [lon, lat, lon, lat] });
    const positions: number[] = [];
    for (const segment of segments) {
      const { sure } = await filter.candidates(reads, cache, segment);
      for (const doc of descending(sure)) positions.push(segment.first + doc);
    }
    const indexed = await reads.all<{ building: AssetKey }>(
      `select building from search_entry where ${isAmong(reads, 'pos')} and area is not null`,
      [listParameter(reads, positions)],
    );
    const [w, s, e, n] = toUnitBox([lon, lat, lon, lat]);
    const meeting = fresh.filter(
      ({ box: [west, south, east, north] }) => west <= e && south <= n && east >= w && north >= s,
    );
    return [...indexed, ...meeting].map(({ building }) => building);
  };
}

interface KeyRow {
  building: AssetKey;
  uses: number;
  words: string | null;
}

const WITH_KEY = 'from lookup_key k join search_entry e on e.building = k.building where e.area is not null and';

export async function buildingsWithAddress(
  reads: Reads,
  places: readonly NamedPlaceOfAddress[],
  isAsked: UseFilter,
): Promise<AssetKey[]> {
  const keys = places.flatMap(({ machiAza, numbers }) => addressKeys(machiAza, numbers));
  if (keys.length === 0) return [];
  const rows = await reads.all<KeyRow>(
    `select k.building, e.uses, e.words ${WITH_KEY} ${isAmong(reads, 'k.key')} order by k.building limit ?`,
    [listParameter(reads, keys), MAX_PER_KEY],
  );
  return some(rows, isAsked);
}

/** Buildings of this name: those in the machi-aza of the address, and the first of all Japan. */
export async function buildingsWithName(
  reads: Reads,
  name: string,
  places: readonly NamedPlaceOfAddress[],
  isAsked: UseFilter,
): Promise<AssetKey[]> {
  if (name === '') return [];
  const select = (condition: string, ...more: unknown[]) =>
    reads.all<KeyRow>(
      `select k.building, e.uses, e.words ${WITH_KEY} k.key = ? ${condition} order by k.building limit ?`,
      [...[nameKey(name), ...more, MAX_PER_KEY]],
    );
  const areas = places.map(({ machiAza }) => machiAza);
  const there = areas.length === 0 ? [] : await select(`and ${isAmong(reads, 'e.area')}`, listParameter(reads, areas));
  return [...some(there, isAsked), ...some(await select(''), isAsked)];
}

function some(rows: readonly KeyRow[], isAsked: UseFilter): AssetKey[] {
  const asked = rows.filter(isAsked).map(({ building }) => building);
  return asked.slice(0, MAX_COMPARED);
}

type UseFilter = (row: Pick<KeyRow, 'uses' | 'words'>) => boolean;

/** As the `type` of a search (SEA-09). */
export function useFilter(types: MatchQuestion['types']): UseFilter {
  if (types === undefined || types.uses.length === 0) return () => true;
  const filters = types.uses.map((use): UseFilter => {
    const asked = readAskedUse(use);
    if ('category' in asked) {
      const bit = 1 << CATEGORIES.indexOf(asked.category);
      return ({ uses }) => (uses & bit) !== 0;
    }
    const key = wordKey(asked.word);
    return (row) => wordKeysOf(row).includes(key);
  });
  return (row) =>
    types.match === 'any' ? filters.some((filter) => filter(row)) : filters.every((filter) => filter(row));
}

export interface KnownBuilding extends Omit<KeyRow, 'building'> {
  id: AssetKey;
  area: string;
  place: string;
  canonical: Canonical;
}

export async function loadBuildings(reads: Reads, ids: readonly AssetKey[]): Promise<KnownBuilding[]> {
  if (ids.length === 0) return [];
  const rows = await reads.all<Omit<KnownBuilding, 'canonical'> & { canonical: StoredText }>(
    `select b.id, b.area, e.uses, e.words, v.canonical, p.slug || '/' || w.slug || '/' || m.slug as place
      from ${listAsRows(reads, 'k')} join building b on b.id = k.value
      join building_version v on v.building = k.value and v.version = b.version
      join search_entry e on e.building = k.value
      join area m on m.code = b.area join area w on w.code = m.parent join area p on p.code = w.parent
      where e.area is not null order by b.id`,
    [listParameter(reads, ids)],
  );
  return rows.map((row) => ({ ...row, canonical: decodeCanonical(row.canonical) }));
}
