import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { openPostgres } from './postgres.ts';
import type { Storage } from './storage.ts';

/** Minutes to keep: the current one, and one for a process whose clock is slightly behind. */
const KEPT_MINUTES = 2;

interface PostgresRateStore {
  readonly key: Uint8Array;
  add(surface: string, client: string, minute: number): Promise<number>;
}

/** A count is one short statement. */
const CONNECTIONS = 4;

/** With connections of its own, because those that are read from cannot write. */
export interface RateWindows extends PostgresRateStore {
  close(): Promise<void>;
}

/** RDO-05: undefined if the role may not write to the tables of the counts. */
export async function openRateWindows(
  url: string,
  onIdleError: (error: Error) => void,
): Promise<RateWindows | undefined> {
  const storage = openPostgres(url, onIdleError, CONNECTIONS);
  let store: PostgresRateStore | undefined;
  try {
    store = (await mayCount(storage)) ? await openPostgresRateStore(storage) : undefined;
    return store && { ...store, close: () => storage.close() };
  } finally {
    if (store === undefined) await storage.close();
  }
}

async function mayCount({ db }: Storage): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select current_setting('transaction_read_only') = 'off' and bool_and(has_table_privilege(name, privilege)) as may
    from (values ('rate_key', 'select'), ('rate_key', 'insert'), ('rate_window', 'select'), ('rate_window', 'insert'),
      ('rate_window', 'update'), ('rate_window', 'delete')) as needed(name, privilege)`.execute(db);
  return rows[0]?.may === true;
}

/** Counts requests for all processes that share the database. */
export async function openPostgresRateStore(storage: Storage): Promise<PostgresRateStore> {
  const key = await sharedKey(storage);
  const count = storage.prepareOne<[string, string, number], { count: number }>(
    sql<{ count: number }>`
      insert into rate_window as w (surface, client, minute, count) values (${''}, ${''}, ${0}, 1)
      on conflict (minute, surface, client) do update set count = w.count + 1
      returning count`.compile(storage.db),
  );
  let current = Number.NaN;

  return {
    key,
    async add(surface, client, minute) {
      const counted = count(surface, client, minute);
      // Also if the clock was set back.
      if (minute !== current) {
        current = minute;
        // Not awaited; if it fails, the next minute repeats it.
        forget(storage, minute - KEPT_MINUTES + 1).catch(() => {});
      }
      return (await counted)?.count ?? 0;
    },
  };
}

/** Created by the first process, and shared by all. */
async function sharedKey(storage: Storage): Promise<Uint8Array> {
  const known = await storage.db.selectFrom('rate_key').select('key').executeTakeFirst();
  if (known !== undefined) return known.key;
  return storage.transaction(async (tx) => {
    await tx.insertNew('rate_key', ['id', 'key'], [[1, randomBytes(32)]]);
    return (await tx.db.selectFrom('rate_key').select('key').executeTakeFirstOrThrow()).key;
  });
}

async function forget(storage: Storage, before: number): Promise<void> {
  await storage.transaction(({ db }) => db.deleteFrom('rate_window').where('minute', '<', before).execute());
}
