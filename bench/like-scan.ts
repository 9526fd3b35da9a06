import { DatabaseSync } from 'node:sqlite';
import { TOTAL_CAP } from '../src/vocabulary/api-shapes.ts';
import { normaliseSearchText } from '../src/vocabulary/text.ts';

export interface LikeScan {
  /** How many buildings match, counted up to one past the cap, and how long that took. */
  run: (q: string) => { count: number; milliseconds: number };
  close: () => void;
}

const ID = `printf('asset-jp-%02d-%08d', building / 100000000, building % 100000000)`;

/**
 * What search would be without an index: every entry is looked at, and the matches are put into the
 * order of results. It is kinder to the scan than the contract would be: a term may match in any value,
 * and no page is read.
 */
export function openLikeScan(file: string): LikeScan {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('pragma cache_size = -65536');
  return {
    run(q) {
      const terms = normaliseSearchText(q).split(/\s+/u);
      const like = terms.map(() => String.raw`(text like ? escape '\' or ${ID} like ? escape '\')`).join(' and ');
      // The sort order is part of the index; a plain table of values has none.
      const statement = database.prepare(
        `select building from search_entry where ${like} order by 0 - pos limit ${TOTAL_CAP + 1}`,
      );
      const patterns = terms.flatMap((term) => Array(2).fill(`%${term.replace(/[\\%_]/g, String.raw`\$&`)}%`));
      const started = performance.now();
      const count = statement.all(...patterns).length;
      return { count, milliseconds: performance.now() - started };
    },
    close: () => database.close(),
  };
}
