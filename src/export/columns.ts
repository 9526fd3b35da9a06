import type { BuildingPage } from '../vocabulary/building-page.ts';
import { FIELDS, type FieldDefinition, isField } from '../vocabulary/fields.ts';
import { FLAT_COLUMNS, type FlatValue } from '../vocabulary/flat-record.ts';
import type { Geometry } from '../vocabulary/geometry.ts';

type CellType = 'text' | 'integer' | 'large' | 'number';

/** EXP-04: a column of the tables. */
export interface ExportColumn {
  name: string;
  type: CellType;
  /** Null without a value. Lists are JSON. */
  read(building: BuildingPage): string | number | null;
}

const NUMBERS: Readonly<Record<string, CellType>> = {
  lat: 'number',
  lon: 'number',
  version: 'integer',
  conflictsFlagged: 'integer',
};
const MAX_INT32 = 2 ** 31 - 1;

/** What the lists of the pages have, and the evidence of the fields with several values. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  ...FLAT_COLUMNS.map(
    ({ name, read }): ExportColumn => ({ name, type: typeOf(name), read: (building) => toCell(read(building)) }),
  ),
  ...evidenceOf('aliases', ({ aliases }) => aliases),
  listOf('assetTypes', ({ assetTypes }) => assetTypes.map(({ value }) => value)),
  ...evidenceOf('assetTypes', ({ assetTypes }) => assetTypes),
];

function typeOf(name: string): CellType {
  if (name.endsWith('_confidence')) return 'number';
  const field = name.replace(/_conflict_value$/, '');
  if (!isField(field)) return NUMBERS[name] ?? 'text';
  const { type } = FIELDS[field] as FieldDefinition;
  if (type.kind === 'integer') return type.max > MAX_INT32 ? 'large' : 'integer';
  return type.kind === 'number' ? 'number' : 'text';
}

type Entries = BuildingPage['aliases'] | BuildingPage['assetTypes'];

function listOf(name: string, read: (building: BuildingPage) => (string | number)[]): ExportColumn {
  return {
    name,
    type: 'text',
    read: (building) => {
      const list = read(building);
      return list.length === 0 ? null : JSON.stringify(list);
    },
  };
}

/** In the order of the values. */
function evidenceOf(field: string, read: (building: BuildingPage) => Entries): ExportColumn[] {
  return [
    listOf(`${field}_source`, (building) => read(building).map(({ provenance }) => provenance.source)),
    listOf(`${field}_confidence`, (building) => read(building).map(({ provenance }) => provenance.confidence)),
    listOf(`${field}_retrieved_at`, (building) => read(building).map(({ provenance }) => provenance.retrievedAt)),
  ].map((column) => ({ ...column, type: 'text' }));
}

function toCell(value: FlatValue): string | number | null {
  return value === null || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

/** The outline of a building, or its point if it has none. */
export function shapeOf({ geometry, location: { lat, lon } }: BuildingPage): Geometry | null {
  if (geometry !== null) return geometry as Geometry;
  return lat === null || lon === null ? null : { type: 'Point', coordinates: [lon, lat] };
}

/** West, south, east, north. */
export function boxOf({ footprint, location: { lat, lon } }: BuildingPage): readonly number[] | null {
  if (footprint !== null) return footprint.bbox;
  return lat === null || lon === null ? null : [lon, lat, lon, lat];
}
