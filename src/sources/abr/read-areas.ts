import { faultInText } from '../../vocabulary/fields.ts';
import type { Item } from '../adapter.ts';
import type { AreaDraft } from '../draft.ts';
import { isMunicipalityCode, machiAzaDraft, prefectureDraft, wardCodeOf, wardDraft } from './area-drafts.ts';
import type { AreaPoints } from './area-points.ts';
import { type AbrCells, type AbrRow, type AbrTable, readTables, type TableRow } from './tables.ts';

/** What the area tables of a reading leave behind for its residences and parcels. */
export interface KnownAreas {
  points: AreaPoints;
  /** The codes of the prefectures and wards given, which machi-aza need not give again. */
  given: Set<string>;
  /** The county (郡) by the code of the ward, which the residence tables do not carry. */
  counties: Map<string, string>;
  /** By the code of the machi-aza. */
  postcodes: Map<string, string>;
}

const MAX_NAME = 200;
/** The rows of a ward that are put in order together; the largest has some thousands. */
const MAX_WARD = 50_000;

/** A row of an area of any level. */
type AreaRow = TableRow<{ readonly lg_code: string; readonly machiaza_id?: string }>;

const faultInMunicipality = ({ cells }: AreaRow): string | undefined =>
  isMunicipalityCode(cells.lg_code) ? undefined : 'lg_code must be the six digits of a municipality of Japan';

const faultInMachiAza = ({ cells }: AbrRow<'machiAza'>): string | undefined =>
  /^\d{7}$/.test(cells.machiaza_id) ? undefined : 'machiaza_id must be seven digits';

export async function* readPrefectures(tables: readonly AbrTable[], known: KnownAreas): AsyncGenerator<Item[]> {
  for await (const entries of readTables(tables, 'prefecture')) {
    const [rows, items] = sift(entries, faultInMunicipality);
    for (const row of inOrder(rows)) items.push(...giveOnce(prefectureDraft(row.cells, known.points.get), row, known));
    yield items;
  }
}

/** The municipalities, held together: a designated city goes, since its wards stand for it. */
export async function* readWards(tables: readonly AbrTable[], known: KnownAreas): AsyncGenerator<Item[]> {
  const byCode = new Map<string, AbrRow<'ward'>>();
  for await (const entries of readTables(tables, 'ward')) {
    const [some, items] = sift(entries, faultInMunicipality);
    for (const row of some) byCode.set(row.cells.lg_code, row);
    yield items;
  }
  const rows = [...byCode.values()];
  const cityOf = ({ lg_code, city }: AbrCells<'ward'>) => `${lg_code.slice(0, 2)}${city}`;
  const divided = new Set(rows.filter(({ cells }) => cells.ward !== '').map(({ cells }) => cityOf(cells)));
  yield inOrder(rows)
    .filter(({ cells }) => cells.ward !== '' || !divided.has(cityOf(cells)))
    .flatMap((row) => giveWard(row, known));
}

/** The machi-aza, one municipality after the other as the tables have them, each in the order of codes. */
export async function* readMachiAza(
  tables: readonly AbrTable[],
  known: KnownAreas,
  keepPostcodes: boolean,
): AsyncGenerator<Item[]> {
  let ward: AbrRow<'machiAza'>[] = [];
  for await (const entries of readTables(tables, 'machiAza')) {
    const [rows, items] = sift(entries, (row) => faultInMunicipality(row) ?? faultInMachiAza(row));
    for (const row of rows) {
      if (keepPostcodes) keepPostcode(row.cells, known.postcodes);
      // A street of Kyoto is a way to write an address in a machi-aza that has its own row.
      if (row.cells.koaza_aka_code === '2') continue;
      const [first] = ward;
      const isNext = first?.cells.lg_code !== row.cells.lg_code || first.file !== row.file || ward.length >= MAX_WARD;
      if (isNext) {
        items.push(...giveMachiAza(ward, known));
        ward = [];
      }
      ward.push(row);
    }
    yield items;
  }
  yield giveMachiAza(ward, known);
}

function giveMachiAza(rows: readonly AbrRow<'machiAza'>[], known: KnownAreas): Item[] {
  const [first] = rows;
  if (first === undefined) return [];
  const chosen = new Map<string, AbrRow<'machiAza'>>();
  for (const row of inOrder(rows)) {
    const isChosen = !chosen.has(row.cells.machiaza_id) || row.cells.rsdt_addr_flg === '1';
    if (isChosen) chosen.set(row.cells.machiaza_id, row);
  }
  return [
    ...giveWard(first, known),
    ...[...chosen.values()].map((row) => itemOf(machiAzaDraft(row.cells, known.points.get), row)),
  ];
}

/** A ward, and before it its prefecture where no table has given that. */
function giveWard(row: AbrRow<'ward'> | AbrRow<'machiAza'>, known: KnownAreas): Item[] {
  if (row.cells.county !== '') known.counties.set(wardCodeOf(row.cells.lg_code), row.cells.county);
  return [
    ...giveOnce(prefectureDraft(row.cells, known.points.get), row, known),
    ...giveOnce(wardDraft(row.cells, known.points.get), row, known),
  ];
}

function giveOnce(area: AreaDraft, row: { file: string; line: number }, { given }: KnownAreas): Item[] {
  if (given.has(area.code)) return [];
  given.add(area.code);
  return [itemOf(area, row)];
}

function itemOf(area: AreaDraft, { file, line }: { file: string; line: number }): Item {
  const at = { file, line };
  const fault =
    faultInText(area.nameJa, MAX_NAME) ?? (area.nameEn === null ? undefined : faultInText(area.nameEn, MAX_NAME));
  if (fault !== undefined) return { kind: 'rejected', at, record: area.code, reason: `its name ${fault}` };
  return { kind: 'area', at, area };
}

function keepPostcode({ lg_code, machiaza_id, post_code }: AbrCells<'machiAza'>, postcodes: Map<string, string>): void {
  if (/^\d{7}$/.test(post_code)) {
    postcodes.set(wardCodeOf(lg_code) + machiaza_id, `${post_code.slice(0, 3)}-${post_code.slice(3)}`);
  }
}

/** Rows that can be used, and what is said of the others. */
function sift<R extends AreaRow>(
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

function inOrder<R extends AreaRow>(rows: readonly R[]): R[] {
  const keyOf = ({ cells }: R) => cells.lg_code + (cells.machiaza_id ?? '');
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}
