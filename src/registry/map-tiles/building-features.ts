import { LRUCache } from 'lru-cache';
import { batches, isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import { type AreaGeometry, boxOf, type Geometry, type Measures } from '../../vocabulary/geometry.ts';
import { meshCellsOf } from '../../vocabulary/mesh.ts';

type Box = Measures['bbox'];

export interface TileFeature {
  id: number;
  geometry: Geometry;
  /** What has no value is left out. */
  properties: Readonly<Record<string, string | number | null>>;
}

/** A building as a map shows it, and of which record. */
interface Footprint extends TileFeature {
  etag: string;
  box: Box;
  /** Bytes it was read from. */
  size: number;
}

/** Of the text; about three times as much in memory. */
const KEPT_BYTES = 16e6;
const MOST_NAME = 100;

/** The published buildings of a place. What was read of one is kept for as long as its record stays the same. */
export class BuildingFeatures {
  readonly #known = new LRUCache<AssetKey, Footprint>({ maxSize: KEPT_BYTES, sizeCalculation: ({ size }) => size });

  /** Those whose box meets another, by ID. */
  async within(reads: Reads, box: Box): Promise<TileFeature[]> {
    const found: Footprint[] = [];
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

/** The published buildings that stand in some mesh cells or, as their records tell, reach into them from others. */
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
  etag: string;
  body: Uint8Array;
}

async function readFootprints(reads: Reads, buildings: readonly AssetKey[]): Promise<Footprint[]> {
  const rows = await reads.all<Row>(
    `select b.id, b.lat, b.lon, b.name_ja, b.name_en, b.category, e.height, e.floors, p.etag, p.body
      from building b join page p on p.building = b.id left join search_entry e on e.building = b.id
      where ${isAmong(reads, 'b.id')}`,
    [listParameter(reads, buildings)],
  );
  return rows.flatMap((row) => {
    const shape = shapeOf(row);
    if (shape === undefined) return [];
    const { id, etag, name_ja, name_en, category, height, floors } = row;
    const properties = { id: formatAssetId(id), name: shorten(name_ja ?? name_en), category, height, floors };
    return { id, etag, properties, ...shape };
  });
}

function shapeOf({ body, lat, lon }: Row): Pick<Footprint, 'geometry' | 'box' | 'size'> | undefined {
  const text = geometryIn(body);
  const geometry = JSON.parse(text) as AreaGeometry | null;
  if (geometry !== null) return { geometry, box: boxOf(geometry), size: text.length };
  if (lat === null || lon === null) return undefined;
  return { geometry: { type: 'Point', coordinates: [lon, lat] }, box: [lon, lat, lon, lat], size: text.length };
}

const GEOMETRY = Buffer.from('"geometry":');
const AFTER_GEOMETRY = Buffer.from(',"footprint":');

/**
 * A tenth of a record, cut out, is read four times as fast as the whole. Only a key can be written like this: a
 * quotation mark inside a text is escaped.
 */
function geometryIn(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes.indexOf(GEOMETRY) + GEOMETRY.length;
  return bytes.toString('latin1', start, bytes.indexOf(AFTER_GEOMETRY, start));
}

function shorten(name: string | null): string | null {
  return name === null || name.length <= MOST_NAME ? name : [...name].slice(0, MOST_NAME).join('');
}

function meets(a: Box, b: Box): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}
