import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { payloadRef } from '../../src/observations/statement-codec.ts';
import { restoreRegistry } from '../../src/pipeline/restore.ts';
import { decodeChangedFields } from '../../src/registry/changed-fields-codec.ts';
import { sourcesIn, tagOf } from '../../src/registry/records.ts';
import { backUp } from '../../src/storage/backup.ts';
import { expandText } from '../../src/storage/compact/compact.ts';
import { migrate } from '../../src/storage/migrate.ts';
import type { Tx } from '../../src/storage/storage.ts';
import { onBothEngines, openContext } from '../support/engines.ts';
import { registryState } from '../support/registry-state.ts';
import { LIVE, openSmallRegistry, type SmallRegistry } from '../support/small-registry.ts';

/** Stores a registry as the version before migration 0021 did, and forgets the migration. */
async function storeAsBefore(tx: Tx): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: the tables of an earlier version
  const old = tx.db as Kysely<any>;
  const isSqlite = tx.engine === 'sqlite';
  const stored = (text: string) => (isSqlite ? text : Buffer.from(text));
  const columns = [
    `alter table page add column sources ${isSqlite ? 'blob' : 'bytea'}`,
    `alter table statement add column retrieved_at text not null default ''`,
    `alter table statement add column raw_payload_ref text not null default ''`,
  ];
  for (const column of columns) await sql.raw(column).execute(old);
  for (const { building, body } of await tx.db.selectFrom('page').select(['building', 'body']).execute()) {
    const row = { sources: Buffer.from(sourcesIn(body)), body: Buffer.from(expandText(body)) };
    await old.updateTable('page').set(row).where('building', '=', building).execute();
  }
  for (const { building, body } of await tx.db.selectFrom('nearby').select(['building', 'body']).execute()) {
    const text = Buffer.from(expandText(body));
    await old
      .updateTable('nearby')
      .set({ body: text, etag: tagOf(text) })
      .where('building', '=', building)
      .execute();
  }
  for (const row of await tx.db.selectFrom('building_version').selectAll().execute()) {
    const canonical = stored(expandText(row.canonical));
    const changed_fields = JSON.stringify(decodeChangedFields(row.changed_fields));
    await old
      .updateTable('building_version')
      .set({ canonical, changed_fields })
      .where('building', '=', row.building)
      .where('version', '=', row.version)
      .execute();
  }
  const statements = await tx.db
    .selectFrom('statement as s')
    .innerJoin('retrieval as t', 't.id', 's.retrieval')
    .selectAll()
    .select('s.id as statement')
    .execute();
  for (const row of statements) {
    const before = { retrieved_at: row.at, raw_payload_ref: payloadRef(row), body: stored(expandText(row.body)) };
    const line_hash = `${row.line_hash}-earlier`;
    await old
      .updateTable('statement')
      .set({ ...before, line_hash })
      .where('id', '=', row.statement)
      .execute();
  }
  const types = [
    'alter table statement drop column retrieval',
    'alter table statement drop column payload',
    'drop table retrieval',
    `delete from migration where name = '0021-compact'`,
    ...(isSqlite
      ? []
      : [
          `alter table statement alter column body type text using convert_from(body, 'UTF8')`,
          `alter table building_version alter column canonical type text using convert_from(canonical, 'UTF8')`,
        ]),
  ];
  for (const statement of types) await sql.raw(statement).execute(old);
}

async function answersOf({ app }: SmallRegistry): Promise<string[]> {
  const urls = LIVE.flatMap((id) => [`assets/${id}`, `assets/${id}/sources`]);
  return Promise.all(['assets', ...urls].map(async (url) => (await app.inject({ url: `/japan/api/v1/${url}` })).body));
}

onBothEngines('a registry of the version before texts were compact', (fresh, engine) => {
  it('publishes the same after the migration, knows its lines, and its backup is restored', async () => {
    const database = await fresh();
    const small = await openSmallRegistry(database);
    const { storage } = small.context;
    const [answers, state] = [await answersOf(small), await registryState(storage)];

    await storage.transaction(storeAsBefore);
    const file = join(database.dir, 'backup.db');
    if (engine === 'sqlite') await backUp(storage, file);
    await migrate(storage);
    expect(await answersOf(small)).toEqual(answers);
    expect(await registryState(storage)).toBe(state);
    const hashes = await storage.db.selectFrom('statement').select('line_hash').execute();
    expect(hashes.every(({ line_hash }) => line_hash.length === 15)).toBe(true);

    if (engine === 'sqlite') {
      const restored = await openContext(await fresh());
      await restoreRegistry(restored, file);
      expect(await registryState(restored.storage)).toBe(state);
      await restored.storage.close();
    }
    await small.close();
  });
});
