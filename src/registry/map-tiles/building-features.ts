import { LRUCache } from 'lru-cache';
import { batches, isAmong, listParameter, type Reads } from '../../storage/storage.ts';
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
    const found: BuildingFeature[] = [];
    const missing: AssetKey[] = [];
    for (const { building, etag } of await findTouching(reads, meshCellsOf(box, 8))) {
      const known = this.#known.get(building);
      if (known?.etag === etag) found.push(known);
      else missing.push(building);
    }
    for (const batch of batches(missing)) {
      for (const footprint of await readFootprints(reads, batch)) {
        this.#known.set(footprint.id, footprint);
        found.push(footprint);
      }
    }
    return found.filter((footprint) => meets(footprint.box, box)).sort((a, b) => a.id - b.id);
  }
}

/** The published buildings located in some mesh cells, or that reach into them. */
async function findTouching(reads: Reads, cells: readonly string[]): Promise<{ building: AssetKey; etag: string }[]> {
  if (cells.length === 0) return [];
  return reads.all(
    `with recursive touching (id) as (
        select r.building from spot s join source_record r on r.id = s.record
        where ${isAmong(reads, 's.tile')} and r.building is not null
        union
        select b.successor from building b join touching t on t.id = b.id
        where b.state = 'merged' and b.successor is not null
      )
      select building, etag from page where building in (
        select id from building where ${isAmong(reads, 'mesh')} union select id from touching
      )`,
    [listParameter(reads, cells.map(Number)), listParameter(reads, cells)],
  );
}

interface Row {
  id: AssetKey;
  lat: number | null;
  lon: number | null;
  name_ja: string | null;
  name_en: string | null;
  category: string | null;
  height: number | null;
  floors: number | null;
  built: number | null;
  etag: string;
  site: Uint8Array | null;
}

async function readFootprints(reads: Reads, buildings: readonly AssetKey[]): Promise<BuildingFeature[]> {
  const rows = await reads.all<Row>(
    `select b.id, b.lat, b.lon, b.name_ja, b.name_en, b.category, e.height, e.floors, e.built, p.etag, e.site
      from building b join page p on p.building = b.id left join search_entry e on e.building = b.id
      where ${isAmong(reads, 'b.id')}`,
    [listParameter(reads, buildings)],
  );
  return rows.flatMap((row) => {
    const shape = shapeOf(row);
    if (shape === undefined) return [];
    const { id, etag, name_ja, name_en, category, height, floors, built } = row;
    const names = { name: shortenName(name_ja ?? name_en), nameEn: name_ja === null ? null : shortenName(name_en) };
    const properties = { id: formatAssetId(id), ...names, category, height, floors, built };
    return { id, etag, properties, ...shape };
  });
}

function shapeOf({ site, lat, lon }: Row): Pick<BuildingFeature, 'geometry' | 'box' | 'size'> | undefined {
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
