import type { PreparedOne, ReadStorage } from '../storage/storage.ts';
import type { CountrySummary } from '../vocabulary/api-shapes.ts';
import { type AssetKey, parseAssetId } from '../vocabulary/asset-id.ts';
import type { FailureOf } from '../vocabulary/failure.ts';
import type { MapTile } from '../vocabulary/map-tile.ts';
import type { FoundAnswer, MatchQuestion } from '../vocabulary/match-shapes.ts';
import { fail, ok, type Result } from '../vocabulary/result.ts';
import type { SourceRecordAnswer } from '../vocabulary/source-record.ts';
import type { Source } from '../vocabulary/sources.ts';
import { readAreaSummary, readCountry } from './area-summaries.ts';
import { type FormerBuilding, findFormer, parseWholeId, resolveSurvivor } from './identity.ts';
import { foundRecords, type ListRecords, listRecords, type ReadFeatures, readFeatures } from './listed-records.ts';
import { type LongReadLimits, longReads } from './long-reads.ts';
import { AddressFinders } from './lookup/address-finder.ts';
import { findBuildings } from './lookup/find-buildings.ts';
import { findMapPoints, type MapPoints, type MapPointsQuery } from './map-points/map-points.ts';
import { buildAreaTile } from './map-tiles/area-features.ts';
import { buildTile } from './map-tiles/build-tile.ts';
import { BuildingFeatures } from './map-tiles/building-features.ts';
import { type OwnerSummary, summariseOwner } from './owner-summary.ts';
import { type GetPortfolio, PORTFOLIO_LIMITS, portfolios } from './portfolios.ts';
import { buildingPaths, hubPaths, PATH_LIMITS, type PathQueries, pathQueries } from './published-paths.ts';
import { AskedLately, RecentCache } from './recent-cache.ts';
import { type FinishedResponse, finishPage, type PageRow, parseBody, sourcesIn } from './records.ts';
import { holdsSample } from './sample-records.ts';
import { ownerKey } from './search/format/entry.ts';
import { AreaFinder, type SuggestedArea } from './search/read/area-finder.ts';
import {
  type FeatureExtent,
  type FeatureQuery,
  type FoundFeatures,
  findExtent,
  findFeatures,
} from './search/read/features.ts';
import { type FilteredSearch, filteredSearch } from './search/read/filtered-search.ts';
import { SegmentCache } from './search/read/index-reads.ts';
import { type ListedEntries, type ListPage, listBuildings, listPage } from './search/read/list-page.ts';
import type { ListQuery } from './search/read/list-query.ts';
import { findOffers, type Offers, type OffersQuery } from './search/read/offers.ts';
import type { SearchAnswer } from './search/read/search.ts';
import { type SuggestRow, suggest, suggestIds } from './search/read/suggest.ts';
import { findSourceRecord } from './source-record.ts';
import { finishSummary } from './summaries.ts';
import { whyMissing } from './tombstones.ts';
import { readVersions, type StoredVersion } from './versions.ts';

export type { OnRecord, StreamedResponse as Streamed } from './portfolios.ts';
export type {
  PathList,
  PathQueries as PathQuestions,
  PathRange as PathPart,
  PublishedPath,
} from './published-paths.ts';
export type { FinishedResponse as Finished } from './records.ts';

export type GetFailure = FailureOf<'malformedId' | 'unknownBuilding' | 'movedBuilding' | 'retiredBuilding'>;

/** Every query of the surfaces. */
export interface Registry {
  getPage(id: string): Promise<Result<FinishedResponse, GetFailure>>;
  getSources(id: string): Promise<Result<FinishedResponse, GetFailure>>;
  /** What became of a source record; undefined if it was never read. */
  findSourceRecord(source: Source, id: string): Promise<SourceRecordAnswer | undefined>;
  /** Stored versions of a published building, the newest first, starting with version `from`. */
  getVersions(id: string, from: number, count: number): Promise<StoredVersion[]>;
  search(query: FilteredSearch): Promise<SearchAnswer>;
  /** FIT-10: one building without geometry, history and neighbours. */
  getSummary(id: string): Promise<Result<FinishedResponse, GetFailure>>;
  list(query: ListQuery): Promise<ListPage>;
  /** The first buildings of a list, to be streamed. */
  readonly listRecords: ListRecords;
  /** OGC-05: a page of all buildings in the order of their IDs, to be streamed. */
  readonly readFeatures: ReadFeatures;
  /** OGC-03 */
  getExtent(): Promise<FeatureExtent>;
  /** Undefined if no building has this owner. */
  getOwner(name: string): Promise<OwnerSummary | undefined>;
  suggest(q: string): Promise<SuggestRow[]>;
  /** RCN-08: the IDs of the buildings that begin with or contain a text, the most fitting first. */
  suggestIds(query: SuggestQuery): Promise<string[]>;
  /** Areas whose names begin with a search text. */
  findAreas(q: string): Promise<SuggestedArea[]>;
  /** What a search without results can offer instead. */
  findOffers(query: OffersQuery): Promise<Offers>;
  /** RCN-01: which building each question means, in their order. */
  match(questions: readonly MatchQuestion[]): Promise<FoundAnswer[]>;
  /** What became of the building whose ID is the whole query; undefined if it is live. */
  findFormer(q: string): Promise<FormerBuilding | undefined>;
  /** By slugs, from the prefecture down. */
  getArea(slugs: readonly string[]): Promise<Result<FinishedResponse, FailureOf<'unknownArea'>>>;
  getCountry(): Promise<CountrySummary>;
  /** Whether a building of the bundled sample is published. */
  holdsSample(): Promise<boolean>;
  readonly getPortfolio: GetPortfolio;
  /** The paths of all pages. */
  readonly paths: { readonly hubs: PathQueries; readonly buildings: PathQueries };
  /** One map tile as a Mapbox Vector Tile. */
  getTile(tile: MapTile): Promise<FinishedResponse>;
  /** The same with the outlines and names of areas. */
  getAreaTile(tile: MapTile): Promise<FinishedResponse>;
  /** The buildings of a list for its map, as JSON and read. */
  getMapPoints(query: MapPointsQuery): Promise<FinishedResponse>;
  readMapPoints(query: MapPointsQuery): Promise<MapPoints>;
}

interface SuggestQuery {
  q: string;
  most: number;
}

/** Answers searches and builds map tiles, in this thread or in others. */
export interface SearchBackend {
  search(query: FilteredSearch): Promise<SearchAnswer>;
  list(query: ListQuery): Promise<FinishedResponse>;
  listAll(query: ListQuery, most: number): Promise<ListedEntries>;
  features(query: FeatureQuery): Promise<FoundFeatures>;
  extent(): Promise<FeatureExtent>;
  owner(name: string): Promise<OwnerSummary | undefined>;
  suggest(q: string): Promise<SuggestRow[]>;
  suggestIds(query: SuggestQuery): Promise<string[]>;
  areas(q: string): Promise<SuggestedArea[]>;
  offers(query: OffersQuery): Promise<Offers>;
  match(questions: readonly MatchQuestion[]): Promise<FoundAnswer[]>;
  tile(tile: MapTile): Promise<FinishedResponse>;
  areaTile(tile: MapTile): Promise<FinishedResponse>;
  mapPoints(query: MapPointsQuery): Promise<FinishedResponse>;
}

export function searchInline(storage: ReadStorage): SearchBackend {
  const areas = new AreaFinder();
  const segments = new SegmentCache();
  const footprints = new BuildingFeatures();
  const addresses = new AddressFinders();
  return {
    search: (query) => storage.snapshot((reads) => filteredSearch(reads, query, segments)),
    list: (query) => storage.snapshot((reads) => listPage(reads, query, segments)),
    listAll: (query, most) => storage.snapshot((reads) => listBuildings(reads, query, most, segments)),
    features: (query) => storage.snapshot((reads) => findFeatures(reads, query, segments)),
    extent: () => storage.snapshot((reads) => findExtent(reads, segments)),
    owner: (name) => storage.snapshot((reads) => summariseOwner(reads, name)),
    suggest: (q) => storage.snapshot((reads) => suggest(reads, q, areas, segments)),
    suggestIds: ({ q, most }) => storage.snapshot((reads) => suggestIds(reads, q, most, segments)),
    areas: (q) => storage.snapshot((reads) => areas.named(reads, q)),
    offers: (query) => storage.snapshot((reads) => findOffers(reads, query, segments)),
    match: (questions) => storage.snapshot((reads) => findBuildings(reads, questions, { addresses, segments })),
    tile: (tile) => storage.snapshot((reads) => buildTile(reads, tile, footprints)),
    areaTile: (tile) => storage.snapshot((reads) => buildAreaTile(reads, tile)),
    mapPoints: (query) => storage.snapshot((reads) => findMapPoints(reads, query, segments)),
  };
}

/** Bytes of records, map tiles and maps of lists cached in memory. */
const RECENT_PAGES = 64e6;
const RECENT_TILES = 32e6;
const RECENT_POINTS = 16e6;
const RECENT_OWNERS = 4e6;
/** An estimate for the cache. */
const OWNER_BYTES = 4_000;
const ASKED_LATELY = 4_000;
/** Larger records are not cached. */
const WORTH_KEEPING = 16_384;
/** Memory per cache entry besides its body. */
const ENTRY_OVERHEAD = 500;
const bytesOf = ({ body }: FinishedResponse) => body.length + ENTRY_OVERHEAD;

const MALFORMED = fail({ kind: 'malformedId' } as const);

/** Limits of responses that are read from the database while they are sent. */
export interface RegistryLimits {
  /** Of portfolios and lists together. */
  portfolios: LongReadLimits;
  paths: LongReadLimits;
}

export function openRegistry(
  storage: ReadStorage,
  searchers: SearchBackend = searchInline(storage),
  limits: RegistryLimits = { portfolios: PORTFOLIO_LIMITS, paths: PATH_LIMITS },
): Registry {
  const pageQuery = storage.db
    .selectFrom('page as p')
    .leftJoin('nearby as n', 'n.building', 'p.building')
    .select(['p.etag', 'p.body', 'p.credits', 'n.etag as tailEtag', 'n.body as tail'])
    .where('p.building', '=', 0);
  const sourcesQuery = storage.db.selectFrom('page').select(['etag', 'body']).where('building', '=', 0);
  const findPage = storage.prepareOne<[AssetKey], PageRow>(pageQuery.compile());
  const findSources = storage.prepareOne<[AssetKey], Pick<PageRow, 'etag' | 'body'>>(sourcesQuery.compile());

  const get = async <R>(
    key: AssetKey,
    find: PreparedOne<[AssetKey], R>,
    finish: (row: R) => FinishedResponse,
  ): Promise<Result<FinishedResponse, GetFailure>> => {
    const found = await find(key);
    if (found !== undefined) return ok(finish(found));
    const survivor = await resolveSurvivor(storage.db, key);
    if (survivor !== undefined && survivor !== key) return fail({ kind: 'movedBuilding', survivor });
    // It may have been published between the two reads.
    const again = survivor === undefined ? undefined : await find(key);
    if (again !== undefined) return ok(finish(again));
    return fail(await whyMissing(storage, key));
  };

  const recent = new RecentCache<AssetKey, FinishedResponse>(RECENT_PAGES, bytesOf);
  const asked = new AskedLately(ASKED_LATELY);
  const recentOwners = new RecentCache<string, OwnerSummary>(RECENT_OWNERS, () => OWNER_BYTES);
  const openLong = longReads(storage, limits.portfolios);
  const readFound = foundRecords(storage, openLong);
  const recentTiles = new RecentCache<string, FinishedResponse>(RECENT_TILES, bytesOf);
  const recentPoints = new RecentCache<string, FinishedResponse>(RECENT_POINTS, bytesOf);
  const recently = async (
    cache: RecentCache<string, FinishedResponse>,
    key: string,
    build: () => Promise<FinishedResponse>,
  ): Promise<FinishedResponse> => {
    const moment = storage.moment();
    const kept = moment === undefined ? undefined : cache.get(key, moment);
    if (kept !== undefined) return kept;
    const { etag, body, release } = await build();
    // Copied, because the shared memory is released.
    const built = { etag, body: Buffer.from(body) };
    release?.();
    if (moment !== undefined) cache.keep(key, built, moment);
    return built;
  };
  const getMapPoints = ({ list: { sort: _sort, page: _page, ...list }, box }: MapPointsQuery) =>
    recently(recentPoints, JSON.stringify([list, box]), () => searchers.mapPoints({ list: { ...list, page: 1 }, box }));

  const registry: Registry = {
    async getPage(id) {
      const key = parseAssetId(id);
      if (key === undefined) return MALFORMED;
      const moment = storage.moment();
      if (moment === undefined) return get(key, findPage, finishPage);
      const kept = recent.get(key, moment);
      if (kept !== undefined) return ok(kept);
      const found = await get(key, findPage, finishPage);
      // Most records are asked for once: to keep those too costs more than it saves.
      if (asked.again(key) && found.ok && found.value.body.length <= WORTH_KEEPING)
        recent.keep(key, found.value, moment);
      return found;
    },
    async getSources(id) {
      const key = parseAssetId(id);
      if (key === undefined) return MALFORMED;
      return get(key, findSources, ({ etag, body }) => ({ etag: `"${etag}"`, body: sourcesIn(body) }));
    },
    findSourceRecord: (source, id) => storage.snapshot((reads) => findSourceRecord(reads, source, id)),
    async getVersions(id, from, count) {
      const key = parseAssetId(id);
      return key === undefined ? [] : storage.snapshot((reads) => readVersions(reads, key, from, count));
    },
    async getSummary(id) {
      const found = await registry.getPage(id);
      return found.ok ? ok(finishSummary(found.value)) : found;
    },
    search: searchers.search,
    suggest: searchers.suggest,
    suggestIds: searchers.suggestIds,
    findAreas: searchers.areas,
    findOffers: searchers.offers,
    match: searchers.match,
    async findFormer(q) {
      const key = parseWholeId(q);
      return key === undefined ? undefined : storage.snapshot((reads) => findFormer(reads, key));
    },
    async list(query) {
      const { body, release } = await searchers.list(query);
      try {
        return parseBody<ListPage>(body);
      } finally {
        release?.();
      }
    },
    listRecords: listRecords(readFound, searchers.listAll),
    readFeatures: readFeatures(readFound, searchers.features),
    getExtent: searchers.extent,
    async getOwner(name) {
      const moment = storage.moment();
      const kept = moment === undefined ? undefined : recentOwners.get(ownerKey(name), moment);
      if (kept !== undefined) return kept;
      const summary = await searchers.owner(name);
      if (summary !== undefined && moment !== undefined) recentOwners.keep(ownerKey(name), summary, moment);
      return summary;
    },
    async getArea(slugs) {
      const summary = await storage.snapshot((reads) => readAreaSummary(reads, slugs));
      return summary === undefined ? fail({ kind: 'unknownArea' }) : ok(summary);
    },
    getCountry: () => storage.snapshot(readCountry),
    getPortfolio: portfolios(storage, openLong),
    holdsSample: () => holdsSample(storage.db),
    paths: {
      hubs: pathQueries(storage, hubPaths, limits.paths),
      buildings: pathQueries(storage, buildingPaths, limits.paths),
    },
    getTile: ({ z, x, y }) => recently(recentTiles, `${z}/${x}/${y}`, () => searchers.tile({ z, x, y })),
    getAreaTile: ({ z, x, y }) => recently(recentTiles, `areas/${z}/${x}/${y}`, () => searchers.areaTile({ z, x, y })),
    getMapPoints,
    async readMapPoints(query) {
      return parseBody<MapPoints>((await getMapPoints(query)).body);
    },
  };
  return registry;
}
