import { BrokenFile, ForeignFile } from '../../files/broken-file.ts';
import { decodeText } from '../../files/decode-text.ts';
import { isObject, JsonElementSplitter, own, parseJson } from '../../files/read-json.ts';
import type { SourceFile } from '../../files/source-file.ts';
import { type AreaGeometry, polygonsOf, type Ring } from '../../vocabulary/geometry.ts';
import type { Item } from '../adapter.ts';
import { isMunicipalityTable, municipalityAttributes, reportUnassigned } from './attributes.ts';
import { type AreaShape, boundaryItems } from './boundary-items.ts';

/** About 200 MB of memory; a prefecture needs at most a third of it. */
const MAX_POSITIONS = 3_000_000;
/** JGD2000, JGD2011 and WGS84, in longitude and latitude. */
const KNOWN_CRS: ReadonlySet<string> = new Set(['4612', '6668', '4326', '6697', '4019']);

/** Reads the boundaries of municipalities (N03) from GeoJSON: one feature per island, in any order. */
export async function* readGeoJson(file: SourceFile): AsyncGenerator<Item[]> {
  const found = new Map<string, AreaShape>();
  let index = 0;
  let positions = 0;
  const unassigned: number[] = [];
  let last = '';
  const splitter = new JsonElementSplitter('features', (json) => {
    const feature = parseJson(json);
    const properties = own(feature, 'properties');
    if (!isObject(properties) || !isMunicipalityTable(Object.keys(properties))) {
      throw new ForeignFile('a feature without N03_007: not a file of municipality boundaries (N03)');
    }
    const municipality = municipalityAttributes((column) => String(properties[column] ?? ''));
    if (municipality === undefined) unassigned.push(index + 1);
    else {
      const { key } = municipality;
      const drawn = found.get(key) ?? { ...municipality, id: key, first: index, polygons: [] };
      found.set(key, drawn);
      last = key;
      const polygons = polygonsIn(own(feature, 'geometry'));
      drawn.polygons.push(...polygons);
      positions += polygons.flat().reduce((sum, { length }) => sum + length, 0);
      if (positions > MAX_POSITIONS) {
        throw new BrokenFile(`more than ${MAX_POSITIONS} positions; use one file per prefecture`);
      }
    }
    index += 1;
  });
  let isChecked = false;
  let fault: BrokenFile | undefined;
  try {
    for await (const text of decodeText(file.bytes(), 'utf-8')) {
      if (!isChecked) checkCrs(text);
      isChecked = true;
      splitter.write(text);
    }
    splitter.end();
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    fault = error;
  }
  for (const drawn of found.values()) {
    // Islands of the municipality before a cut may be missing.
    if (fault === undefined || drawn.id !== last) yield boundaryItems(file.name, drawn);
  }
  if (fault !== undefined) throw fault;
  yield reportUnassigned(file.name, unassigned, index);
}

function checkCrs(head: string): void {
  // It is written before the first list.
  const [beginning = ''] = head.split('[', 1);
  const at = beginning.search(/"crs"\s*:\s*\{/);
  const crs = at < 0 ? undefined : /EPSG:+(\d+)/.exec(beginning.slice(at))?.[1];
  if (crs === undefined || KNOWN_CRS.has(crs)) return;
  throw new BrokenFile(`coordinates in EPSG:${crs}; expected longitude and latitude in JGD2000, JGD2011 or WGS84`);
}

/** Invalid polygons are kept; they are rejected later. */
function polygonsIn(geometry: unknown): Ring[][] {
  const coordinates = own(geometry, 'coordinates');
  const type = own(geometry, 'type');
  if (!Array.isArray(coordinates) || (type !== 'Polygon' && type !== 'MultiPolygon')) return [];
  return polygonsOf({ type, coordinates } as AreaGeometry).map((rings) => (Array.isArray(rings) ? rings : []));
}
