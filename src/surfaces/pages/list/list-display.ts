import { SCALAR_FIELDS, type ScalarField } from '../../../vocabulary/fields.ts';

/** UI-65: the columns of the table view; the name always comes first. */
export const TABLE_COLUMNS = [
  'id',
  'uses',
  ...SCALAR_FIELDS.filter((field) => field !== 'nameJa'),
  'conflicts',
] as const;
export type TableColumn = 'id' | 'uses' | 'conflicts' | Exclude<ScalarField, 'nameJa'>;

export const DEFAULT_COLUMNS: readonly TableColumn[] = [
  ...(['addressJa', 'uses', 'heightM', 'floorsAbove', 'yearBuilt', 'gfaM2', 'ownerPublic', 'conflicts'] as const),
];

/** How a list is shown. */
export interface ListDisplay {
  /** Cards by default. */
  view?: 'table' | undefined;
  /** The default ones if absent. */
  columns?: readonly TableColumn[] | undefined;
}

/** Unknown columns are ignored. */
export function readDisplay(parameters: URLSearchParams): ListDisplay {
  const asked = new Set(parameters.getAll('columns').flatMap((value) => value.split(',').map((name) => name.trim())));
  const columns = TABLE_COLUMNS.filter((name) => asked.has(name));
  return {
    ...(parameters.get('view') === 'table' && { view: 'table' }),
    ...(columns.length > 0 && !isDefault(columns) && { columns }),
  };
}

function isDefault(columns: readonly TableColumn[]): boolean {
  return columns.length === DEFAULT_COLUMNS.length && DEFAULT_COLUMNS.every((name) => columns.includes(name));
}

/** The parameters of a display, in the order of the query string. */
export function displayPairs({ view, columns }: ListDisplay): [name: string, value: string | undefined][] {
  return [
    ['view', view],
    ['columns', columns?.join(',')],
  ];
}
