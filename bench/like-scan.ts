import { DatabaseSync } from 'node:sqlite';
import { TOTAL_CAP } from '../src/vocabulary/api-shapes.ts';
import { normaliseSearchText } from '../src/vocabulary/text.ts';

export interface LikeScan {
  /** How many buildings match, counted up to one past the cap, and how long that took. */
  run: (q: string) => { count: number; milliseconds: number };
  close: () => void;
}

const ORDERS = [
  'search_entry e order by e.pos',
  'search_entry e order by e.pos desc',
  'search_entry e join building b on b.id = e.building order by b.recorded_at desc, b.id',
];

/**
 * What search would be without an index: every entry in the order of results, up to one past the cap. It is
 * kinder to the scan than the contract would be: a term may match in any value, the ID is not looked at,
 * and no page is read. `firstIds` are the first results of a search for everything, by which the order
 * of the entries is known.
 */
export function openLikeScan(file: string, firstIds: readonly number[]): LikeScan {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('pragma cache_size = -65536');
  const order = ORDERS.find((candidate) => {
    const head = database.prepare(`select e.building from ${candidate} limit ${firstIds.length}`).all();
    return head.every((row, i) => row.building === firstIds[i]);
  });
  if (order === undefined) throw new Error('search_entry has no order in which the service answers');
  const [tables, orderBy] = order.split(' order by ');
  return {
    run(q) {
      const terms = normaliseSearchText(q).split(/\s+/u);
      const like = terms.map(() => String.raw`e.text like ? escape '\'`).join(' and ');
      const statement = database.prepare(
        `select e.building from ${tables} where ${like} order by ${orderBy} limit ${TOTAL_CAP + 1}`,
      );
      const patterns = terms.map((term) => `%${term.replace(/[\\%_]/g, String.raw`\$&`)}%`);
      const started = performance.now();
      const count = statement.all(...patterns).length;
      return { count, milliseconds: performance.now() - started };
    },
    close: () => database.close(),
  };
}
