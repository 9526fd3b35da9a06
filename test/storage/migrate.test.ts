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
  it('run once, also when several processes start together', async () => {
    const { url } = await fresh();
    const storages = [open(url), open(url), open(url)];
    const results = await Promise.all(storages.map((storage) => migrate(storage)));
    for (const result of results) expect(result).toEqual(NAMES);
    expect(await migrationState(storages[0] as never)).toEqual({ applied: NAMES, pending: [] });
    for (const storage of storages) await storage.close();
  });

  it('fail loudly and leave nothing half done', async () => {
    const { url } = await fresh();
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

  it('refuse a database that a newer version made', async () => {
    const { url } = await fresh();
    const storage = open(url);
    const newer: Migration = { name: '0002-newer', up: async () => {} };
    await migrate(storage, [...MIGRATIONS, newer]);
    await expect(migrate(storage)).rejects.toThrow(/0002-newer.*does not know/);
    await storage.close();
  });
});
