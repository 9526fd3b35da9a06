import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createBuildings } from '../../src/registry/buildings.ts';
import { MIGRATIONS, migrate } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { assetKey } from '../../src/vocabulary/asset-id.ts';
import { onPostgres } from '../support/engines.ts';

const TABLES = ['building', 'building_version', 'nearby', 'page'];

async function partitionsOf(storage: Storage): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits i join pg_class p on p.oid = i.inhparent
    where p.relkind = 'p' order by 1`.execute(storage.db);
  return rows.map(({ name }) => name);
}

const named = (...prefectures: string[]) =>
  TABLES.flatMap((table) => prefectures.map((code) => `${table}_${code}`)).sort();

onPostgres('partitions by prefecture', (fresh) => {
  it('PRT-01 the first building of a prefecture adds its partitions, with the transaction that stores it', async () => {
    const storage = openStorage((await fresh()).url, () => {});
    expect(await partitionsOf(storage)).toEqual([]);
    const ids = [assetKey('13', 1), assetKey('01', 99_999_999), assetKey('47', 0)];
    await storage.transaction((tx) => createBuildings(tx, ids, 'named'));
    expect(await partitionsOf(storage)).toEqual(named('01', '13', '47'));
    const failing = storage.transaction(async (tx) => {
      await createBuildings(tx, [assetKey('14', 1)], 'named');
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    await storage.transaction((tx) => createBuildings(tx, [assetKey('13', 2)], 'minted'));
    expect(await partitionsOf(storage)).toEqual(named('01', '13', '47'));
    const stored = await storage.db.selectFrom('building').select('id').orderBy('id').execute();
    expect(stored.map(({ id }) => id)).toEqual([...ids, assetKey('13', 2)].sort((a, b) => a - b));
    await storage.close();
  });

  it('PRT-01 writers that start a prefecture at the same time, beside a reader, share its partitions', async () => {
    const { url } = await fresh();
    const storages = [1, 2, 3].map(() => openStorage(url, () => {}));
    const [first] = storages as [Storage, ...Storage[]];
    const reader = await first.openSnapshot();
    await reader.reads.all('select id from building', []);
    const ids = storages.map((_, i) => assetKey('27', i + 1));
    await Promise.all(
      storages.map((storage, i) => storage.transaction((tx) => createBuildings(tx, [ids[i] as number], 'named'))),
    );
    expect(await partitionsOf(first)).toEqual(named('27'));
    expect(await first.db.selectFrom('building').select('id').execute()).toHaveLength(3);
    await reader.close();
    for (const storage of storages) await storage.close();
  });

  it('PRT-02 reads by ID and by prefecture touch one partition', async () => {
    const { url } = await fresh();
    const storage = openStorage(url, () => {});
    const prefectures = ['01', '13', '27', '47'];
    await storage.transaction((tx) =>
      createBuildings(
        tx,
        prefectures.map((code) => assetKey(code, 1)),
        'named',
      ),
    );
    await storage.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // As after five executions of a prepared statement.
    await client.query('set plan_cache_mode = force_generic_plan');
    const record = 'from page p left join nearby n on n.building = p.building where p.building = $1';
    const statements = [
      `select p.etag, p.body, n.etag, n.body ${record}`,
      'select version, canonical from building_version where building = $1 order by version desc',
      'select state, successor from building where id = $1',
      'select id from building where id >= $1 and id < $1 + 100000000',
    ];
    for (const [i, statement] of statements.entries()) {
      await client.query(`prepare s${i}(bigint) as ${statement}`);
      const id = i === 3 ? assetKey('13', 0) : assetKey('13', 1);
      const { rows } = await client.query(`explain (analyze, costs off, timing off) execute s${i}(${id})`);
      const plan = rows.map((row) => row['QUERY PLAN'] as string).join('\n');
      const touched = new Set([...plan.matchAll(/ on \w+?_(\d\d)\b/g)].map(([, code]) => code));
      expect([statement, [...touched]]).toEqual([statement, ['13']]);
    }
    await client.end();
  });

  it('PRT-03 a registry of before keeps every row', async () => {
    const storage = openStorage((await fresh('none')).url, () => {});
    const at = MIGRATIONS.findIndex(({ name }) => name === '0022-partitions');
    await migrate(storage, MIGRATIONS.slice(0, at));
    const ids = [assetKey('13', 1), assetKey('13', 2), assetKey('47', 7)];
    const before = [
      sql`insert into building (id, state, version, minted, successor, lat, lon, mesh, name_ja, recorded_at) values
        (${ids[0]}, 'live', 1, 0, null, 35.5, 139.5, '53394611', '駅', 't'),
        (${ids[1]}, 'merged', 0, 1, ${ids[0]}, null, null, null, null, null),
        (${ids[2]}, 'live', 2, 1, null, 26.1, 127.6, '39272500', null, 'u')`,
      ...ids.flatMap((id) => [
        sql`insert into page (building, etag, body, credits) values (${id}, 'tag', ${Buffer.from([1, id % 7])}, 3)`,
        sql`insert into nearby (building, etag, body) values (${id}, 'tail', ${Buffer.from([2])})`,
        sql`insert into building_version (building, version, recorded_at, changed_fields, canonical)
          values (${id}, 1, 't', 'a', ${Buffer.from([3])}), (${id}, 2, 'u', 'b', ${Buffer.from([4])})`,
        sql`insert into lookup_key (building, key) values (${id}, 5), (${id}, 6)`,
        sql`insert into search_entry (pos, building, uses, fields, text, footprint, floors, flags, site, summary)
          values (${id % 1000}, ${id}, 1, 2, 'text', 1.5, 3, 4, ${Buffer.from([5])}, '{}')`,
      ]),
      sql`insert into ingest (id, source, file, sha256, started_at) values (4, 'osm', 'f', 's', 't')`,
      sql`insert into retrieval (id, at) values (9, 't')`,
      sql`insert into source_record (id, key, source, building, claimed, reason, tile, lat, lon, area) values
        (1, 'osm:way/1', 'osm', ${ids[0]}, -1, null, 53394611, 35.5, 139.5, null),
        (2, 'osm:way/2', 'osm', null, -2, 'ambiguous', null, null, null, null)`,
      sql`insert into statement (id, record, claimed, retrieval, payload, body, line_hash, ingest, line) values
        (1, 1, -1, 9, null, ${Buffer.from([6])}, 'hash', 4, 12)`,
    ];
    for (const statement of before) await statement.execute(storage.db);
    const tables = [...TABLES, 'lookup_key', 'search_entry', 'source_record', 'statement'];
    const rowsOf = async () => {
      const found: Record<string, unknown[]> = {};
      for (const table of tables) {
        const { rows } = await sql<object>`select * from ${sql.table(table)} order by 1, 2`.execute(storage.db);
        // A later migration adds a column.
        const columns = (row: object) => Object.entries(row).filter(([name]) => name !== 'logged');
        found[table] = rows.map((row) => Object.fromEntries(columns(row).sort()));
      }
      return found;
    };
    const expected = await rowsOf();
    await migrate(storage);
    expect(await rowsOf()).toEqual(expected);
    expect(await partitionsOf(storage)).toEqual(named('13', '47'));
    await storage.transaction((tx) => createBuildings(tx, [assetKey('13', 3), assetKey('26', 1)], 'minted'));
    expect(await partitionsOf(storage)).toEqual(named('13', '26', '47'));
    await storage.close();
  });
});
