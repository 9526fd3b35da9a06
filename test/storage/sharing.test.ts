import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { StorageError, type Tx } from '../../src/storage/storage.ts';
import { onBothEngines, onPostgres, openContext } from '../support/engines.ts';

const AREA_COLUMNS = ['code', 'level', 'slug', 'name_ja'] as const;
const insertArea = (tx: Tx, code: string) => tx.insert('area', AREA_COLUMNS, [[code, 'prefecture', `p-${code}`, '県']]);

onBothEngines('a storage that is shared', (fresh) => {
  it('can be read while another process writes, and shows only committed data', async () => {
    const database = await fresh();
    const [writer, reader] = [await openContext(database), await openContext(database)];
    const count = async () => (await reader.storage.db.selectFrom('area').select('code').execute()).length;
    await writer.storage.transaction(async (tx) => {
      await insertArea(tx, '01');
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(1);
    await writer.storage.close();
    await reader.storage.close();
  });

  it('rolls back a failed transaction completely', async () => {
    const { storage } = await openContext(await fresh());
    const broken = storage.transaction(async (tx) => {
      await insertArea(tx, '01');
      await insertArea(tx, '01');
    });
    await expect(broken).rejects.toThrow();
    expect(await storage.db.selectFrom('area').select('code').execute()).toEqual([]);
    await storage.transaction((tx) => insertArea(tx, '01'));
    expect(await storage.db.selectFrom('area').select('code').execute()).toHaveLength(1);
    await storage.close();
  });

  it('enforces foreign keys', async () => {
    const { storage } = await openContext(await fresh());
    const orphan = storage.transaction((tx) => tx.insert('area_slug', ['parent', 'slug', 'code'], [['', 'a', '13']]));
    await expect(orphan).rejects.toThrow(/foreign key/i);
    await storage.close();
  });

  it('inserts, inserts only new rows, updates and upserts many rows', async () => {
    const { storage } = await openContext(await fresh());
    await storage.transaction(async (tx) => {
      const columns = ['prefecture', 'last'] as const;
      await tx.insert(
        'minted',
        columns,
        Array.from({ length: 2_500 }, (_, i) => [String(i), i]),
      );
      await tx.insertNew('minted', columns, [
        ['1', 99],
        ['new', 1],
      ]);
      await tx.update('minted', columns, [['2', 22]]);
      await tx.upsert('minted', columns, [
        ['3', 33],
        ['newer', 2],
      ]);
      await tx.insert('minted', columns, []);
    });
    const rows = await storage.db
      .selectFrom('minted')
      .selectAll()
      .where('prefecture', 'in', ['1', '2', '3', 'new', 'newer'])
      .execute();
    expect(Object.fromEntries(rows.map((row) => [row.prefecture, row.last]))).toEqual({
      1: 1,
      2: 22,
      3: 33,
      new: 1,
      newer: 2,
    });
    await storage.close();
  });

  it('has one writer at a time, whose lock is released when its process ends', async () => {
    const database = await fresh();
    const [first, second] = [await openContext(database), await openContext(database)];
    const release = await first.storage.lockWriter(() => {}, 0);
    let waited = 0;
    await expect(second.storage.lockWriter(() => waited++, 200)).rejects.toThrow(StorageError);
    expect(waited).toBe(1);
    await release();
    await (await second.storage.lockWriter(() => waited++, 0))();
    expect(waited).toBe(1);

    const script = `
      const { openStorage } = await import('./src/storage/open-storage.ts');
      await openStorage(process.argv[1], () => {}).lockWriter(() => {}, 0);
      process.stdout.write('locked');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await expect(first.storage.lockWriter(() => {}, 0)).rejects.toThrow(StorageError);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await first.storage.lockWriter(() => {}, 5_000))();
    await first.storage.close();
    await second.storage.close();
  });
});

onPostgres('a writer that loses its connections', (fresh) => {
  const endOthers = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;

  it('FLT-04 still gives up the lock and closes the storage, so that its command ends with a message', async () => {
    const database = await fresh();
    const [writer, other] = [await openContext(database), await openContext(database)];
    const release = await writer.storage.lockWriter(() => {}, 0);
    await endOthers.execute(other.storage.db);
    await release();
    await writer.storage.close();
    const next = await other.storage.lockWriter(() => {}, 5_000);

    // The same while it waits for the lock.
    const waiting = await openContext(database);
    const failed = waiting.storage.lockWriter(() => {}, 60_000).catch((error: unknown) => error);
    await expect
      .poll(
        async () => {
          await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'select pg_try_advisory_lock%'
        and pid not in (select pid from pg_locks where locktype = 'advisory')`.execute(other.storage.db);
          return Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 50))]);
        },
        { timeout: 30_000 },
      )
      .toBeInstanceOf(Error);
    await waiting.storage.close();
    await next();
    await other.storage.close();
  });
});
