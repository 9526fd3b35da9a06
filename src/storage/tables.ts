import type { Generated } from 'kysely';

/** Every table of the registry, as both databases hold it. A building is kept under its AssetKey. */
export interface Tables {
  area: AreaTable;
  area_slug: AreaSlugTable;
  area_piece: AreaPieceTable;
  new_area: NewAreaTable;
  building: BuildingTable;
  minted: MintedTable;
  identity_event: IdentityEventTable;
  source_record: SourceRecordTable;
  spot: SpotTable;
  meeting: MeetingTable;
  link: LinkTable;
  lent: LentTable;
  stale_tile: StaleTileTable;
  stale_match: StaleMatchTable;
  stale_register: StaleRegisterTable;
  statement: StatementTable;
  stale_building: StaleBuildingTable;
  stale_place: StalePlaceTable;
  building_version: BuildingVersionTable;
  page: PageTable;
  nearby: NearbyTable;
  ingest: IngestTable;
  todo: TodoTable;
  search_entry: SearchEntryTable;
  search_segment: SearchSegmentTable;
  search_posting: SearchPostingTable;
  search_filter: SearchFilterTable;
  search_sort: SearchSortTable;
  area_summary: AreaSummaryTable;
  stale_area: StaleAreaTable;
  mesh_count: MeshCountTable;
  reit_publication: ReitPublicationTable;
  reit_event: ReitEventTable;
  reit_permission: ReitPermissionTable;
  reit_active: ReitActiveTable;
  damaged_file: DamagedFileTable;
  restore_run: RestoreRunTable;
  rate_key: RateKeyTable;
  rate_window: RateWindowTable;
}

export type AreaLevel = 'prefecture' | 'ward' | 'machiAza';

interface AreaTable {
  code: string;
  level: AreaLevel;
  parent: string | null;
  slug: string;
  name_ja: string;
  name_en: string | null;
  /** GeoJSON, and the box around it. */
  boundary: string | null;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
  /** Its representative point. */
  lat: number | null;
  lon: number | null;
  /** When a source last said so; null where a records file did. */
  retrieved_at: string | null;
}

/** The boundary of a neighbourhood that a source knows by name, and the machi-aza it was joined to. */
interface AreaPieceTable {
  id: string;
  ward: string;
  name_ja: string;
  area: string | null;
  boundary: string;
  ingest: number;
  line: number;
}

/** Every slug ever given below a parent (an empty one for prefectures): never given to another area. */
interface AreaSlugTable {
  parent: string;
  slug: string;
  code: string;
}

/** Machi-aza that came or changed since buildings and records were last placed. */
interface NewAreaTable {
  code: string;
}

type BuildingState = 'live' | 'merged' | 'retired';

/** What told the machi-aza of a building (PLC-01). */
export type PlacedBy = 'named' | 'boundary' | 'municipalityBoundary' | 'municipality' | 'address' | 'nearest';

export interface BuildingTable {
  id: number;
  state: BuildingState;
  /** Where a merged or retired ID leads, one step. */
  successor: number | null;
  area: string | null;
  placed_by: PlacedBy | null;
  lat: number | null;
  lon: number | null;
  mesh: string | null;
  name_ja: string | null;
  name_en: string | null;
  category: string | null;
  version: number;
  recorded_at: string | null;
  /** 1 where matching gave the ID, 0 where a file named it. */
  minted: number;
}

/** The last number given to a new building of a prefecture. */
interface MintedTable {
  prefecture: string;
  last: number;
}

interface IdentityEventTable {
  id: Generated<number>;
  kind: 'merge' | 'unmerge' | 'retire';
  building: number;
  into_building: number | null;
  reason: string | null;
  at: string;
  actor: Generated<'operator' | 'matching'>;
}

export interface SourceRecordTable {
  id: number;
  /** `source:sourceRecordId`; unique with `claimed`. */
  key: string;
  source: string;
  /** The building it speaks of; null while it contributes nothing. */
  building: number | null;
  /**
   * The building it is named for: -1 for none, -2 where that is more than one. A register's record has one row;
   * of other sources a record that is named for several buildings has a row for each.
   */
  claimed: number;
  reason: 'unmatched' | 'ambiguous' | 'unplaced' | null;
  /** Of the centre of its shape: the tile as a number, and the place. */
  tile: number | null;
  lat: number | null;
  lon: number | null;
  /** The machi-aza in which a register's or a disclosure's record is to be matched. */
  area: string | null;
}

/** Further tiles that a record's shape touches. */
interface SpotTable {
  tile: number;
  record: number;
}

/** Two records whose shapes meet, once in each direction, and the square metres they share: 0 for a point inside, -1 for what holds it. */
export interface MeetingTable {
  record: number;
  other: number;
  overlap: number;
}

/** What a record names in other sources, such as `wikidata:Q1` and `osm:way/1`. */
export interface LinkTable {
  name: string;
  record: number;
}

/** Buildings that a complex lends to (CON-12). */
interface LentTable {
  building: number;
  record: number;
}

/** Tiles in which something moved since they were last matched. */
interface StaleTileTable {
  tile: number;
}

/** Records that are to be matched again whatever their tile. */
interface StaleMatchTable {
  record: number;
}

/** Machi-aza whose registers are to be matched again. */
interface StaleRegisterTable {
  area: string;
}

/** Append-only. */
export interface StatementTable {
  id: number;
  record: number;
  /** The building that its line names, -1 for none. */
  claimed: number;
  retrieved_at: string;
  raw_payload_ref: string;
  body: string;
  /** Of the line it was read from: the same line again is known without being read. */
  line_hash: string;
  ingest: number;
  line: number;
  /** When the same was fetched again, moments parted by spaces. */
  seen: string | null;
}

/** Buildings whose evidence or identity changed since they were last consolidated. */
interface StaleBuildingTable {
  building: number;
}

/** Places around which what pages say of their neighbours may no longer be true. */
interface StalePlaceTable {
  mesh: string;
  building: number;
  lat: number;
  lon: number;
}

interface BuildingVersionTable {
  building: number;
  version: number;
  recorded_at: string;
  changed_fields: string;
  canonical: string;
}

/** The finished record of a building, made when it is published, but for what lies around it. */
interface PageTable {
  building: number;
  etag: string;
  sources: Uint8Array;
  /** JSON without its closing brace: the neighbours follow. */
  body: Uint8Array;
}

/** What lies around a published building: the end of its record, kept apart since neighbours change it. */
interface NearbyTable {
  building: number;
  etag: string;
  body: Uint8Array;
}

interface IngestTable {
  id: Generated<number>;
  source: string;
  file: string;
  sha256: string;
  started_at: string;
  finished_at: string | null;
  /** When its bytes were fetched from the source. */
  retrieved_at: string | null;
  counts: string | null;
}

/** Notes of work that a run has still to do. */
interface TodoTable {
  name: string;
}

/** What a building can be found by; every building that has a version has one. */
export interface SearchEntryTable {
  /** Its place in the order of results, which runs from the highest down: a new version goes to the end. */
  pos: number;
  building: number;
  /** Where it is published; null while it is not. */
  prefecture: string | null;
  ward: string | null;
  area: string | null;
  /** One bit for each category among its uses. */
  uses: number;
  /** One bit for each field it has. */
  fields: number;
  /** Of the name of its owner, normalised: a hash. */
  owner: string | null;
  /** Its searchable values but the ID, normalised, one a line: name, English name, address, then aliases. */
  text: string;
  /** What lists are filtered and sorted by; null where it is not known. */
  footprint: number | null;
  height: number | null;
  floors: number | null;
  built: number | null;
  /** One bit for each thing that a list can ask for and that is no field. */
  flags: number;
  /** Hashes of its recorded uses that no category stands for, space-separated; null where there are none. */
  words: string | null;
}

/** A run of positions whose entries are indexed together. */
export interface SearchSegmentTable {
  id: number;
  first: number;
  size: number;
  /** How many of its entries have since moved to the end. */
  dead: number;
  /** Another whenever anything of it changes. */
  stamp: number;
}

/** Where in a segment a gram occurs. */
interface SearchPostingTable {
  /** The segment's ID × 2⁴⁸ + the gram. */
  key: bigint;
  docs: Uint8Array;
}

/** Which entries of a segment are published at all, in an area, or have a use. */
interface SearchFilterTable {
  segment: number;
  filter: string;
  docs: Uint8Array;
}

/** The entries of a segment in one order. */
interface SearchSortTable {
  segment: number;
  sort: string;
  /** Those that have what is sorted by, as offsets of 16 bits. */
  docs: Uint8Array;
  /** What each is sorted by, and which building it is, as numbers of 64 bits. */
  keys: Uint8Array;
  buildings: Uint8Array;
}

interface AreaSummaryTable {
  area: string;
  building_count: number;
  latest_recorded_at: string;
  coverage: string;
}

/** Machi-aza whose summary may no longer be true. */
interface StaleAreaTable {
  area: string;
}

/** The published buildings of a mesh cell, of the third order (a tile), the second and the first. */
export interface MeshCountTable {
  mesh: string;
  count: number;
  /** Of their places, in ten-millionths of a degree. */
  lat_sum: number;
  lon_sum: number;
}

/** Immutable: the id is the hash of the document. */
interface ReitPublicationTable {
  id: string;
  issuer: string;
  computed_at: string;
  /** What of the document decides where it may be served. */
  outline: string;
  /** Canonical JSON. */
  document: Uint8Array;
}

/** Append-only: what happened to a publication, in order. */
interface ReitEventTable {
  id: Generated<number>;
  publication: string;
  body: string;
}

/** Append-only: which source may be shown where, in order. */
interface ReitPermissionTable {
  id: Generated<number>;
  body: string;
}

/** The buildings of publications that are activated and not withdrawn: follows from the events. */
interface ReitActiveTable {
  building: number;
  publication: string;
}

/** Files of the archive that were found damaged and are not repaired yet. Of this machine: no part of a backup. */
interface DamagedFileTable {
  sha256: string;
  reason: string;
  found_at: string;
}

/** One row while a restore runs, left behind by one that was killed. No part of a backup. */
interface RestoreRunTable {
  id: 1;
  file: string;
  /** The temporary copy that it reads. */
  copy: string;
  started_at: string;
  /** 1 in the same transaction that replaces the registry. */
  finished: number;
}

/** One row: under what the processes that share this database hash the addresses of clients. */
interface RateKeyTable {
  id: 1;
  key: Uint8Array;
}

/** Requests of a client to a surface in a minute, counted from 1970. */
interface RateWindowTable {
  surface: string;
  client: string;
  minute: number;
  count: number;
}
