import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { FIELDS, type FieldDefinition, isField } from '../../../vocabulary/fields.ts';
import { FLAT_COLUMNS, geometryOf } from '../../../vocabulary/flat-record.ts';

/** The ID is that of the feature: GDAL makes a column of it. */
const COLUMNS = FLAT_COLUMNS.filter(({ name }) => name !== 'id');

/** OGC-09: one building. Every property is there, null without a value: clients take their columns from the first page. */
export function toOgcFeature(building: BuildingPage): Feature {
  const properties: Record<string, unknown> = {};
  for (const { name, read } of COLUMNS) properties[name] = read(building);
  properties.sources = building.sources.map(({ source, sourceRecordId }) => `${source}:${sourceRecordId}`);
  return { type: 'Feature', id: building.id, geometry: geometryOf(building), properties };
}

interface Feature {
  type: 'Feature';
  id: string;
  geometry: object | null;
  properties: Readonly<Record<string, unknown>>;
}

type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: 'string' };
const NUMBER: Schema = { type: 'number' };
const INTEGER: Schema = { type: 'integer' };
const INSTANT: Schema = { type: 'string', format: 'date-time' };
const LIST: Schema = { type: 'array', items: TEXT };

const OTHER_COLUMNS: Readonly<Record<string, Schema>> = {
  ...{ lat: NUMBER, lon: NUMBER, version: INTEGER, conflictsFlagged: INTEGER, recordedAt: INSTANT },
  ...{ aliases: LIST, attribution: LIST },
};

/** Clients read an integer into 32 bits, which prices exceed. */
const MAX_INTEGER = 2 ** 31 - 1;

function schemaOf(column: string): Schema {
  const field = column.replace(/_conflict_value$/, '');
  if (column.endsWith('_confidence')) return NUMBER;
  if (column.endsWith('_retrieved_at')) return INSTANT;
  if (!isField(field)) return OTHER_COLUMNS[column] ?? TEXT;
  const { type, repeated } = FIELDS[field] as FieldDefinition;
  if (repeated) return LIST;
  if (type.kind === 'integer') return type.max > MAX_INTEGER ? NUMBER : INTEGER;
  if (type.kind === 'number') return NUMBER;
  return type.kind === 'date' ? { type: 'string', format: 'date' } : TEXT;
}

/** OGC-09: the type of each property, and its unit. In the form of OpenAPI 3.0, which GDAL reads too. */
export const PROPERTY_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(
    COLUMNS.map(({ name, unit }) => [
      name,
      { ...schemaOf(name), nullable: true, ...(unit !== null && { 'x-ogc-unit': unit }) },
    ]),
  ),
  sources: LIST,
};
