/** node bench/geojson-vt.ts <records> <tiles>: indexes the footprints of a city with geojson-vt, makes tiles; prints a GeojsonVtRun. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { BUFFER, EXTENT, type MapTile } from '../src/vocabulary/map-tile.ts';

export interface GeojsonVtRun {
  buildSeconds: number;
  memoryBytes: number;
  cold: number[];
  again: number[];
}

interface RecordLine {
  building?: string;
  geometry?: GeoJSON.Polygon;
  observations?: readonly { field: string; value: string | number }[];
}

const [file = '', list = '[]'] = process.argv.slice(2);
const features: GeoJSON.Feature[] = [];
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { building, geometry, observations = [] } = JSON.parse(line) as RecordLine;
  if (building === undefined || geometry === undefined) continue;
  const observed = (name: string) => observations.find(({ field }) => field === name)?.value ?? null;
  const properties = {
    id: building,
    name: observed('nameJa'),
    category: observed('assetTypes'),
    floors: observed('floorsAbove'),
  };
  features.push({ type: 'Feature', id: features.length + 1, geometry, properties });
}
const started = performance.now();
const options = { extent: EXTENT, buffer: BUFFER, maxZoom: 16, tolerance: 0, indexMaxZoom: 5 };
const index = new GeoJSONVT({ type: 'FeatureCollection', features }, options);
const buildSeconds = (performance.now() - started) / 1000;
const make = ({ z, x, y }: MapTile) => {
  const since = performance.now();
  const tile = index.getTile(z, x, y);
  if (tile !== null) fromGeojsonVt({ buildings: tile }, { version: 2, extent: EXTENT });
  return performance.now() - since;
};
const tiles = JSON.parse(list) as MapTile[];
const run: GeojsonVtRun = {
  ...{ buildSeconds, cold: tiles.map(make), again: tiles.map(make) },
  memoryBytes: process.memoryUsage().rss,
};
console.log(JSON.stringify(run));
