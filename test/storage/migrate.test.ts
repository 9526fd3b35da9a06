import { expect, it } from 'vitest';
import { MIGRATIONS, type Migration, migrate, migrationState } from '../../src/storage/migrate.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { onBothEngines } from '../support/engines.ts';

const NAMES = MIGRATIONS.map((migration) => migration.name);

const open = (url: string) =>
  openStorage(url, (error) => {
    throw error;
  });

onBothEngines('migrations', (fresh) => {
  it('run once, even if several processes start together', async () => {
    const { url } = await fresh('none');
    const storages = [open(url), open(url), open(url)];
    const results = await Promise.all(storages.map((storage) => migrate(storage)));
    for (const result of results) expect(result).toEqual(NAMES);
    expect(await migrationState(storages[0] as never)).toEqual({ applied: NAMES, pending: [] });
    for (const storage of storages) await storage.close();
  });

  it('fail with an error and leave nothing half done', async () => {
    const { url } = await fresh('none');
    const storage = open(url);
    await migrate(storage);
    const broken: Migration = {
      name: '9999-broken',
      async up(db) {
        await db.schema.createTable('half').addColumn('id', 'integer').execute();
        throw new Error('the disk is full');
      },
    };
    await expect(migrate(storage, [...MIGRATIONS, broken])).rejects.toThrow(/9999-broken failed.*the disk is full/);
    await expect(
      storage.db
        .selectFrom('half' as never)
        .selectAll()
        .execute(),
    ).rejects.toThrow();
    expect((await migrationState(storage)).applied).toEqual(NAMES);
    await storage.close();
  });

  it('refuse a database of a newer version', async () => {
    const { url } = await fresh('none');
    const storage = open(url);
    const newer: Migration = { name: '9999-newer', up: async () => {} };
    await migrate(storage, [...MIGRATIONS, newer]);
    await expect(migrate(storage)).rejects.toThrow(
      /^a newer version of tatemono has changed the database .*9999-newer.*; install that version/,
    );
    await storage.close();
  });

  it('0013 CON-09 makes one row of a register record that names several buildings', async () => {
    const { url } = await fresh('none');
    const storage = open(url);
    const before = MIGRATIONS.findIndex(({ name }) => name === '0013-named-records');
    await migrate(storage, MIGRATIONS.slice(0, before));
    await storage.transaction(async (tx) => {
      const [one, two, three, minted] = [1_300_000_007, 1_300_000_008, 1_300_000_009, 1_300_000_001];
      await tx.insert(
        'building',
        ['id', 'state', 'version'],
        [one, two, three, minted].map((id) => [id, 'live', 0]),
      );
      await tx.insert('minted', ['prefecture', 'last'], [['13', 7]]);
      const ingest = { source: 'records', file: 'f', sha256: 's', started_at: '' };
      await tx.db.insertInto('ingest').values(ingest).execute();
      const record = ['id', 'key', 'source', 'building', 'claimed', 'reason', 'tile'] as const;
      await tx.insert('source_record', record, [
        [1, 'jreit:moved', 'jreit', one, one, null, null],
        [2, 'jreit:moved', 'jreit', two, two, null, null],
        [3, 'mankan:both', 'mankan', one, one, null, null],
        [4, 'mankan:both', 'mankan', two, two, null, null],
        [5, 'wikidata:Q1', 'wikidata', one, one, null, null],
        [6, 'wikidata:Q1', 'wikidata', two, two, null, null],
        [7, 'wikidata:Q1', 'wikidata', null, -1, 'ambiguous', 53394611],
        [8, 'osm:way/7', 'osm', one, one, null, null],
      ]);
      const statement = [
        'id',
        'record',
        'retrieved_at',
        'raw_payload_ref',
        'body',
        'line_hash',
        'ingest',
        'line',
      ] as const;
      const said = (id: number, retrievedAt: string) => [id, id, retrievedAt, 'sha256:a', '{}', `hash ${id}`, 1, id];
      await tx.insert('statement', statement as never, [
        said(1, '2026-03-01T00:00:00Z'),
        // Later, although it sorts first.
        said(2, '2026-02-28T23:30:00-09:00'),
        ...[3, 4, 5, 6, 7, 8].map((id) => said(id, '2026-01-01T00:00:00Z')),
      ]);
    });
    await migrate(storage, MIGRATIONS.slice(0, before + 1));
    const rows = await storage.db
      .selectFrom('source_record')
      .select(['id', 'claimed', 'building', 'reason', 'tile'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ id, claimed, building, reason }) => [id, claimed, building, reason])).toEqual([
      [1, 1_300_000_008, 1_300_000_008, null],
      [3, -2, null, 'ambiguous'],
      [5, 1_300_000_007, 1_300_000_007, null],
      [6, 1_300_000_008, 1_300_000_008, null],
      [7, -2, null, 'ambiguous'],
      [8, 1_300_000_007, 1_300_000_007, null],
    ]);
    expect(rows.find(({ id }) => id === 7)?.tile).toBeNull();
    const statements = await storage.db
      .selectFrom('statement')
      .select(['id', 'record', 'claimed'])
      .orderBy('id')
      .execute();
    expect(statements.map(({ id, record, claimed }) => [id, record, claimed])).toEqual([
      [1, 1, 1_300_000_007],
      [2, 1, 1_300_000_008],
      [3, 3, 1_300_000_007],
      [4, 3, 1_300_000_008],
      [5, 5, 1_300_000_007],
      [6, 6, 1_300_000_008],
      [7, 7, -1],
      [8, 8, 1_300_000_007],
    ]);
    const minted = await storage.db.selectFrom('building').select('id').where('minted', '=', 1).execute();
    expect(minted.map(({ id }) => id)).toEqual([1_300_000_001]);
    const stale = await storage.db.selectFrom('stale_building').select('building').orderBy('building').execute();
    expect(stale.map(({ building }) => building)).toEqual([1_300_000_007, 1_300_000_008]);
    await storage.close();
  });

  it('0014 PLC-01 marks every live building and every unplaced record to be placed again', async () => {
    const { url } = await fresh('none');
    const storage = open(url);
    const before = MIGRATIONS.findIndex(({ name }) => name === '0014-placed-by');
    await migrate(storage, MIGRATIONS.slice(0, before));
    await storage.transaction(async (tx) => {
      const states = ['live', 'live', 'merged', 'retired'];
      await tx.insert(
        'building',
        ['id', 'state', 'version'],
        states.map((state, i) => [1_300_000_001 + i, state, 1]),
      );
      const record = ['id', 'key', 'source', 'building', 'claimed', 'reason', 'tile'] as const;
      await tx.insert('source_record', record, [
        [1, 'plateau:a', 'plateau', null, -1, 'unplaced', 53394611],
        [2, 'plateau:b', 'plateau', null, -1, 'unplaced', 53394611],
        [3, 'osm:way/1', 'osm', 1_300_000_001, -1, null, 53394612],
      ]);
    });
    await migrate(storage, MIGRATIONS.slice(0, before + 1));
    const stale = await storage.db.selectFrom('stale_building').select('building').orderBy('building').execute();
    expect(stale.map(({ building }) => building)).toEqual([1_300_000_001, 1_300_000_002]);
    const tiles = await storage.db.selectFrom('stale_tile').select('tile').execute();
    expect(tiles).toEqual([{ tile: 53394611 }]);
    await storage.close();
  });
});
