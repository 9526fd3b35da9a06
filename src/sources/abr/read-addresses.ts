import type { Position } from '../../vocabulary/geometry.ts';
import { prefectureName } from '../../vocabulary/prefectures.ts';
import { printable } from '../../vocabulary/text.ts';
import type { Item } from '../adapter.ts';
import { type Draft, newDraft, observe, setGeometry } from '../draft.ts';
import { isMunicipalityCode, machiAzaCodeOf, parseChome, prefectureCodeOf, wardCodeOf } from './area-drafts.ts';
import { type PointCells, parsePoint } from './area-points.ts';
import type { KnownAreas } from './read-areas.ts';
import { type AbrCells, type AbrRow, type AbrTable, readTables, type TableRow } from './tables.ts';

type ResidenceKey = Pick<AbrCells<'residence'>, 'lg_code' | 'machiaza_id' | 'blk_id' | 'rsdt_id' | 'rsdt2_id'>;
type ParcelKey = Pick<AbrCells<'parcel'>, 'lg_code' | 'machiaza_id' | 'prc_id'>;

const residenceIdOf = ({ lg_code, machiaza_id, blk_id, rsdt_id, rsdt2_id }: ResidenceKey): string =>
  `${lg_code}-${machiaza_id}-${blk_id}-${rsdt_id}${rsdt2_id && `-${rsdt2_id}`}`;

const parcelIdOf = ({ lg_code, machiaza_id, prc_id }: ParcelKey): string => `${lg_code}-${machiaza_id}-${prc_id}`;

/** 1番2号, 1番2-101号, 1番. If roads are numbered instead of blocks (道路方式), only the residence: 10. */
function residenceNumberOf({ blk_num, rsdt_num, rsdt_num2 }: AbrCells<'residence'>): string {
  const residence = [rsdt_num, rsdt_num2].filter(Boolean).join('-');
  if (blk_num === '') return residence;
  return `${blk_num}番${residence && `${residence}号`}`;
}

/** 1番地, 1番地2, 1番地2-3. */
function parcelNumberOf({ prc_num1, prc_num2, prc_num3 }: AbrCells<'parcel'>): string {
  return prc_num1 && `${prc_num1}番地${[prc_num2, prc_num3].filter(Boolean).join('-')}`;
}

/** The residence numbers of the municipalities that have them, each with its point. */
export async function* readResidences(
  tables: readonly AbrTable[],
  known: KnownAreas,
  url: string,
): AsyncGenerator<Item[]> {
  const missing = new MissingPoints('residences');
  const rows = readTables(tables, 'residence');
  const points = readTables(tables, 'residencePoint');
  for await (const some of joinPoints(rows, points, residenceIdOf, missing.count)) {
    yield some.flatMap((entry) =>
      entry.kind === 'joined'
        ? addressItems(
            entry.row,
            residenceIdOf(entry.row.cells),
            residenceNumberOf(entry.row.cells),
            entry.point,
            known,
            url,
          )
        : [entry],
    );
  }
  yield missing.notes();
}

/** The lot numbers, each with its point. */
export async function* readParcels(
  tables: readonly AbrTable[],
  known: KnownAreas,
  url: string,
): AsyncGenerator<Item[]> {
  const missing = new MissingPoints('parcels');
  const rows = readTables(tables, 'parcel');
  const points = readTables(tables, 'parcelPoint');
  for await (const some of joinPoints(rows, points, parcelIdOf, missing.count)) {
    yield some.flatMap((entry) =>
      entry.kind === 'joined'
        ? addressItems(entry.row, parcelIdOf(entry.row.cells), parcelNumberOf(entry.row.cells), entry.point, known, url)
        : [entry],
    );
  }
  yield missing.notes();
}

function addressItems(
  { file, line, cells }: AbrRow<'residence'> | AbrRow<'parcel'>,
  id: string,
  number: string,
  point: [number, number],
  known: KnownAreas,
  url: string,
): Item[] {
  const at = { file, line };
  const { lg_code, machiaza_id, city, ward, oaza_cho, chome, koaza } = cells;
  const reason = faultInRow(id, cells, number);
  if (reason !== undefined) return [{ kind: 'rejected', at, record: printable(id, 60), reason }];
  const record: Draft = newDraft(id, url, 'area-lookup');
  record.area = machiAzaCodeOf(lg_code, machiaza_id);
  setGeometry(record, { type: 'Point', coordinates: point });
  const prefecture = prefectureName(prefectureCodeOf(lg_code));
  const county = known.counties.get(wardCodeOf(lg_code)) ?? '';
  const machiAza = `${oaza_cho}${parseChome(chome).ja}${koaza}`;
  observe(record, 'addressJa', `${prefecture}${county}${city}${ward}${machiAza}${number}`);
  observe(record, 'postcode', known.postcodes.get(record.area));
  const notes: Item[] = record.notes.map((note) => ({ kind: 'note', at, record: id, reason: note }));
  return [...notes, { kind: 'record', at, record }];
}

function faultInRow(
  id: string,
  { lg_code, machiaza_id, city }: AbrCells<'residence'> | AbrCells<'parcel'>,
  number: string,
) {
  if (!isMunicipalityCode(lg_code)) return 'lg_code must be the six-digit code of a Japanese municipality';
  if (!/^\d{7}$/.test(machiaza_id)) return 'machiaza_id must be seven digits';
  if (!/^[0-9A-Za-z-]{1,64}$/.test(id)) return 'IDs must be digits, as in the registry';
  if (city === '') return 'no municipality named';
  return number === '' ? 'no number, so not an address' : undefined;
}

/** Counts the rows without a point, for one note per file. */
class MissingPoints {
  readonly #byFile = new Map<string, number>();
  readonly #what: string;

  constructor(what: string) {
    this.#what = what;
  }

  count = ({ file }: { file: string }): void => {
    this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + 1);
  };

  notes(): Item[] {
    return [...this.#byFile].map(([file, count]) => ({
      kind: 'note',
      at: { file, line: 1 },
      record: null,
      reason: `${count} ${this.#what} left out: no position file of this ingest has their points`,
    }));
  }
}

/** How many unmatched rows are held on either side. */
const WINDOW = 100_000;

interface Joined<R> {
  kind: 'joined';
  row: TableRow<R>;
  point: Position;
}

/**
 * Joins rows with their points, which are in other tables. Both are read in step, since both are usually in the order of
 * their keys; unmatched rows are held, so any other order works too as long as row and point are at most a window apart.
 * Rows without a point go to `onMissing`.
 */
async function* joinPoints<R, P extends PointCells>(
  rows: AsyncIterable<(TableRow<R> | Item)[]>,
  points: AsyncIterable<(TableRow<P> | Item)[]>,
  keyOf: (cells: R | P) => string,
  onMissing: (row: TableRow<R>) => void,
): AsyncGenerator<(Joined<R> | Item)[]> {
  const waitingRows = new Map<string, TableRow<R>>();
  const waitingPoints = new Map<string, Position>();
  let some: (Joined<R> | Item)[] = [];

  const reader = points[Symbol.asyncIterator]();
  let portion: (TableRow<P> | Item)[] = [];
  let at = 0;
  let ended = false;
  const nextPoint = async (): Promise<TableRow<P> | undefined> => {
    for (;;) {
      for (; at < portion.length; at++) {
        const entry = portion[at] as TableRow<P> | Item;
        if (entry.kind === 'row') return entry;
        some.push(entry);
      }
      if (ended) return undefined;
      const { value, done } = await reader.next();
      at = 0;
      portion = done ? [] : value;
      ended = done === true;
    }
  };
  const takePoint = ({ cells, file, line }: TableRow<P>): void => {
    at++;
    const key = keyOf(cells);
    const point = parsePoint(cells);
    if (typeof point === 'string') some.push({ kind: 'note', at: { file, line }, record: key, reason: point });
    if (point === null || typeof point === 'string') return;
    const row = waitingRows.get(key);
    if (row === undefined) dropOldest(waitingPoints.set(key, point));
    else some.push({ kind: 'joined', row, point });
    waitingRows.delete(key);
  };

  for await (const entries of rows) {
    for (const entry of entries) {
      if (entry.kind !== 'row') {
        some.push(entry);
        continue;
      }
      const key = keyOf(entry.cells);
      let next = portion[at]?.kind === 'row' ? (portion[at] as TableRow<P>) : await nextPoint();
      while (next !== undefined && keyOf(next.cells) <= key) {
        takePoint(next);
        next = await nextPoint();
      }
      const point = waitingPoints.get(key);
      waitingPoints.delete(key);
      if (point !== undefined) some.push({ kind: 'joined', row: entry, point });
      else if (next === undefined) onMissing(entry);
      else {
        const lost = dropOldest(waitingRows.set(key, entry));
        if (lost !== undefined) onMissing(lost);
      }
    }
    yield some;
    some = [];
  }
  for (let next = await nextPoint(); next !== undefined && waitingRows.size > 0; next = await nextPoint()) {
    takePoint(next);
    if (some.length >= 500) {
      yield some;
      some = [];
    }
  }
  await reader.return?.();
  for (const row of waitingRows.values()) onMissing(row);
  yield some;
}

function dropOldest<T>(waiting: Map<string, T>): T | undefined {
  if (waiting.size <= WINDOW) return undefined;
  const [key, value] = waiting.entries().next().value as [string, T];
  waiting.delete(key);
  return value;
}
