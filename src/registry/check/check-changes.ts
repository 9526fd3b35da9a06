import { areasOf, decodeChanges, type LoggedChange } from '../../storage/change-block.ts';
import type { Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId } from '../../vocabulary/asset-id.ts';
import { type Difference, describeDamage } from '../../vocabulary/difference.ts';
import { LOGGED } from '../buildings.ts';
import { readBlocks } from '../changes/read-changes.ts';

const BLOCKS_AT_ONCE = 200;
const BUILDINGS_AT_ONCE = 2_000;

/** VRF-17: the log of changes is complete, and says last of each building what is published of it. */
export async function* checkChanges(reads: Reads): AsyncGenerator<Difference> {
  const told = new LastTold();
  const areas = new AreaRows();
  for (let after = 0; ; ) {
    const blocks = await readBlocks(reads, after, BLOCKS_AT_ONCE);
    if (blocks.length === 0) break;
    for (const { last, body } of blocks) {
      const row = `block ${last}`;
      try {
        const changes = decodeChanges(body);
        // A restore may leave numbers out, by a block without changes.
        if (changes.length > 0 && last - changes.length !== after) {
          yield { kind: 'missing', table: 'change_block', row, detail: `changes after ${after}`, remedy: null };
        }
        for (const change of changes) told.add(change);
        for (const area of areasOf(changes)) areas.expect(area, last);
      } catch (error) {
        yield { kind: 'unreadable', table: 'change_block', row, detail: describeDamage(error), remedy: null };
      }
      after = last;
    }
  }
  yield* checkBuildings(reads, told);
  yield* areas.compare(reads);
}

async function* checkBuildings(reads: Reads, told: LastTold): AsyncGenerator<Difference> {
  for (let after = -1; ; ) {
    const rows: Row[] = await reads.all<Row>(
      `select b.id, b.state, b.version, b.logged, p.building as page from building b left join page p on p.building = b.id
        where b.id > ? order by b.id limit ?`,
      [after, BUILDINGS_AT_ONCE],
    );
    for (const row of rows) {
      const detail = faultOf(row, told.of(row.id));
      if (detail !== undefined) yield differenceOf(row, detail);
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BUILDINGS_AT_ONCE) return;
  }
}

/** The rows of machi-aza in `change_area`, compared by their number and a sum of hashes. */
class AreaRows {
  readonly #areas = new Set<string>();
  #expected = { rows: 0, sum: 0 };

  expect(area: string, last: number): void {
    this.#areas.add(area);
    addTo(this.#expected, area, last);
  }

  async *compare(reads: Reads): AsyncGenerator<Difference> {
    const stored = { rows: 0, sum: 0 };
    for (let [area, last] = ['', 0]; ; ) {
      const rows: { area: string; last: number }[] = await reads.all(
        'select area, last from change_area where (area, last) > (?, ?) order by area, last limit ?',
        [area, last, BUILDINGS_AT_ONCE],
      );
      for (const row of rows) if (this.#areas.has(row.area)) addTo(stored, row.area, row.last);
      ({ area, last } = rows.at(-1) ?? { area, last });
      if (rows.length < BUILDINGS_AT_ONCE) break;
    }
    if (stored.rows === this.#expected.rows && stored.sum === this.#expected.sum) return;
    const detail = `${stored.rows} rows of machi-aza instead of ${this.#expected.rows}`;
    yield { kind: 'differs', table: 'change_area', row: 'areas of changes', detail, remedy: null };
  }
}

function addTo(total: { rows: number; sum: number }, area: string, last: number): void {
  total.rows += 1;
  total.sum = (total.sum + Math.imul(Number(area) % 2_147_483_629, 31) + Math.imul(last % 2_147_483_629, 7_919)) >>> 0;
}

interface Row {
  id: AssetKey;
  state: 'live' | 'merged' | 'retired';
  version: number;
  logged: number;
  page: AssetKey | null;
}

type Told = 'nothing' | 'published' | 'unpublished' | 'merged' | 'retired';

/** Undefined if the log fits what is stored. */
function faultOf({ state, version, logged, page }: Row, last: { told: Told; version: number }): string | undefined {
  const { told } = last;
  if (page !== null) {
    if (told !== 'published') return `is published, but the log says ${told}`;
    if (last.version !== version) return `has version ${version}, but the log says ${last.version}`;
    return logged === LOGGED.changed ? undefined : 'logged';
  }
  // Buildings that were merged or retired before there was a log are not in it.
  if (state !== 'live')
    return told === 'nothing' || told === state ? undefined : `is ${state}, but the log says ${told}`;
  return told === 'published' ? 'is not published, but the log says published' : undefined;
}

function differenceOf({ id, page }: Row, detail: string): Difference {
  const remedy = page === null ? null : ({ by: 'publishing', building: id } as const);
  return { kind: 'differs', table: 'change_block', row: formatAssetId(id), detail, remedy };
}

const TOLD: readonly Told[] = ['nothing', 'published', 'unpublished', 'merged', 'retired'];
const BUILDINGS_PER_PIECE = 65_536;

/** What the log says last of each building, in four bytes each. */
class LastTold {
  readonly #pieces = new Map<number, Uint32Array>();

  add({ building, kind, version, area }: LoggedChange): void {
    const told = kind === 'merged' || kind === 'retired' ? kind : area === null ? 'unpublished' : 'published';
    const number = Math.floor(building / BUILDINGS_PER_PIECE);
    let piece = this.#pieces.get(number);
    if (piece === undefined) {
      piece = new Uint32Array(BUILDINGS_PER_PIECE);
      this.#pieces.set(number, piece);
    }
    piece[building % BUILDINGS_PER_PIECE] = version * TOLD.length + TOLD.indexOf(told);
  }

  of(building: AssetKey): { told: Told; version: number } {
    const value = this.#pieces.get(Math.floor(building / BUILDINGS_PER_PIECE))?.[building % BUILDINGS_PER_PIECE] ?? 0;
    return { told: TOLD[value % TOLD.length] as Told, version: Math.floor(value / TOLD.length) };
  }
}
