import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { enterBuildingsIfMissing } from '../../src/pipeline/rebuild-search.ts';
import { MIGRATIONS, migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { BuildingPage } from '../../src/vocabulary/building-page.ts';
import { runHere } from '../support/command.ts';
import { onBothEngines, type TestDatabase } from '../support/engines.ts';
import { id } from '../support/records.ts';
import { openServedRegistry, type ServedRegistry } from '../support/served-registry.ts';
import { assetUrl } from '../support/serving.ts';

const RELEASES = join(import.meta.dirname, 'releases');
const read = (name: string) => gunzipSync(readFileSync(join(RELEASES, name)));
const readJson = <T>(name: string) => JSON.parse(read(name).toString()) as T;

/** What a release answered at a path. */
interface Served {
  status: number;
  location?: string;
  body?: Record<string, unknown>;
}

/** Gives an empty database the content that a release left in its own. */
async function fillAs(release: string, { engine, url }: TestDatabase): Promise<void> {
  if (engine === 'sqlite') {
    writeFileSync(url.slice('file:'.length), read(`registry-${release}.db.gz`));
    return;
  }
  const tables = readJson<Record<string, { name: string }[]>>(`registry-${release}.rows.json.gz`);
  const known = new Set(tables.migration?.map(({ name }) => name));
  const storage = openStorage(url, () => {});
  await migrate(
    storage,
    MIGRATIONS.filter(({ name }) => known.has(name)),
  );
  await storage.transaction(async ({ db }) => {
    // Rows refer to rows of tables that are filled later.
    await sql`set local session_replication_role = replica`.execute(db);
    for (const [name, rows] of Object.entries(tables)) {
      const table = sql.table(name);
      await sql`delete from ${table}`.execute(db);
      await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`.execute(
        db,
      );
    }
    for (const name of ['identity_event', 'ingest', 'reit_event', 'reit_permission'].filter((each) => each in tables)) {
      await sql`select setval(pg_get_serial_sequence(${name}, 'id'), (select max(id) from ${sql.table(name)}))`.execute(
        db,
      );
    }
  });
  await storage.close();
}

async function servedNow({ app }: ServedRegistry, path: string): Promise<Served> {
  const { statusCode, headers, body } = await app.inject({ url: path });
  return {
    status: statusCode,
    ...(headers.location !== undefined && { location: headers.location }),
    ...(statusCode === 200 && { body: JSON.parse(body) }),
  };
}

const releases = readdirSync(RELEASES).flatMap((name) => /^registry-(.*)\.db\.gz$/.exec(name)?.[1] ?? []);

it('OPS-05 every release has a kept database', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) - /gm)].map(([, version = '']) => version);
  expect(released.length).toBeGreaterThan(1);
  expect(releases.toSorted()).toEqual(released.toSorted());
});

onBothEngines('OPS-05 a database of an earlier release', (fresh, engine) => {
  it.each(releases)('OPS-05 is served after the upgrade as before: %s', async (release) => {
    const database = await fresh('none');
    await fillAs(release, database);
    const registry = await openServedRegistry(database);
    const before = Object.entries(readJson<Record<string, Served>>(`served-${release}-${engine}.json.gz`));
    expect(before.filter(([, { status }]) => status === 200).length).toBeGreaterThanOrEqual(8);
    try {
      await enterBuildingsIfMissing(registry.context);
      for (const [path, then] of before) {
        expect(await servedNow(registry, path), path).toMatchObject(then);
      }

      // What is found, listed and counted is built anew.
      const found = await registry.get(`/japan/api/v1/assets?q=${encodeURIComponent('ファースト')}`);
      expect(JSON.parse(found.body)).toMatchObject({ total: 1, items: [{ id: id(1) }] });
      expect(JSON.parse((await registry.get('/japan/api/v1/areas/tokyo')).body)).toMatchObject({ buildingCount: 4 });
    } finally {
      await registry.close();
    }
  });

  it.each(releases)('OPS-05 keeps its evidence, history and IDs: %s', async (release) => {
    const database = await fresh('none');
    await fillAs(release, database);
    const env = { DATABASE_URL: database.url, ARCHIVE_DIR: join(database.dir, 'archive') };
    expect(await runHere(env, 'republish', '--all')).toMatchObject({ code: 0 });
    for (const file of ['first.ndjson', 'second.ndjson']) {
      const { code, stdout } = await runHere(env, 'ingest', 'records', join(RELEASES, file));
      expect([code, stdout]).toEqual([0, expect.stringMatching(/ new 0, changed 0, /)]);
    }
    expect((await runHere(env, 'unmerge', id(4))).code).toBe(0);

    const registry = await openServedRegistry(database);
    const before = readJson<Record<string, Served>>(`served-${release}-${engine}.json.gz`);
    try {
      for (const number of [1, 2, 3]) {
        const path = assetUrl(id(number));
        const then = before[path]?.body as unknown as BuildingPage;
        const now = (await servedNow(registry, path)).body as unknown as BuildingPage;
        expect(now.fields).toMatchObject(then.fields);
        expect(now.path).toBe(then.path);
        expect(now.history.slice(-then.history.length)).toEqual(then.history);
      }
      expect((await servedNow(registry, assetUrl(id(4)))).status).toBe(200);
      expect((await servedNow(registry, assetUrl(id(6)))).status).toBe(404);
    } finally {
      await registry.close();
    }
  });
});
