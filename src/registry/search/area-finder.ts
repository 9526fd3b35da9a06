import type { Reads } from '../../storage/storage.ts';
import { toLine } from './entry.ts';

/** An area with published buildings, as it is shown. */
export interface FoundArea {
  label: string;
  /** The areas around it. */
  detail: string;
  path: string;
  count: number;
}

interface KnownArea extends FoundArea {
  /** Its Japanese name, normalised. */
  name: string;
}

interface AreaRow {
  code: string;
  parent: string | null;
  slug: string;
  name: string;
  count: number;
}

/** SUG-03: finds areas by their Japanese names. They are few and seldom change, and are kept until they do. */
export class AreaFinder {
  #areas: readonly KnownArea[] = [];
  #state = '';
  #readAt = 0;

  /** Those that begin with all of a query, and the others that have each of its words; by path. */
  async find(
    reads: Reads,
    full: string,
    terms: readonly string[],
    most: number,
  ): Promise<{ beginning: FoundArea[]; having: FoundArea[] }> {
    const beginning: FoundArea[] = [];
    const having: FoundArea[] = [];
    for (const { name, ...area } of await this.#current(reads)) {
      if (beginning.length === most) break;
      if (!terms.every((term) => name.includes(term))) continue;
      if (name.startsWith(full)) beginning.push(area);
      else if (having.length < most) having.push(area);
    }
    return { beginning, having };
  }

  async #current(reads: Reads): Promise<readonly KnownArea[]> {
    const [row] = await reads.all<{ stale: number }>(STATE, []);
    const state = JSON.stringify(row);
    const isOld = performance.now() > this.#readAt + LONGEST_MS;
    if (state === this.#state && row?.stale === 0 && !isOld) return this.#areas;
    this.#areas = await readAreas(reads);
    this.#state = state;
    this.#readAt = performance.now();
    return this.#areas;
  }
}

/** What changes when areas or their counts do, but for the middle of a run, in which there are stale areas. */
const STATE = `select (select max(id) from ingest) as ingest, (select max(finished_at) from ingest) as finished,
  (select max(id) from identity_event) as identity, (select max(at) from identity_event) as changed,
  case when exists (select 1 from stale_area) then 1 else 0 end as stale`;

/** Whatever else may have changed them is seen after a minute. */
const LONGEST_MS = 60_000;

async function readAreas(reads: Reads): Promise<KnownArea[]> {
  const rows = await reads.all<AreaRow>(
    `select a.code, a.parent, a.slug, a.name_ja as name, s.building_count as count
      from area a join area_summary s on s.area = a.code`,
    [],
  );
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const around = (row: AreaRow): AreaRow[] => {
    const parent = row.parent === null ? undefined : byCode.get(row.parent);
    return parent === undefined ? [] : [...around(parent), parent];
  };
  const areas = rows.map((row): KnownArea => {
    const parents = around(row);
    return {
      name: toLine(row.name),
      label: row.name,
      detail: parents.map(({ name }) => name).join(''),
      path: `/japan/${[...parents, row].map(({ slug }) => slug).join('/')}`,
      count: Number(row.count),
    };
  });
  return areas.sort((a, b) => (a.path < b.path ? -1 : 1));
}
