import type { Db, Storage } from '../storage/storage.ts';

/** Adds a file to the log of ingests: one row per file and run. */
export async function startIngest(
  storage: Storage,
  ingest: { source: string; file: string; sha256: string; startedAt: string; retrievedAt: string | null },
): Promise<number> {
  return storage.transaction(async ({ db }) => {
    const row = await db
      .insertInto('ingest')
      .values({
        source: ingest.source,
        file: ingest.file,
        sha256: ingest.sha256,
        started_at: ingest.startedAt,
        retrieved_at: ingest.retrievedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
}

export async function finishIngest(storage: Storage, id: number, finishedAt: string, counts: object): Promise<void> {
  await storage.transaction(async ({ db }) => {
    await db
      .updateTable('ingest')
      .set({ finished_at: finishedAt, counts: JSON.stringify(counts) })
      .where('id', '=', id)
      .execute();
  });
}

/** The newest finished ingest. A run finishes its ingests when everything stored before them is published. */
export async function lastFinishedIngest(db: Db): Promise<number> {
  const row = await db
    .selectFrom('ingest')
    .select('id')
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** When these bytes were fetched, as stated when they were first ingested for a source. */
export async function findRetrieval(db: Db, source: string, sha256: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('ingest')
    .select('retrieved_at')
    .where('sha256', '=', sha256)
    .where('source', '=', source)
    .where('retrieved_at', 'is not', null)
    .orderBy('id')
    .executeTakeFirst();
  return row?.retrieved_at ?? undefined;
}

/** The last time at which files of a source were fetched; '' if there is none. A time that was still to come when it was stated does not count. */
export async function latestRetrieval(db: Db, source: string): Promise<string> {
  const row = await db
    .selectFrom('ingest')
    .select((eb) => eb.fn.max('retrieved_at').as('latest'))
    .where('source', '=', source)
    .whereRef('retrieved_at', '<=', 'started_at')
    .executeTakeFirst();
  return row?.latest ?? '';
}

/** Every ingest of a source, in order. */
export function listIngestsOf(
  db: Db,
  source: string,
): Promise<{ sha256: string; file: string; counts: string | null }[]> {
  return db
    .selectFrom('ingest')
    .select(['sha256', 'file', 'counts'])
    .where('source', '=', source)
    .orderBy('id')
    .execute();
}

interface LastIngest {
  source: string;
  file: string;
  started_at: string;
  finished_at: string | null;
  counts: string | null;
}

export async function lastIngests(db: Db): Promise<LastIngest[]> {
  return db
    .selectFrom('ingest')
    .select(['source', 'file', 'started_at', 'finished_at', 'counts'])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('ingest')
        .select((e) => e.fn.max('id').as('id'))
        .groupBy('source'),
    )
    .orderBy('source')
    .execute();
}
