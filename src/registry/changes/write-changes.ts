import { sql } from 'kysely';
import { areasOf, encodeChanges, type LoggedChange } from '../../storage/change-block.ts';
import type { Tx } from '../../storage/storage.ts';

const LOG_LOCK = 7281009;

/**
 * LOG-02: appends changes to the log, at the end of the transaction that makes them. On PostgreSQL several processes publish at the
 * same time, so the end of the log is locked until the commit: numbers have no gaps, and a change becomes visible after
 * every change with a lower number. SQLite has one writer. Nothing that another writer may have locked may be asked for
 * afterwards.
 */
export async function logChanges(tx: Tx, changes: readonly LoggedChange[], at: string): Promise<void> {
  if (changes.length === 0) return;
  if (tx.engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOG_LOCK)})`.execute(tx.db);
  const end = await tx.db.selectFrom('change_block').select('last').orderBy('last', 'desc').limit(1).executeTakeFirst();
  const last = (end?.last ?? 0) + changes.length;
  await tx.insert('change_block', ['last', 'at', 'body'], [[last, at, encodeChanges(changes)]]);
  const areas = await withAreasAbove(tx, areasOf(changes));
  await tx.insert(
    'change_area',
    ['area', 'last'],
    areas.map((area) => [area, last]),
  );
}

async function withAreasAbove({ db }: Tx, codes: ReadonlySet<string>): Promise<string[]> {
  const all = new Set<string>();
  for (let level = [...codes]; level.length > 0; ) {
    for (const code of level) all.add(code);
    const rows = await db.selectFrom('area').select('parent').distinct().where('code', 'in', level).execute();
    level = rows.flatMap(({ parent }) => parent ?? []);
  }
  return [...all].sort();
}
