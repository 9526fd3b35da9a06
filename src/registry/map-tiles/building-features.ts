import { LRUCache } from 'lru-cache';
import { isAmong, listAsRows, listParameter, type Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import { boxOf, type Geometry, type Measures } from '../../vocabulary/geometry.ts';
import { meshCellsOf } from '../../vocabulary/mesh.ts';
import { decodeSite, footprintOfSite } from '../search/format/site.ts';
import type { TileShape } from './build-tile.ts';

type Box = Measures['bbox'];

export interface TileFeature extends TileShape {
  geometry: Geometry;
}

/** A building on the map, and the tag of its record. */
interface BuildingFeature extends TileFeature {
  etag: string;
  box: Box;
  /** Its bytes in memory, roughly. */
  size: number;
}

const KEPT_BYTES = 48e6;
const MAX_NAME_LENGTH = 100;

/** The published buildings of an area of the map, cached until their record changes. */
export class BuildingFeatures {
  readonly #known = new LRUCache<AssetKey, BuildingFeature>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ size }) => size,
  });

  /** The buildings whose box intersects another, by ID. */
  async within(reads: Reads, box: Box): Promise<TileFeature[]> {
    const cells = meshCellsOf(box, 8);
    if (cells.length === 0) return [];
    const rows = await findBuildings(reads, cells);
    const ids = [...rows.keys()];
    const [tags, fresh] = await Promise.all([
      readTags(
        reads,
        ids.filter((id) => this.#known.has(id)),
      ),
      readEntries(
        reads,
        ids.filter((id) => !this.#known.has(id)),
      ),
    ]);
    const found: BuildingFeature[] = [];
    const changed: AssetKey[] = [];
    for (const { id, etag } of tags) {
      const known = this.#known.get(id);
      if (known?.etag === etag) found.push(known);
      else changed.push(id);
    }
    for (const entry of [...fresh, ...(await readEntries(reads, changed))]) {
      const feature = toFeature(rows.get(entry.id) as BuildingRow, entry);
      if (feature === undefined) continue;
      this.#known.set(feature.id, feature);
      found.push(feature);
    }
    return found.filter((footprint) => meets(footprint.box, box)).sort((a, b) => a.id - b.id);
  }
}

interface BuildingRow {
  id: AssetKey;
  state: string;
  successor: AssetKey | null;
  lat: number | null;
  lon: number | null;
  name_ja: string | null;
  name_en: string | null;
  category: string | null;
}

const COLUMNS = 'b.id, b.state, b.successor, b.lat, b.lon, b.name_ja, b.name_en, b.category';

/** The buildings located in some mesh cells, or that reach into them, whether or not they are published. */
async function findBuildings(reads: Reads, cells: readonly string[]): Promise<Map<AssetKey, BuildingRow>> {
  const [located, reaching] = await Promise.all([
    reads.all<BuildingRow>(`select ${COLUMNS} from building b where ${isAmong(reads, 'b.mesh')}`, [
      listParameter(reads, cells),
    ]),
    reads.all<{ id: AssetKey }>(
      `select r.building as id from spot s join source_record r on r.id = s.record
        where ${isAmong(reads, 's.tile')} and r.building is not null`,
      [listParameter(reads, cells.map(Number))],
    ),
  ]);
  const rows = new Map(located.map((row) => [row.id, row]));
  // What reaches into a cell may have been merged into a building elsewhere.
  for (let ids = new Set(reaching.map(({ id }) => id)); ids.size > 0; ) {
    const unknown = [...ids].filter((id) => !rows.has(id));
    for (const row of await readBuildings(reads, unknown)) rows.set(row.id, row);
    const merged = [...ids].map((id) => rows.get(id)).filter((row) => row?.state === 'merged');
    ids = new Set(merged.flatMap((row) => row?.successor ?? []));
  }
  return rows;
}

function readBuildings(reads: Reads, ids: readonly AssetKey[]): BuildingRow[] | Promise<BuildingRow[]> {
  if (ids.length === 0) return [];
  return reads.all(`select ${COLUMNS} from ${listAsRows(reads, 'k')} join building b on b.id = k.value`, [
    listParameter(reads, ids),
  ]);
}

/** The tags of the records of those that are published. */
function readTags(
  reads: Reads,
  ids: readonly AssetKey[],
): { id: AssetKey; etag: string }[] | Promise<{ id: AssetKey; etag: string }[]> {
  if (ids.length === 0) return [];
  return reads.all(`select k.value as id, p.etag from ${listAsRows(reads, 'k')} join page p on p.building = k.value`, [
    listParameter(reads, ids),
  ]);
}

interface EntryRow {
  id: AssetKey;
  etag: string;
  height: number | null;
  floors: number | null;
  built: number | null;
  site: Uint8Array | null;
}

/** The same with what the search index has of them. */
function readEntries(reads: Reads, ids: readonly AssetKey[]): EntryRow[] | Promise<EntryRow[]> {
  if (ids.length === 0) return [];
  return reads.all(
    `select k.value as id, p.etag, e.height, e.floors, e.built, e.site from ${listAsRows(reads, 'k')}
      join page p on p.building = k.value left join search_entry e on e.building = k.value`,
    [listParameter(reads, ids)],
  );
}

function toFeature(
  building: BuildingRow,
  { etag, height, floors, built, site }: EntryRow,
): BuildingFeature | undefined {
  const shape = shapeOf(building, site);
  if (shape === undefined) return undefined;
  const { id, name_ja, name_en, category } = building;
  const names = { name: shortenName(name_ja ?? name_en), nameEn: name_ja === null ? null : shortenName(name_en) };
  const properties = { id: formatAssetId(id), ...names, category, height, floors, built };
  return { id, etag, properties, ...shape };
}

function shapeOf(
  { lat, lon }: BuildingRow,
  site: Uint8Array | null,
): Pick<BuildingFeature, 'geometry' | 'box' | 'size'> | undefined {
  const geometry = site === null ? null : footprintOfSite(decodeSite(site));
  if (geometry !== null) return { geometry, box: boxOf(geometry), size: BYTES_PER_STEP * (site as Uint8Array).length };
  if (lat === null || lon === null) return undefined;
  return { geometry: { type: 'Point', coordinates: [lon, lat] }, box: [lon, lat, lon, lat], size: BYTES_PER_STEP };
}

/** In memory, a position takes about twenty times the bytes of the step to it. */
const BYTES_PER_STEP = 20;

export function shortenName(name: string | null): string | null {
  return name === null || name.length <= MAX_NAME_LENGTH ? name : [...name].slice(0, MAX_NAME_LENGTH).join('');
}

function meets(a: Box, b: Box): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
