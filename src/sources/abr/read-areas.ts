import { faultInText } from '../../vocabulary/fields.ts';
import type { Item } from '../adapter.ts';
import type { AreaDraft } from '../draft.ts';
import { isMunicipalityCode, machiAzaDraft, prefectureDraft, wardCodeOf, wardDraft } from './area-drafts.ts';
import type { AreaPoints } from './area-points.ts';
import { type AbrCells, type AbrRow, type AbrTable, readTables, type TableRow } from './tables.ts';

/** What residences and parcels need from the area tables. */
export interface KnownAreas {
  points: AreaPoints;
  /** The codes of the prefectures and wards yielded so far. */
  yielded: Set<string>;
  /** The county (郡) by ward code; the residence tables lack it. */
  counties: Map<string, string>;
  /** By machi-aza code. */
  postcodes: Map<string, string>;
}

const MAX_NAME = 200;
/** Rows of a ward that are sorted together; the largest ward has some thousands. */
const MAX_WARD = 50_000;

/** A row of an area of any level. */
type AreaRow = TableRow<{ readonly lg_code: string; readonly machiaza_id?: string }>;

const faultInMunicipality = ({ cells }: AreaRow): string | undefined =>
  isMunicipalityCode(cells.lg_code) ? undefined : 'lg_code must be the six-digit code of a Japanese municipality';

const faultInMachiAza = ({ cells }: AbrRow<'machiAza'>): string | undefined =>
  /^\d{7}$/.test(cells.machiaza_id) ? undefined : 'machiaza_id must be seven digits';

export async function* readPrefectures(tables: readonly AbrTable[], known: KnownAreas): AsyncGenerator<Item[]> {
  for await (const entries of readTables(tables, 'prefecture')) {
    const [rows, items] = separateRows(entries, faultInMunicipality);
    for (const row of sortedByCode(rows))
      items.push(...yieldOnce(prefectureDraft(row.cells, known.points.get), row, known));
    yield items;
  }
}

/** The municipalities. A designated city is left out: its wards take its place. */
export async function* readWards(tables: readonly AbrTable[], known: KnownAreas): AsyncGenerator<Item[]> {
  const byCode = new Map<string, AbrRow<'ward'>>();
  for await (const entries of readTables(tables, 'ward')) {
    const [some, items] = separateRows(entries, faultInMunicipality);
    for (const row of some) byCode.set(row.cells.lg_code, row);
    yield items;
  }
  const rows = [...byCode.values()];
  const cityOf = ({ lg_code, city }: AbrCells<'ward'>) => `${lg_code.slice(0, 2)}${city}`;
  const divided = new Set(rows.filter(({ cells }) => cells.ward !== '').map(({ cells }) => cityOf(cells)));
  yield sortedByCode(rows)
    .filter(({ cells }) => cells.ward !== '' || !divided.has(cityOf(cells)))
    .flatMap((row) => wardItems(row, known));
}

/** The machi-aza, municipality by municipality in the order of the tables, each sorted by code. */
export async function* readMachiAza(
  tables: readonly AbrTable[],
  known: KnownAreas,
  keepPostcodes: boolean,
): AsyncGenerator<Item[]> {
  let ward: AbrRow<'machiAza'>[] = [];
  for await (const entries of readTables(tables, 'machiAza')) {
    const [rows, items] = separateRows(entries, (row) => faultInMunicipality(row) ?? faultInMachiAza(row));
    for (const row of rows) {
      if (keepPostcodes) keepPostcode(row.cells, known.postcodes);
      // A street name of Kyoto (通り名) is another spelling of a machi-aza that has its own row.
      if (row.cells.koaza_aka_code === '2') continue;
      const [first] = ward;
      const isNext = first?.cells.lg_code !== row.cells.lg_code || first.file !== row.file || ward.length >= MAX_WARD;
      if (isNext) {
        items.push(...machiAzaItems(ward, known));
        ward = [];
      }
      ward.push(row);
    }
    yield items;
  }
  yield machiAzaItems(ward, known);
}

function machiAzaItems(rows: readonly AbrRow<'machiAza'>[], known: KnownAreas): Item[] {
  const [first] = rows;
  if (first === undefined) return [];
  const chosen = new Map<string, AbrRow<'machiAza'>>();
  for (const row of sortedByCode(rows)) {
    const isChosen = !chosen.has(row.cells.machiaza_id) || row.cells.rsdt_addr_flg === '1';
    if (isChosen) chosen.set(row.cells.machiaza_id, row);
  }
  return [
    ...wardItems(first, known),
    ...[...chosen.values()].map((row) => itemOf(machiAzaDraft(row.cells, known.points.get), row)),
  ];
}

/** A ward, preceded by its prefecture if no table has given that yet. */
function wardItems(row: AbrRow<'ward'> | AbrRow<'machiAza'>, known: KnownAreas): Item[] {
  if (row.cells.county !== '') known.counties.set(wardCodeOf(row.cells.lg_code), row.cells.county);
  return [
    ...yieldOnce(prefectureDraft(row.cells, known.points.get), row, known),
    ...yieldOnce(wardDraft(row.cells, known.points.get), row, known),
  ];
}

function yieldOnce(area: AreaDraft, row: { file: string; line: number }, { yielded }: KnownAreas): Item[] {
  if (yielded.has(area.code)) return [];
  yielded.add(area.code);
  return [itemOf(area, row)];
}

function itemOf(area: AreaDraft, { file, line }: { file: string; line: number }): Item {
  const at = { file, line };
  const fault =
    faultInText(area.nameJa, MAX_NAME) ?? (area.nameEn === null ? undefined : faultInText(area.nameEn, MAX_NAME));
  if (fault !== undefined) return { kind: 'rejected', at, record: area.code, reason: `name ${fault}` };
  return { kind: 'area', at, area };
}

function keepPostcode({ lg_code, machiaza_id, post_code }: AbrCells<'machiAza'>, postcodes: Map<string, string>): void {
  if (/^\d{7}$/.test(post_code)) {
    postcodes.set(wardCodeOf(lg_code) + machiaza_id, `${post_code.slice(0, 3)}-${post_code.slice(3)}`);
  }
}

/** Separates usable rows from rejections and other items. */
function separateRows<R extends AreaRow>(
  entries: readonly (R | Item)[],
  faultIn: (row: R) => string | undefined,
): [rows: R[], items: Item[]] {
  const rows: R[] = [];
  const items: Item[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'row') {
      items.push(entry);
      continue;
    }
    const { file, line } = entry;
    const reason = faultIn(entry);
    if (reason === undefined) rows.push(entry);
    else items.push({ kind: 'rejected', at: { file, line }, record: null, reason });
  }
  return [rows, items];
}

function sortedByCode<R extends AreaRow>(rows: readonly R[]): R[] {
  const keyOf = ({ cells }: R) => cells.lg_code + (cells.machiaza_id ?? '');
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}
