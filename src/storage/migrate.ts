import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { registry } from './migrations/0001-registry.ts';
import { search } from './migrations/0002-search.ts';
import { rateWindow } from './migrations/0003-rate-window.ts';
import { matching } from './migrations/0004-matching.ts';
import { lists } from './migrations/0005-lists.ts';
import { meshCounts } from './migrations/0006-mesh-counts.ts';
import { segmentStamps } from './migrations/0007-segment-stamps.ts';
import { reit } from './migrations/0008-reit.ts';
import { damageAndRestore } from './migrations/0009-damage-and-restore.ts';
import { recompose } from './migrations/0011-recompose.ts';
import { samplePermissions } from './migrations/0012-sample-permissions.ts';
import { namedRecords } from './migrations/0013-named-records.ts';
import { placedBy } from './migrations/0014-placed-by.ts';
import { matchAnew } from './migrations/0015-match-anew.ts';
import { postcodes } from './migrations/0016-postcodes.ts';
import { sites } from './migrations/0017-sites.ts';
import { credits } from './migrations/0018-credits.ts';
import { lookupKeys } from './migrations/0019-lookup-keys.ts';
import { summaries } from './migrations/0020-summaries.ts';
import { compact } from './migrations/0021-compact.ts';
import { partitions } from './migrations/0022-partitions.ts';
import { changes } from './migrations/0023-changes.ts';
import { type Engine, type ReadStorage, type Storage, StorageError } from './storage.ts';

export interface Migration {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a migration knows the tables of its own time, not today's
  up(db: Kysely<any>, engine: Engine, tell?: (line: string) => void): Promise<void>;
}

/** In execution order. A landed migration is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  registry,
  search,
  rateWindow,
  matching,
  lists,
  meshCounts,
  segmentStamps,
  reit,
  damageAndRestore,
  recompose,
  samplePermissions,
  namedRecords,
  placedBy,
  matchAnew,
  postcodes,
  sites,
  credits,
  lookupKeys,
  summaries,
  compact,
  partitions,
  changes,
];

interface MigrationState {
  applied: string[];
  pending: string[];
}

/**
 * Migrates the database to the tables of this program, completely or not at all, one process at a time. Reports what an
 * operator has to know when it is done.
 */
export async function migrate(
  storage: Storage,
  migrations = MIGRATIONS,
  report: (message: string) => void = () => {},
): Promise<string[]> {
  // Most commands find nothing to do and must not wait for a long transaction of another process.
  const state = await migrationState(storage, migrations).catch((error: unknown) => {
    if (error instanceof StorageError) throw error;
    return undefined;
  });
  if (state?.pending.length === 0) return state.applied;
  let messages: string[] = [];
  const names = await storage.transaction(async ({ db, engine }) => {
    messages = [];
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(7281001)`.execute(db);
    await sql`create table if not exists migration (name text primary key, applied_at text not null)`.execute(db);
    const { applied, pending } = compareMigrations(await appliedMigrations(db), migrations);
    for (const name of pending) {
      const migration = migrations.find((m) => m.name === name) as Migration;
      try {
        await migration.up(db, engine, (line) => messages.push(`migration ${name}: ${line}`));
      } catch (error) {
        const { message } = error as Error;
        throw new StorageError('migration', `migration ${name} failed, nothing was changed: ${message}`, {
          cause: error,
        });
      }
      await sql`insert into migration (name, applied_at) values (${name}, ${new Date().toISOString()})`.execute(db);
    }
    return [...applied, ...pending];
  });
  for (const message of messages) report(message);
  return names;
}

export async function migrationState(storage: ReadStorage, migrations = MIGRATIONS): Promise<MigrationState> {
  return compareMigrations(await appliedMigrations(storage.db), migrations);
}

/** Also of a database that has no tables yet. */
export async function pendingMigrations(storage: ReadStorage): Promise<string[]> {
  try {
    return (await migrationState(storage)).pending;
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    return MIGRATIONS.map(({ name }) => name);
  }
}

const isMissingTable = (error: unknown) =>
  error instanceof pg.DatabaseError ? error.code === '42P01' : /^no such table/.test((error as Error).message);

async function appliedMigrations(db: Kysely<never> | Storage['db']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(db as Storage['db']);
  return rows.map((row) => row.name);
}

function compareMigrations(applied: string[], migrations: readonly Migration[]): MigrationState {
  const known = migrations.map((migration) => migration.name);
  const foreign = applied.find((name) => !known.includes(name));
  if (foreign !== undefined) {
    throw new StorageError(
      'migration',
      `a newer version of tatemono has changed the database (migration ${foreign}, which this version does not know); install that version or a later one`,
    );
  }
  return { applied, pending: known.filter((name) => !applied.includes(name)) };
}
