import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Storage } from './storage.ts';

/** Minutes to keep: the current one, and one for a process whose clock is slightly behind. */
const KEPT_MINUTES = 2;

interface PostgresRateStore {
  readonly key: Uint8Array;
  add(surface: string, client: string, minute: number): Promise<number>;
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
  let current = 0;

  return {
    key,
    async add(surface, client, minute) {
      const counted = count(surface, client, minute);
      if (minute > current) {
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
  return storage.transaction(async (tx) => {
    await tx.insertNew('rate_key', ['id', 'key'], [[1, randomBytes(32)]]);
    return (await tx.db.selectFrom('rate_key').select('key').executeTakeFirstOrThrow()).key;
  });
}

async function forget(storage: Storage, before: number): Promise<void> {
  await storage.transaction(({ db }) => db.deleteFrom('rate_window').where('minute', '<', before).execute());
}
