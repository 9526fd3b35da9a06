import { toCreditLine } from './attribution.ts';
import type { BuildingPage } from './building-page.ts';
import { FIELDS, type FieldDefinition, SCALAR_FIELDS, type ScalarField } from './fields.ts';
import { csvCell } from './text.ts';

export type FlatValue = string | number | null | readonly string[];

/** One column of a table of buildings. */
interface FlatColumn {
  name: string;
  /** Of its values, as in the API. */
  unit: string | null;
  /** Null if there is no value. */
  read(building: BuildingPage): FlatValue;
}

/** Their values come before all other fields. */
const FIRST_FIELDS = ['nameJa', 'nameEn', 'addressJa'] as const satisfies ScalarField[];

const plain = (name: string, read: FlatColumn['read']): FlatColumn => ({ name, unit: null, read });
const unitOf = (field: ScalarField) => (FIELDS[field] as FieldDefinition).unit;
const valueColumn = (field: ScalarField): FlatColumn => ({
  name: field,
  unit: unitOf(field),
  read: ({ fields }) => fields[field]?.value ?? null,
});

const IDENTITY: readonly FlatColumn[] = [
  plain('id', ({ id }) => id),
  ...FIRST_FIELDS.map(valueColumn),
  plain('aliases', ({ aliases }) => (aliases.length === 0 ? null : aliases.map(({ value }) => value))),
  plain('prefecture', ({ location }) => location.prefecture.nameJa),
  plain('ward', ({ location }) => location.ward.nameJa),
  plain('machiAza', ({ location }) => location.machiAza.nameJa),
  plain('areaCode', ({ location }) => location.machiAza.code),
  plain('categories', ({ assetTypes }) => assetTypes.map(({ category }) => category).join(';')),
  plain('lat', ({ location }) => location.lat),
  plain('lon', ({ location }) => location.lon),
  plain('path', ({ path }) => path),
  plain('version', ({ history }) => history[0]?.version ?? null),
  plain('recordedAt', ({ history }) => history[0]?.recordedAt ?? null),
  plain('conflictsFlagged', ({ counters }) => counters.conflictsFlagged),
  plain('estimatedFields', ({ fields }) => {
    const estimated = SCALAR_FIELDS.filter((field) => fields[field]?.estimated === true);
    return estimated.length === 0 ? null : estimated.join(';');
  }),
];

/** The value of a field with its evidence. */
function columnsOf(field: ScalarField): FlatColumn[] {
  const of = (suffix: string, read: (value: NonNullable<BuildingPage['fields'][ScalarField]>) => FlatValue) => {
    return plain(`${field}_${suffix}`, ({ fields }) => (fields[field] === undefined ? null : read(fields[field])));
  };
  return [
    ...((FIRST_FIELDS as readonly ScalarField[]).includes(field) ? [] : [valueColumn(field)]),
    of('source', ({ provenance }) => provenance.source),
    of('confidence', ({ provenance }) => provenance.confidence),
    of('retrieved_at', ({ provenance }) => provenance.retrievedAt),
    { ...of('conflict_value', ({ conflict }) => conflict?.value ?? null), unit: unitOf(field) },
    of('conflict_source', ({ conflict }) => conflict?.source ?? null),
  ];
}

/** ATT-05: what must be stated with the values of a building, for each of its sources. */
const ATTRIBUTION = plain('attribution', ({ attribution }) =>
  attribution.length === 0 ? null : attribution.map(toCreditLine),
);

/**
 * UI-61: a building as one row. Every field is followed by its source and its best conflicting value. New columns are
 * only appended.
 */
export const FLAT_COLUMNS: readonly FlatColumn[] = [...IDENTITY, ...SCALAR_FIELDS.flatMap(columnsOf), ATTRIBUTION];

const LINE = '\r\n';

/** Spreadsheets recognise UTF-8 by the byte order mark. Units are in the header: `heightM (m)`. */
export const CSV_HEADER = `\ufeff${FLAT_COLUMNS.map(({ name, unit }) => csvCell(unit === null ? name : `${name} (${unit})`)).join(',')}${LINE}`;

export function toCsvRow(building: BuildingPage): string {
  return `${FLAT_COLUMNS.map(({ read }) => csvCell(toCellText(read(building)))).join(',')}${LINE}`;
}

function toCellText(value: FlatValue): string {
  if (value === null) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** A feature of RFC 7946. Properties without a value are left out. */
export function toFeature(building: BuildingPage): object {
  const properties: Record<string, FlatValue> = {};
  for (const { name, read } of FLAT_COLUMNS) {
    const value = read(building);
    if (value !== null) properties[name] = value;
  }
  return { type: 'Feature', id: building.id, geometry: geometryOf(building), properties };
}

/** The footprint, or the point without one; null for a building without coordinates. */
export function geometryOf({ geometry, location: { lat, lon } }: BuildingPage): object | null {
  return geometry ?? (lat === null || lon === null ? null : { type: 'Point', coordinates: [lon, lat] });
}
