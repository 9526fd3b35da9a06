import { sql } from 'kysely';
import type { Storage } from '../../src/storage/storage.ts';

/** Every row of every table as text, except the tables in `except`. */
export async function dumpTables(storage: Storage, except: readonly string[] = []): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const { name, schema } of await storage.db.introspection.getTables()) {
    // The queue of jobs has a schema of its own.
    if (except.includes(name) || (schema !== undefined && schema !== 'public')) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(storage.db);
    dump[name] = rows.map((row) => JSON.stringify(row, asText)).sort();
  }
  return dump;
}

function asText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
