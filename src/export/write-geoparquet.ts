import { geojsonToWkb, type SchemaElement } from 'hyparquet-writer';
import { boxOf, EXPORT_COLUMNS, type ExportColumn, shapeOf } from './columns.ts';
import type { BuildingWriter } from './format.ts';
import type { OutputFile } from './output-file.ts';
import { ParquetFile, textColumn } from './parquet-file.ts';

/** Small enough that a search in a box reads little, and large enough to be compressed well. */
const ROWS_PER_GROUP = 20_000;
const BOX = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

const SCHEMA: readonly SchemaElement[] = [
  ...EXPORT_COLUMNS.map(toElement),
  { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
  { name: 'bbox', repetition_type: 'OPTIONAL', num_children: BOX.length },
  ...BOX.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' })),
];

function toElement({ name, type }: ExportColumn): SchemaElement {
  if (type === 'text') return textColumn(name);
  const PHYSICAL = { integer: 'INT32', large: 'INT64', number: 'DOUBLE' } as const;
  return { name, type: PHYSICAL[type], repetition_type: 'OPTIONAL' };
}

/** EXP-05: GeoParquet 1.1, with a covering column of boxes. */
export function writeGeoParquet(file: OutputFile): BuildingWriter {
  const names = [...EXPORT_COLUMNS.map(({ name }) => name), 'geometry', 'bbox'];
  const parquet = new ParquetFile(file, SCHEMA, names, ROWS_PER_GROUP);
  const types = new Set<string>();
  let extent: number[] | undefined;
  return {
    add({ building }) {
      const [shape, box] = [shapeOf(building), boxOf(building)];
      if (shape !== null) types.add(shape.type);
      if (box !== null) extent = extent === undefined ? [...box] : widen(extent, box);
      parquet.add([
        ...EXPORT_COLUMNS.map(({ type, read }) => {
          const value = read(building);
          return type === 'large' && value !== null ? BigInt(value) : value;
        }),
        shape === null ? null : geojsonToWkb(shape),
        box === null ? null : Object.fromEntries(BOX.map((name, i) => [name, box[i]])),
      ]);
    },
    end() {
      parquet.end([{ key: 'geo', value: JSON.stringify(describeGeometry([...types].sort(), extent)) }]);
    },
  };
}

function widen([west = 0, south = 0, east = 0, north = 0]: readonly number[], box: readonly number[]): number[] {
  const [w = west, s = south, e = east, n = north] = box;
  return [Math.min(west, w), Math.min(south, s), Math.max(east, e), Math.max(north, n)];
}

/** Without `crs`, coordinates are longitude and latitude (OGC:CRS84). */
function describeGeometry(geometryTypes: string[], extent: number[] | undefined): object {
  return {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: geometryTypes,
        ...(extent !== undefined && { bbox: extent }),
        covering: { bbox: Object.fromEntries(BOX.map((name) => [name, ['bbox', name]])) },
      },
    },
  };
}
