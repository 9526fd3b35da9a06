import type { Generated } from 'kysely';
import type { StoredText } from './compact/compact.ts';

/** Every table of the registry, in both databases. A building is stored under its AssetKey. */
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
  retrieval: RetrievalTable;
  stale_building: StaleBuildingTable;
  stale_place: StalePlaceTable;
  building_version: BuildingVersionTable;
  change_block: ChangeBlockTable;
  change_area: ChangeAreaTable;
  page: PageTable;
  nearby: NearbyTable;
  ingest: IngestTable;
  todo: TodoTable;
  search_entry: SearchEntryTable;
  search_segment: SearchSegmentTable;
  search_posting: SearchPostingTable;
  search_filter: SearchFilterTable;
  search_sort: SearchSortTable;
  search_site: SearchSiteTable;
  lookup_key: LookupKeyTable;
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
  /** GeoJSON and its bounding box. */
  boundary: string | null;
  west: number | null;
  south: number | null;
  east: number | null;
  north: number | null;
  /** Its representative point. */
  lat: number | null;
  lon: number | null;
  /** When a source last stated it; null if a records file did. */
  retrieved_at: string | null;
}

/** The boundary of a named neighbourhood, and the machi-aza it was joined to. */
interface AreaPieceTable {
  id: string;
  ward: string;
  name_ja: string;
  area: string | null;
  boundary: string;
  ingest: number;
  line: number;
}

/** Every slug ever used below a parent ('' for prefectures), never reused for another area. */
interface AreaSlugTable {
  parent: string;
  slug: string;
  code: string;
}

/** Areas that are new or changed since buildings and records were last placed. */
interface NewAreaTable {
  code: string;
}

type BuildingState = 'live' | 'merged' | 'retired';

/** What determined the machi-aza of a building (PLC-01). */
export type PlacedBy = 'named' | 'boundary' | 'municipalityBoundary' | 'municipality' | 'address' | 'nearest';

export interface BuildingTable {
  id: number;
  state: BuildingState;
  /** The building that a merged or retired ID redirects to, one step. */
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
  /** 1 if matching created the ID, 0 if a file named it. */
  minted: number;
  /** What the log last said of it: 0 nothing, 2 that it was merged, 1 anything else. */
  logged: number;
}

/** The last number assigned to a new building of a prefecture. */
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
  /** The building it describes; null while it contributes nothing. */
  building: number | null;
  /**
   * The building that it names: -1 for none, -2 for several. A record of a register has one row; a record of
   * another source that names several buildings has one row for each.
   */
  claimed: number;
  reason: 'unmatched' | 'ambiguous' | 'unplaced' | null;
  /** The tile and the position of the centre of its shape. */
  tile: number | null;
  lat: number | null;
  lon: number | null;
  /** The machi-aza in which a record of a register or disclosure is matched. */
  area: string | null;
}

/** Further tiles that a record's shape touches. */
interface SpotTable {
  tile: number;
  record: number;
}

/**
 * Two records whose shapes overlap, once in each direction, and the shared square metres: 0 for a point or part inside,
 * -1 for its container.
 */
export interface MeetingTable {
  record: number;
  other: number;
  overlap: number;
}

/** Links to other sources, such as `wikidata:Q1` and `osm:way/1`. */
export interface LinkTable {
  name: string;
  record: number;
}

/** Buildings that inherit from a complex (CON-12). */
interface LentTable {
  building: number;
  record: number;
}

/** Tiles with changes since they were last matched. */
interface StaleTileTable {
  tile: number;
}

/** Records to match again, whatever their tile. */
interface StaleMatchTable {
  record: number;
}

/** Machi-aza whose registers have to be matched again. */
interface StaleRegisterTable {
  area: string;
}

/** Append-only. */
export interface StatementTable {
  id: number;
  record: number;
  /** The building that its line names, -1 for none. */
  claimed: number;
  /** When its payload was fetched. */
  retrieval: number;
  /** How its payload is cited; null for the hash of its body. */
  payload: Uint8Array | null;
  body: StoredText;
  /** The hash of its line, so that a repeated line is recognised without parsing. */
  line_hash: string;
  ingest: number;
  line: number;
  /** Times of further fetches, separated by spaces. */
  seen: string | null;
}

/** Times at which payloads were fetched; statements that follow each other mostly share them. */
interface RetrievalTable {
  id: number;
  at: string;
}

/** Buildings whose evidence or identity changed since they were last consolidated. */
interface StaleBuildingTable {
  building: number;
}

/** Places whose neighbours may have to be updated. */
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
  /** A letter for each. */
  changed_fields: string;
  canonical: StoredText;
}

/** The changes of buildings that one transaction made, in order. */
interface ChangeBlockTable {
  /** The number of the last of them; the first follows the last of the block before. */
  last: number;
  /** When they were recorded; null if each was when its version was. */
  at: string | null;
  body: Uint8Array;
}

/** The areas that a block touches, before or after its changes, on every level. */
interface ChangeAreaTable {
  area: string;
  last: number;
}

/** The published record of a building without `nearby`. */
interface PageTable {
  building: number;
  etag: string;
  /** Compact JSON without its closing brace; `attribution` and `nearby` follow. */
  body: Uint8Array;
  /** Its sources, one bit each; null if it was published before they were stored. */
  credits: number | null;
}

/** `nearby` of a published building: the end of its record, stored separately because neighbours change it. */
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

/** Unfinished work of a run. */
interface TodoTable {
  name: string;
}

/** What a building can be found by; every building with a version has one. */
export interface SearchEntryTable {
  /** Its position in the order of results, highest first: a new version is appended. */
  pos: number;
  building: number;
  /** Where it is published; null while it is not. */
  prefecture: string | null;
  ward: string | null;
  area: string | null;
  /** One bit per category of its uses. */
  uses: number;
  /** One bit per field it has. */
  fields: number;
  /** A hash of its normalised owner. */
  owner: string | null;
  /** Its normalised searchable values except the ID, one per line: name, English name, address, then aliases. */
  text: string;
  /** What lists are filtered and sorted by; null if unknown. */
  footprint: number | null;
  height: number | null;
  floors: number | null;
  built: number | null;
  /** One bit per list filter that is not a field. */
  flags: number;
  /** Hashes of its recorded uses without a category, separated by spaces; null if there are none. */
  words: string | null;
  /** 100-0005, if it has one. */
  postcode: string | null;
  /** Its point and footprint; null without a point. */
  site: Uint8Array | null;
  /** What summaries say about it, as JSON; null while it is not published. */
  summary: string | null;
}

/** A range of positions whose entries are indexed together. */
export interface SearchSegmentTable {
  id: number;
  first: number;
  size: number;
  /** How many of its entries have been replaced. */
  dead: number;
  /** Changes whenever the segment does. */
  stamp: number;
}

/** Where a gram occurs in a segment. */
interface SearchPostingTable {
  /** The segment's ID × 2⁴⁸ + the gram. */
  key: bigint;
  docs: Uint8Array;
}

/** The entries of a segment that are published, in an area, or have a use. */
interface SearchFilterTable {
  segment: number;
  filter: string;
  docs: Uint8Array;
}

/** The entries of a segment in one sort order. */
interface SearchSortTable {
  segment: number;
  sort: string;
  /** The entries with a value, as 16-bit offsets. */
  docs: Uint8Array;
  /** Their sort keys and their buildings, as 64-bit numbers. */
  keys: Uint8Array;
  buildings: Uint8Array;
}

/** Where the buildings of a segment are. */
interface SearchSiteTable {
  segment: number;
  sites: Uint8Array;
}

/** A hash of a name or address of a published building. */
interface LookupKeyTable {
  building: number;
  key: number;
}

interface AreaSummaryTable {
  area: string;
  building_count: number;
  latest_recorded_at: string;
  coverage: string;
}

/** Machi-aza whose summary has to be updated. */
interface StaleAreaTable {
  area: string;
}

/** The published buildings of a mesh cell of the third (tile), second or first order. */
export interface MeshCountTable {
  mesh: string;
  count: number;
  /** Sums of their coordinates, in units of 1e-7 degrees. */
  lat_sum: number;
  lon_sum: number;
}

/** Immutable: the id is the hash of the document. */
interface ReitPublicationTable {
  id: string;
  issuer: string;
  computed_at: string;
  /** The part of the document that decides where it may be served. */
  outline: string;
  /** Canonical JSON. */
  document: Uint8Array;
}

/** Append-only: the history of a publication, in order. */
interface ReitEventTable {
  id: Generated<number>;
  publication: string;
  body: string;
}

/** Append-only: the permissions of each source, in order. */
interface ReitPermissionTable {
  id: Generated<number>;
  body: string;
}

/** The buildings of active publications, derived from the events. */
interface ReitActiveTable {
  building: number;
  publication: string;
}

/** Archived files found damaged and not repaired yet. Specific to this machine, not part of a backup. */
interface DamagedFileTable {
  sha256: string;
  reason: string;
  found_at: string;
}

/** One row while a restore runs, or after it was killed. Not part of a backup. */
interface RestoreRunTable {
  id: 1;
  file: string;
  /** The temporary copy that it reads. */
  copy: string;
  started_at: string;
  /** Set to 1 in the transaction that replaces the registry. */
  finished: number;
}

/** One row: the key with which processes sharing this database hash client addresses. */
interface RateKeyTable {
  id: 1;
  key: Uint8Array;
}

/** Requests of a client to a surface per minute, counted from 1970. */
interface RateWindowTable {
  surface: string;
  client: string;
  minute: number;
  count: number;
}
